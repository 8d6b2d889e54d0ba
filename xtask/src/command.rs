//! Running other programs.

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
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}
