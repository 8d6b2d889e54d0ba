//! Running other programs, and what they need of files.

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

/// Cargo in a folder, with arguments that have no blanks.
pub fn cargo(folder: &Path, arguments: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(folder).args(arguments.split(' '));
    cargo
}

/// Has cargo install a program of the given version, with options, into `.tools/` of the repository, unless it is there.
/// Returns the folder of programs.
pub fn install(repository: &Path, program: &str) -> Result<PathBuf> {
    let tools = repository.join(".tools");
    let arguments = format!("install --locked --quiet {program} --root");
    run_command(cargo(repository, &arguments).arg(&tools))?;
    Ok(tools.join("bin"))
}

/// Has the pip of a Python install exactly what a file of requirements names, with their hashes.
pub fn pip_install(python: &Path, requirements: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(["--no-deps", "--only-binary=:all:", "--require-hashes", "--requirement"]);
    pip.arg(requirements);
    pip
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
