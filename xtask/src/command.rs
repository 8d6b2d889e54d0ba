//! Running other programs, and what they need of files.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

/// Runs a program to its end; its output goes to ours.
///
/// # Errors
/// If it cannot be started or fails; the error names the whole command.
pub fn run_command(command: &mut Command) -> Result<()> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let line = words.join(" ");
    forget_package(command);
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    ensure!(status.success(), "`{line}` failed ({status})");
    Ok(())
}

/// The output of a program, which must succeed.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    let [text, complaints] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let status = output.status;
    ensure!(status.success(), "{command:?} failed ({status}): {complaints}");
    Ok(text)
}

/// True if a program is there, and these arguments of it are good. What it says is not shown.
pub fn succeeds(program: impl AsRef<OsStr>, arguments: &[&str]) -> bool {
    output(Command::new(program).args(arguments)).is_ok()
}

/// Cargo in a folder, with arguments that have no blanks.
pub fn cargo(folder: &Path, arguments: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(folder).args(arguments.split(' '));
    cargo
}

/// Has cargo install a program of the given version, with options, into `.tools/` of the repository, unless it is
/// there. Returns the folder of programs.
pub fn install(repository: &Path, program: &str) -> Result<PathBuf> {
    let tools = repository.join(".tools");
    let arguments = format!("install --locked --quiet {program} --root");
    run_command(cargo(repository, &arguments).arg(&tools))?;
    Ok(tools.join("bin"))
}

/// Has the pip of a Python install exactly what files of requirements name, with their hashes.
pub fn pip_install(python: impl AsRef<OsStr>, requirements: impl IntoIterator<Item = PathBuf>) -> Command {
    let mut pip = Command::new(python);
    pip.args("-m pip install --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes".split(' '));
    for file in requirements {
        pip.arg("--requirement").arg(file);
    }
    pip
}

/// As [`pip_install`], by the user's Python into a folder: a part of no environment.
pub fn pip_unpack(python: &str, requirements: impl IntoIterator<Item = PathBuf>, folder: &Path) -> Command {
    let mut pip = pip_install(python, requirements);
    pip.arg("--target").arg(folder);
    // User settings that conflict with `--target`.
    pip.envs([
        ("PIP_USER", "0"),
        ("PIP_REQUIRE_VIRTUALENV", "0"),
        ("PIP_ROOT_USER_ACTION", "ignore"),
    ]);
    pip
}

/// Makes what a stamp stands for, unless the file has this stamp. It is written last: without it nothing is complete.
pub fn once(file: &Path, stamp: &str, make: impl FnOnce() -> Result<()>) -> Result<()> {
    if read(file).is_ok_and(|found| found == stamp) {
        return Ok(());
    }
    make()?;
    write(file, stamp)
}

/// Makes an empty Python environment in a folder.
pub fn environment(folder: &Path) -> Result<()> {
    run_command(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))
}

/// Hides from a program the variables by which `cargo run` describes this package. Build scripts of dependencies watch
/// them, so that a build started here and one started by hand would each compile again what the other had compiled.
fn forget_package(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let of_package = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        if name.to_str().is_some_and(of_package) {
            command.env_remove(name);
        }
    }
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Creates a folder, with those that it lies in.
pub fn create(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

/// The files and folders in a folder, by name.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut entries: Vec<PathBuf> = entries.with_context(|| format!("cannot read {}", folder.display()))?;
    entries.sort_unstable();
    Ok(entries)
}

/// Removes a file, or a folder with all that is in it, if it is there.
pub fn remove(path: &Path) -> Result<()> {
    let removed = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}
