//! `chase perft`

use std::process::ExitCode;
use std::time::Instant;

use chase_engine::{Game, GameName, with_game};
use serde::Serialize;

use crate::cli;

/// Far deeper than can be counted in games with choices, and far shallower than the stack allows.
const DEEPEST: u32 = 32;

/// Count the lines of play of a given length
///
/// A ply is one decision of one player: in Chase a move, an exchange, or a real choice of the die that absorbs, in
/// draughts a step or one jump, in placement games one stone, one move of stones or a pass. Draws and limits that are
/// only conventions do not end a line. The last line printed is `nodes N`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase perft 5
  chase perft 3 --divide --position 'abcdedcba/9/9/9/9/9/9/7D1/ABCDEBCA1 b'
  chase perft 8 --game checkers")]
pub struct Args {
    /// Plies, 0 to 32
    #[arg(value_parser = cli::whole::<u32>(0..=DEEPEST))]
    depth: u32,
    /// The game
    #[arg(long, value_name = "NAME", default_value_t = GameName::Chase)]
    game: GameName,
    /// Start from this position (for Chase in CFEN, see chase --help) [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Also print the count of each first action
    #[arg(long)]
    divide: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// Output of --json.
#[derive(Serialize)]
struct Counts {
    game: String,
    position: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    /// With --divide.
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<Count>>,
}

#[derive(Serialize)]
struct Count {
    action: String,
    nodes: u64,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    with_game!(args.game, G => count::<G>(args))
}

fn count<G: Game>(args: &Args) -> anyhow::Result<ExitCode> {
    let rules = G::published_rules(&args.game.rules::<G>());
    let game: G = cli::position("--position <POSITION>", args.position.as_deref(), &rules)?;
    let start = Instant::now();
    let mut counts = Vec::new();
    let nodes = if args.divide && args.depth > 0 {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        for action in actions {
            let mut next = game.clone();
            next.apply(action);
            let (action, nodes) = (game.action_text(action), next.perft(args.depth - 1));
            if !args.json {
                cli::print(format_args!("{action} {nodes}"))?;
            }
            counts.push(Count { action, nodes });
        }
        counts.iter().map(|count| count.nodes).sum()
    } else {
        game.perft(args.depth)
    };
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let counts = Counts {
            game: args.game.to_string(),
            position: game.position_text(),
            depth: args.depth,
            nodes,
            seconds,
            actions: args.divide.then_some(counts),
        };
        cli::print_json(&counts)?;
        return Ok(ExitCode::SUCCESS);
    }
    cli::note_speed(nodes, seconds);
    cli::print(format_args!("nodes {nodes}"))?;
    Ok(ExitCode::SUCCESS)
}
