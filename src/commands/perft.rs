//! `chase perft`

use std::process::ExitCode;
use std::time::Instant;

use chase_engine::{Game, GameName, with_game};

use crate::cli;

/// Far deeper than can be counted in games with choices, and far shallower than the stack allows.
const DEEPEST: i64 = 32;

/// Count the lines of play of a given length
///
/// A ply is one decision of one player: in Chase a move, an exchange, or a real choice of the die that absorbs, in draughts a
/// step or one jump, in placement games one stone, one move of stones or a pass. Draws and limits that are conventions end no line. The last line printed is `nodes N`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase perft 5
  chase perft 3 --divide --position 'abcdedcba/9/9/9/9/9/9/7D1/ABCDEBCA1 b'
  chase perft 8 --game checkers")]
pub struct Args {
    /// Plies, 0 to 32
    #[arg(value_parser = clap::value_parser!(u32).range(0..=DEEPEST))]
    depth: u32,
    /// The game
    #[arg(long, value_name = "NAME", default_value_t = GameName::Chase)]
    game: GameName,
    /// Start from this position, in the text form of the game (of Chase: CFEN, see chase --help) [default: the initial
    /// position]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Also print the count of each first action
    #[arg(long)]
    divide: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    with_game!(args.game, G => count::<G>(args))
}

fn count<G: Game>(args: &Args) -> anyhow::Result<ExitCode> {
    let rules = G::published_rules(&args.game.rules::<G>());
    let game: G = cli::position("--position <POSITION>", args.position.as_deref(), &rules)?;
    let start = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let mut sum = 0;
        for action in actions {
            let mut next = game.clone();
            next.apply(action);
            let nodes = next.perft(args.depth - 1);
            cli::print(format_args!("{} {nodes}", game.action_text(action)))?;
            sum += nodes;
        }
        sum
    } else {
        game.perft(args.depth)
    };
    let seconds = start.elapsed().as_secs_f64();
    cli::note(format_args!(
        "{seconds:.3} s, {} nodes/s",
        cli::rate(nodes as f64 / seconds.max(1e-9))
    ));
    cli::print(format_args!("nodes {nodes}"))?;
    Ok(ExitCode::SUCCESS)
}
