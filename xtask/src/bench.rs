//! `cargo xtask bench`: instruction counts, which do not depend on how busy the machine is, compared with their limits;
//! and ratios of speeds, compared with floors that only something broken falls below, which need a nearly idle machine.

use std::path::Path;
use std::process::Command;

use anyhow::ensure;

use crate::command::{cargo, install, run_command};

/// The version of `gungraun` in `Cargo.toml`, which the runner must match.
const RUNNER: &str = "gungraun-runner@0.20.0";

/// True if valgrind, which counts instructions, is installed.
pub fn valgrind() -> bool {
    let version = Command::new("valgrind").arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

#[derive(clap::Args)]
pub struct Options {
    /// Leave ratios of speeds out, which need a machine with little else to do.
    #[arg(long)]
    instructions: bool,
}

/// Checks ratios, then instruction counts.
pub fn run(repository: &Path, options: &Options) -> anyhow::Result<()> {
    if !options.instructions {
        ratios(repository)?;
    }
    instructions(repository)
}

fn ratios(repository: &Path) -> anyhow::Result<()> {
    let arguments = "run --quiet --release -- bench --check --device cpu --network b4c32 --threads 1 --seconds 0.5";
    run_command(&mut cargo(repository, arguments))
}

fn instructions(repository: &Path) -> anyhow::Result<()> {
    ensure!(
        valgrind(),
        "valgrind counts the instructions and is not there: install it with your package manager"
    );
    // Without optimisation: it only starts valgrind and reads what that counted.
    let programs = install(repository, &format!("--debug {RUNNER}"))?;
    let arguments = "bench --package chase-models --no-default-features --bench instructions";
    let mut bench = cargo(repository, arguments);
    run_command(bench.env("GUNGRAUN_RUNNER", programs.join("gungraun-runner")))
}
