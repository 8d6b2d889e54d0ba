//! Set-up, test and main-job commands of this repository: `cargo xtask <command>`.
//!
//! This package does not depend on libtorch, so it builds and runs before libtorch is installed.

// A command-line program talks to its user.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod book;
mod command;
mod dist;
mod fuzz;
mod jobs;
mod python;
mod setup;
mod test;
mod wheels;

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Set-up, test and main-job commands of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Put libtorch 2.11.0 into `.libtorch/` of this repository (once; a second run does nothing).
    Setup(setup::Options),
    /// Set up, build, train as `configs/quick.toml` says (about ten minutes), and write the opening report.
    Quick(jobs::QuickOptions),
    /// Set up, then check format, lints, documentation, tests, instruction counts, the Python package and fuzz targets:
    /// what CI runs.
    Test,
    /// Hold ratios of speeds against their floors, and instruction counts against what they were (needs valgrind;
    /// installs its runner into `.tools/` once).
    Bench(jobs::BenchOptions),
    /// Build the book of `docs/` into `docs/book/` (installs mdBook into `.tools/` once).
    Book,
    /// Test the page of `chase serve` in Chromium (installs Playwright into `.tools/` once).
    Browser(jobs::BrowserOptions),
    /// Build and test the Python package in `python/` (sets up `.tools/python` once).
    Python(python::Options),
    /// Put the server of NATS that tests of clusters start into `.tools/nats/` (once).
    Nats,
    /// Run the fuzz targets of the parsers and the rules.
    Fuzz(fuzz::Options),
    /// Check advisories, licences and sources of all dependencies against `deny.toml` (installs cargo-deny into
    /// `.tools/` once).
    Deny(jobs::DenyOptions),
    /// Build what is released into `target/dist/`: an archive with the program and its libraries, and the Python wheel.
    Dist(dist::Options),
    /// Attack the whole program: kill it, fill its disk, damage its files, send it nonsense. The last line says
    /// what was done.
    Soak(jobs::SoakOptions),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    // This package is in a folder of the repository.
    let repository = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let repository = repository.canonicalize().unwrap_or_else(|_| repository.to_owned());
    let done = match cli.command {
        Command::Setup(options) => setup::run(&repository, &options),
        Command::Quick(options) => jobs::quick(&repository, &options),
        Command::Test => test::run(&repository),
        Command::Bench(options) => jobs::bench(&repository, &options),
        Command::Book => book::run(&repository),
        Command::Browser(options) => jobs::browser(&repository, &options),
        Command::Python(options) => python::run(&repository, &options),
        Command::Nats => jobs::nats(&repository),
        Command::Fuzz(options) => fuzz::run(&repository, &options),
        Command::Deny(options) => jobs::deny(&repository, &options),
        Command::Dist(options) => dist::run(&repository, &options),
        Command::Soak(options) => jobs::soak(&repository, &options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
