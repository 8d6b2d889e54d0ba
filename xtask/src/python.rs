//! `cargo xtask python`: the Python package in `python/`, built and tested in its own environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::command::{self, cargo, once, output, pip_install, read, run_command, succeeds};

/// Its exit status shows if this Python is new enough and can create environments.
const PROBE: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

#[derive(clap::Args)]
pub struct Options {
    /// Also fetch PyTorch into the environment, once (3 GB to download), and test the networks that need it.
    #[arg(long)]
    torch: bool,
    /// Only these tests, as pytest names them, such as tests/test_agent.py.
    tests: Vec<String>,
}

/// True if there is a Python for testing the package.
pub fn available() -> bool {
    succeeds("python3", &["-c", PROBE])
}

/// Checks format and lints of the crate, installs the package as its README says, and runs its tests.
pub fn run(repository: &Path, options: &Options) -> Result<()> {
    ensure!(
        available(),
        "python3 was not found, is older than 3.10, or has no venv: the Python package is tested with one of 3.10 or newer \
         (Debian, Ubuntu: apt install python3-venv)"
    );
    let package = repository.join("python");
    let python = environment(repository, options.torch)?;
    // Clippy in the profile of the wheel, so that both share a build.
    for arguments in ["fmt --check", "clippy --release --quiet -- --deny warnings"] {
        run_command(cargo(&package, arguments).env("PYO3_PYTHON", &python))?;
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    // The package's dependencies are already installed, by hash.
    install.args(["--no-deps", "--no-build-isolation", "--force-reinstall"]);
    run_command(install.arg(&package).env("PATH", path_with(&python)?))?;
    // The program of this checkout writes the files that the tests read. Built as for tests of it: `cargo build` would
    // compile all dependencies once more, for features that tests do not need, and replace the program while they run.
    run_command(&mut cargo(repository, "test --workspace --test cli --no-run --quiet"))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let mut tests = Command::new(&python);
    tests.args(["-B", "-m", "pytest"]).args(&options.tests);
    tests.env("CHASE_PROGRAM", repository.join(target).join("debug/chase"));
    // Notebooks run a shorter version.
    run_command(tests.current_dir(&package).env("QUICK", "1"))
}

/// The Python of the environment in `.tools/python`, which is recreated when its requirements have changed.
fn environment(repository: &Path, torch: bool) -> Result<PathBuf> {
    let home = repository.join(".tools/python");
    let python = home.join("bin/python");
    let [test, with_torch] = ["test.txt", "torch.txt"].map(|file| repository.join("python/requirements").join(file));
    let install = |file: &Path| run_command(pip_install(&python, [file.to_owned()]).arg("--quiet"));
    let version = output(Command::new("python3").arg("--version"))?;
    once(&home.join("STAMP"), &(version + &read(&test)?), || {
        command::environment(&home)?;
        install(&test)
    })?;
    if torch {
        // Gone with the rest where the environment is made anew.
        once(&home.join("STAMP-torch"), &read(&with_torch)?, || install(&with_torch))?;
    }
    Ok(python)
}

/// The PATH with the environment's programs first: pip looks for maturin there.
fn path_with(python: &Path) -> Result<OsString> {
    let programs = python.parent().context("a program lies in a folder")?;
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&rest));
    std::env::join_paths(all).context("PATH")
}
