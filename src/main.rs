//! The `chase` binary: one file a subcommand.

mod bench;
mod cli;
mod doctor;
mod moves;
mod perft;
mod show;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Self-play reinforcement learning for the opening theory of the board game Chase.
///
/// Exit codes: 0 done, 1 a negative answer, 2 bad usage or input.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Perft(perft::Args),
    Moves(moves::Args),
    Bench(bench::Args),
    Doctor(doctor::Args),
    Show(show::Args),
    Train(train::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Perft(args) => perft::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Train(args) => train::run(&args),
    };
    result.unwrap_or_else(cli::report)
}
