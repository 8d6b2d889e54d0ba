//! The `chase` program: one file per subcommand. It is two files on disk: `chase` itself has what needs no residual
//! network, and begins in milliseconds; `chase-networks` has everything, and `chase` becomes it where such a network
//! may be needed.

mod bench;
mod cli;
mod columns;
mod commands;
mod destination;
mod lines;
mod move_list;
mod of_chase;
mod output;
mod program;
mod serve;
mod signals;
mod strength;

use std::os::unix::process::CommandExt;
use std::process::{self, ExitCode};

use chase_arena::players::external;
use chase_engine::GameName;
use chase_training::sources::{self, Sources};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use commands::*;
use program::{Light, Program, Whole};

/// Also used by libtorch, whose calls of malloc arrive here: each operation on tensors allocates its result, hundreds
/// of kilobytes that threads free and request again at once. With glibc's allocator a search of one game evaluated a
/// fifth fewer positions per second, and so did self-play.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// AlphaZero-style self-play, tournaments and opening studies for the board game Chase.
///
/// Positions are written in CFEN, as one argument: the rows from I down to A, separated by `/`, then the player to
/// move, w or b. A row lists its cells from column 1: a letter is a die (a to f are Black's dice of speed 1 to 6, A to
/// F White's), a digit is that many empty cells. docs/src/chase/notation.md describes the optional fields that may
/// follow. The game begins with 'abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w'.
///
/// Exit codes: 0 done, 1 a negative or undecided answer, 2 bad usage or input, 130 stopped by Ctrl-C before it was done
/// (128 + the signal for others).
#[derive(Debug, Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The table of commands: each with its module, whose `Args` are its options, and with what its `run` needs.
/// `anywhere`: nothing that another program lacks; `with players`: a program that can make its players ready; `with
/// networks`: the program that is linked with libtorch.
macro_rules! commands {
    ($($name:ident($module:ident) $($needs:ident)+,)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name($module::Args),)*
        }

        impl Command {
            fn run<P: Program>(&self) -> anyhow::Result<ExitCode> {
                match self {
                    $(Self::$name(args) => commands!(@$($needs)+ $module args P),)*
                }
            }
        }
    };
    (@anywhere $module:ident $args:ident $program:ident) => {
        $module::run($args)
    };
    (@with players $module:ident $args:ident $program:ident) => {
        $module::run::<$program>($args)
    };
    (@with networks $module:ident $args:ident $program:ident) => {
        $program::with_networks(|| $module::run($args))
    };
}

commands! {
    Analyse(analyse) with players,
    Play(play) with players,
    Perft(perft) anywhere,
    Moves(moves) anywhere,
    Solve(solve) with players,
    Bench(bench) with networks,
    Completions(completions) anywhere,
    Doctor(doctor) with networks,
    Engine(engine) with players,
    Evaluate(evaluate) with networks,
    Export(export) with networks,
    Man(man) anywhere,
    Match(match_) with networks,
    Selfplay(selfplay) with networks,
    Serve(serve) with networks,
    Show(show) anywhere,
    Tournament(tournament) with networks,
    Study(study) with networks,
    Book(book) with networks,
    Balance(balance) with networks,
    Train(train) with networks,
    Worker(worker) with networks,
    Cluster(cluster) with networks,
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

/// All commands and their options. A number below zero is a value, never an option. The option of a game lists all
/// games.
fn command() -> clap::Command {
    Cli::command().mut_subcommands(|command| {
        command
            .allow_negative_numbers(true)
            .mut_args(|option| match option.get_long() {
                Some("game") => with_games(option),
                _ => option,
            })
    })
}

/// The option of a game with the names of all games in its long help.
fn with_games(option: clap::Arg) -> clap::Arg {
    let help = option.get_long_help().or_else(|| option.get_help());
    let help = help.map_or(String::new(), ToString::to_string);
    option.long_help(format!("{help}\n\nIt is one of {}", GameName::list()))
}

/// The command line. A mistake in it ends the program with its message, as `--help` does with its text.
fn read() -> Cli {
    Cli::from_arg_matches(&command().get_matches()).unwrap_or_else(|error| error.exit())
}

/// The file next to `chase` that has all commands.
const WHOLE: &str = "chase-networks";

/// Runs the command of the command line.
fn run<P: Program>() -> ExitCode {
    state_sources();
    raise_limit_of_files();
    external::report_waiting(|text| cli::note(text));
    read().command.run::<P>().unwrap_or_else(|error| cli::report(&error))
}

/// Runs the commands that need no residual network. All others are left to the program of [`run_whole`] next to this
/// one, in this process: libtorch takes a third of a second to load, and this program is not linked with it.
pub fn run_light() -> ExitCode {
    run::<Light>()
}

/// Runs any command.
pub fn run_whole() -> ExitCode {
    run::<Whole>()
}

/// Becomes the program with all commands. Returns only if that is impossible.
fn become_whole() -> anyhow::Error {
    let mut arguments = std::env::args_os();
    let name = arguments.next().unwrap_or_else(|| "chase".into());
    let whole = match std::env::current_exe() {
        Ok(this) => this.with_file_name(WHOLE),
        Err(error) => return anyhow::Error::new(error).context("cannot find the program itself"),
    };
    let error = process::Command::new(&whole).arg0(name).args(arguments).exec();
    let expected =
        "this command computes with networks: expected its program next to `chase`; `cargo build` makes both";
    anyhow::Error::new(error).context(format!("cannot start {}: {expected}", whole.display()))
}

/// Raises the number of files that may be open to what the system allows: an engine takes three, and a match may have
/// hundreds of them.
fn raise_limit_of_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        // Where this fails, the limit is as it was.
        let _ = setrlimit(
            Resource::Nofile,
            Rlimit {
                current: maximum,
                maximum,
            },
        );
    }
}
