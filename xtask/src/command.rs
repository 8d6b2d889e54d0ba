//! Running other programs.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// Runs a program to its end; its output goes to ours.
///
/// # Errors
/// If it cannot be started or fails; the error names the whole command.
pub fn run_command(command: &mut Command) -> anyhow::Result<()> {
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .collect();
    let line = words
        .iter()
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ");
    forget_package(command);
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_do_not_learn_the_package_of_this_one() {
        // Cargo sets it for tests as well.
        assert!(env::var_os("CARGO_MANIFEST_DIR").is_some());
        let mut inquiry = Command::new("sh");
        inquiry.args(["-c", "test -z \"$CARGO_MANIFEST_DIR$CARGO_PKG_NAME\""]);
        assert!(run_command(&mut inquiry).is_ok());
    }
}
