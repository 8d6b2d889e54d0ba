//! `chase analyse`

mod judge;
mod stream;
pub mod table;

use std::process::ExitCode;
use std::thread;

use anyhow::bail;
use chase_arena::analysis::{
    AnalysisReport, Analyst, EvaluatorSpec, LineAnalyst, LineDesk, Request, TreeDesk, TreeDeskSettings,
};
use chase_arena::{NnueSpec, Playable};
use chase_engine::chase::Position;
use chase_engine::chase::notation::AsciiOptions;
use chase_engine::{Chase, Game, GameName, with_game};
use chase_models::{device, shipped};
use serde::Serialize;

use self::judge::Judge;
use crate::move_list::MoveList;
use crate::{cli, signals};

/// Search a position for its best action, and evaluate every action
///
/// Values are for the player to move: Q and value go from -1 (a certain loss) to 1 (a certain win). Without a NETWORK
/// the built-in one evaluates positions. Ctrl-C ends a long search and prints the results so far.
///
/// A network of the second family, such as nnue-57, searches by alpha-beta: --nodes limits it, not --simulations, and it
/// has values only for the actions that it lists.
///
/// With --stream, requests are read from standard input, one JSON object per line, and searched at the same time. Each
/// answer is printed as one line of JSON as soon as it is known. docs/src/reference/analysis.md describes both formats.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase analyse --simulations 10000
  chase analyse nnue-57 --milliseconds 2000 --top 3 --lines
  chase analyse --game checkers --moves 'c3-d4 b6-a5' --milliseconds 2000
  chase analyse --position '4a1C2/1d2BcC2/6Ad1/B3C4/7B1/dA7/1e7/d8/9 w' --milliseconds 2000 --top 5 --lines
  chase analyse runs/quick-1 --position 'abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w' --simulations 800 --json
  echo '{\"id\": \"a\", \"moves\": [\"A3D2\", \"1I4I3\"], \"simulations\": 100}' | chase analyse --stream")]
pub struct Args {
    /// The network that evaluates positions: a checkpoint, or a run (its newest checkpoint is used)
    #[arg(value_name = "NETWORK", value_parser = judge::network, conflicts_with = "evaluator")]
    network: Option<Judge>,
    /// The game [default: that of the network; chase if there is none]
    #[arg(long, value_name = "NAME")]
    game: Option<GameName>,
    /// The position (for Chase in CFEN, see chase --help) [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Actions to play from there first, separated by blanks; for Chase in exact (A3NW) or article form (A3D2). Numbers
    /// of moves, such as 1., are ignored
    #[arg(long, value_name = "ACTIONS")]
    moves: Option<String>,
    /// The conventions of draws and length, each a number of turns or off [default: repetition 3, quiet 100, length
    /// 400]
    #[arg(long)]
    rules: Option<String>,
    /// Another evaluator of positions: net:agent-71 (the built-in network), rollouts or rollouts:games=N
    /// (the results of N random games), uniform (none: only proven results count), nnue-57 (the built-in network of the
    /// second family) [default: net:agent-71; in games other than Chase rollouts]
    #[arg(long, value_parser = judge::evaluator)]
    evaluator: Option<Judge>,
    /// Simulations, 0 for the bare evaluator [default: 800, or as many as the time allows]
    #[arg(long, value_name = "N", value_parser = cli::whole::<u32>(0..=u32::MAX), conflicts_with = "nodes")]
    simulations: Option<u32>,
    /// Nodes of a search with a network of the second family [default: 1000000, or as many as the time allows]
    #[arg(long, value_name = "N", value_parser = cli::whole::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Stop after this many milliseconds
    #[arg(long, value_name = "T", value_parser = cli::whole::<u64>(1..=1_000_000_000))]
    milliseconds: Option<u64>,
    /// List this many actions, the best ones [default: all in JSON, else 10; 5 with a network of the second family]
    #[arg(long, value_name = "N", value_parser = cli::whole::<usize>(1..=1_000_000))]
    top: Option<usize>,
    /// For each action listed, also give the line expected after it
    #[arg(long)]
    lines: bool,
    /// Where a network computes: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "cpu", value_parser = cli::device)]
    device: String,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Answer requests from standard input
    #[arg(long, conflicts_with_all = ["position", "moves", "rules", "milliseconds", "top", "lines", "json"])]
    stream: bool,
    /// With --stream: the most requests that are searched at the same time [default: 16, in one batch; one per core with a
    /// network of the second family]
    #[arg(long, value_name = "N", requires = "stream", value_parser = cli::whole::<u16>(1..=4096))]
    at_once: Option<u16>,
}

const SIMULATIONS: u32 = 800;
/// Number of actions in the table.
const TABLE: usize = 10;

