//! The `chase` binary: one file per subcommand.

mod bench;
mod cli;
mod cluster;
mod columns;
mod commands;
#[cfg(test)]
mod deploy;
mod lines;
mod serve;
mod signals;
mod strength;

use std::process::ExitCode;

use chase_arena::players::external;
use chase_training::sources::{self, Sources};
use clap::{CommandFactory, Parser, Subcommand};
use commands::{
    analyse, balance, completions, doctor, engine, evaluate, export, man, match_, moves, perft, play, selfplay, show,
    solve, study, tournament, train, worker,
};

/// Also used by libtorch, whose calls of malloc arrive here: each operation on tensors allocates its result, hundreds
/// of kilobytes that threads free and request again at once. With glibc's allocator a search of one game evaluated a
/// fifth fewer positions per second, and so did self-play.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// AlphaZero-style self-play, tournaments and opening studies for the board game Chase.
///
/// Positions are written in CFEN, as one argument: the rows from I down to A with `/` between them, in each row from
/// column 1 a letter for a die (a to f are Black's of speed 1 to 6, A to F White's) and a digit for that many empty
/// cells; then who is to move, w or b. What may follow is in docs/src/chase/notation.md. The game begins with
/// 'abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w'.
///
/// Exit codes: 0 done, 1 a negative or undecided answer, 2 bad usage or input.
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Analyse(analyse::Args),
    Play(play::Args),
    Perft(perft::Args),
    Moves(moves::Args),
    Solve(solve::Args),
    Bench(bench::Args),
    Completions(completions::Args),
    Doctor(doctor::Args),
    Engine(engine::Args),
    Evaluate(evaluate::Args),
    Export(export::Args),
    Man(man::Args),
    Match(match_::Args),
    Selfplay(selfplay::Args),
    Serve(serve::Args),
    Show(show::Args),
    Tournament(tournament::Args),
    Study(study::Args),
    Balance(balance::Args),
    Train(train::Args),
    Worker(worker::Args),
    Cluster(commands::cluster::Args),
}

/// Registers the commit found by `build.rs`, for the provenance of everything that is written.
fn state_sources() {
    let commit = env!("CHASE_COMMIT");
    if !commit.is_empty() {
        sources::state(Sources {
            commit: commit.into(),
            dirty: env!("CHASE_DIRTY") == "true",
        });
    }
}

fn main() -> ExitCode {
    state_sources();
    external::report_waiting(|text| cli::note(text));
    let result = match Cli::parse().command {
        Command::Analyse(args) => analyse::run(&args),
        Command::Balance(args) => balance::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Doctor(args) => doctor::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Man(args) => man::run(&args, Cli::command()),
        Command::Match(args) => match_::run(&args),
        Command::Selfplay(args) => selfplay::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Study(args) => study::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Worker(args) => worker::run(&args),
        Command::Cluster(args) => commands::cluster::run(&args),
    };
    result.unwrap_or_else(cli::report)
}
