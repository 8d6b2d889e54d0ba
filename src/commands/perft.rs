//! `chase perft`

use std::process::ExitCode;
use std::time::Instant;

use chase_engine::chase::{Position, divide, perft};

use crate::cli;

/// Far more than can be counted where there is a choice, and far less than fills the stack.
const DEEPEST: i64 = 32;

/// Count the lines of play of a given length
///
/// A ply is one decision of one player: a move, an exchange, or a real choice of the die that absorbs. The last line
/// printed is `nodes N`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase perft 5
  chase perft 3 --divide --position 'abcdedcba/9/9/9/9/9/9/7D1/ABCDEBCA1 b'")]
pub struct Args {
    /// Plies, 0 to 32
    #[arg(value_parser = clap::value_parser!(u32).range(0..=DEEPEST))]
    depth: u32,
    /// Start from this position, in CFEN (see chase --help) [default: the initial position]
    #[arg(long, value_name = "CFEN")]
    position: Option<Position>,
    /// Also print the count of each first action
    #[arg(long)]
    divide: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let position = args.position.unwrap_or_default();
    let start = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        let mut sum = 0;
        for (action, nodes) in divide(&position, args.depth) {
            cli::print(format_args!("{action} {nodes}"))?;
            sum += nodes;
        }
        sum
    } else {
        perft(&position, args.depth)
    };
    let seconds = start.elapsed().as_secs_f64();
    cli::note(format_args!(
        "{seconds:.3} s, {} nodes/s",
        cli::rate(nodes as f64 / seconds.max(1e-9))
    ));
    cli::print(format_args!("nodes {nodes}"))?;
    Ok(ExitCode::SUCCESS)
}