/// Output of --json.
#[derive(Serialize)]
struct Whole<'a> {
    evaluator: &'a str,
    #[serde(flatten)]
    report: &'a AnalysisReport,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let given = args.network.as_ref().or(args.evaluator.as_ref());
    let of_network = match given {
        Some(Judge::Tree(EvaluatorSpec::Network(path))) => cli::game_of_checkpoint(path),
        _ => None,
    };
    let game = args.game.or(of_network).unwrap_or(GameName::Chase);
    let by_default = || {
        Judge::Tree(match game {
            GameName::Chase => EvaluatorSpec::Network(shipped::NAME.into()),
            _ => EvaluatorSpec::Rollouts(1),
        })
    };
    match given.cloned().unwrap_or_else(by_default) {
        Judge::Tree(_) if args.nodes.is_some() => {
            bail!("--nodes is for networks of the second family; use --simulations")
        }
        Judge::Tree(spec) => with_game!(game, G => analyse::<G>(args, game, &spec)),
        Judge::Lines(_) if args.simulations.is_some() => {
            bail!("a network of the second family makes no simulations; use --nodes")
        }
        Judge::Lines(spec) => with_game!(game, G => analyse_lines::<G>(args, game, &spec)),
    }
}

/// The position as lines of text.
fn board<G: Playable>(game: &G) -> anyhow::Result<String> {
    if G::NAME == Chase::NAME {
        let position: Position = game.position_text().parse()?;
        let color = cli::When::Auto.paints();
        return Ok(position.to_ascii(&AsciiOptions {
            color,
            ..AsciiOptions::default()
        }));
    }
    Ok(game.scene().to_text())
}

fn analyse<G: Playable>(args: &Args, game: GameName, spec: &EvaluatorSpec) -> anyhow::Result<ExitCode> {
    let mut analyst = Analyst::<G>::for_game(game.name(), spec, device::parse(&args.device)?)?;
    let simulations = args.simulations.unwrap_or(SIMULATIONS);
    if args.stream {
        let usual = TreeDeskSettings::default();
        let settings = TreeDeskSettings {
            at_once: args.at_once.map_or(usual.at_once, usize::from),
            simulations,
            ..usual
        };
        return stream::run(TreeDesk::new(analyst, game.rules::<G>(), settings));
    }
    let asked = Asked::<G>::new(args, game, TABLE)?;
    let mut analysis = analyst.analysis(asked.game, asked.request.limits(simulations)?);
    let stop = signals::stop_flag("stopping")?;
    analyst.run_until(&mut analysis, &stop)?;
    let report = analysis.report(&asked.request.report_options());
    print(args, analysis.game(), &report, analyst.name())
}

fn analyse_lines<G: Playable>(args: &Args, game: GameName, spec: &NnueSpec) -> anyhow::Result<ExitCode> {
    let nodes = args.nodes.unwrap_or(LineAnalyst::<G>::NODES);
    if args.stream {
        let at_once = args.at_once.map(usize::from);
        let at_once = at_once.or_else(|| thread::available_parallelism().ok().map(usize::from));
        let desk = LineDesk::<G>::new(spec, game.name(), game.rules::<G>(), at_once.unwrap_or(1), nodes)?;
        return stream::run(desk);
    }
    let mut analyst = LineAnalyst::<G>::new(spec, game.name())?;
    let asked = Asked::<G>::new(args, game, LineAnalyst::<G>::ACTIONS)?;
    let limits = asked.request.line_limits(nodes)?;
    let stop = signals::stop_flag("stopping")?;
    let options = asked.request.report_options();
    let report = analyst.analyse(&asked.game, &limits, &options, &stop, &mut |_| ());
    print(args, &asked.game, &report, analyst.name())
}

/// The position that the command line asks about.
struct Asked<G: Playable> {
    game: G,
    request: Request,
}

impl<G: Playable> Asked<G> {
    /// Reads the position; the table lists this many actions.
    fn new(args: &Args, game: GameName, table: usize) -> anyhow::Result<Self> {
        let rules = cli::rules::<G>(args.rules.as_deref(), game.rules::<G>())?;
        cli::position::<G>("--position <POSITION>", args.position.as_deref(), &rules)?;
        let moves = MoveList::new(args.moves.as_deref().unwrap_or_default(), game)?;
        let request = Request {
            position: args.position.clone(),
            moves: moves.actions(),
            rules: Some(G::rules_text(&rules)),
            simulations: args.simulations,
            nodes: args.nodes,
            milliseconds: args.milliseconds,
            top: args.top.or((!args.json).then_some(table)),
            lines: args.lines,
            ..Request::default()
        };
        let game = G::requested(&request, &rules).map_err(|error| moves.refuse(error))?;
        Ok(Self { game, request })
    }
}

fn print<G: Playable>(args: &Args, game: &G, report: &AnalysisReport, evaluator: &str) -> anyhow::Result<ExitCode> {
    if args.json {
        cli::print(serde_json::to_string_pretty(&Whole { evaluator, report })?)?;
    } else {
        cli::print(table::of(&board(game)?, report, evaluator).trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}
