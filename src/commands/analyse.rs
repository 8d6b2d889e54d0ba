//! `chase analyse`

mod stream;
pub mod table;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::bail;
use chase_arena::analysis::{AnalysisReport, Desk, DeskSettings, ReportOptions, Request};
use chase_arena::{
    Agent, Contestant, Decision, EvaluatorSpec, PlayerSpec, SearchKind, SearchLimits, SearchSpec, SearchTask, Unit,
    Usage,
};
use chase_engine::{GameName, Playable, with_game};
use chase_models::shipped;
use chase_statistics::generator;
use serde::Serialize;

use crate::commands::play::texts::{self, View};
use crate::move_list::MoveList;
use crate::program::Program;
use crate::{become_whole, cli, signals};

/// Search a position for its best action, and evaluate every action
///
/// Values are for the player to move: Q and value go from -1 (a certain loss) to 1 (a certain win). Any player that
/// searches can be asked, with its own evaluator and search; without one, the strongest built-in agent answers. Ctrl-C
/// ends a long search and prints the results so far.
///
/// Alpha-beta, as of nnue-57, counts nodes: --nodes limits it, not --simulations, and it has values only for the
/// actions that it lists.
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
    /// The player that searches, such as runs/quick-1 [default: nnue-57; with --simulations or --stream agent-71; in
    /// games other than Chase rollouts]
    ///
    /// Its limits hold where the command line sets none.
    #[arg(value_name = "PLAYER", value_parser = judge)]
    player: Option<SearchSpec>,
    /// The game [default: that of the network, else chase]
    #[arg(long, value_name = "NAME")]
    game: Option<GameName>,
    /// The position (for Chase in CFEN, see chase --help) [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Actions to play from there first, separated by blanks; for Chase in exact (A3NW) or article form (A3D2)
    ///
    /// Numbers of moves, such as 1., are ignored.
    #[arg(long, value_name = "ACTIONS")]
    moves: Option<String>,
    /// Conventions of draws and length, each a number of turns or off [default: repetition 3, quiet 100, length 400]
    #[arg(long)]
    rules: Option<String>,
    /// Simulations of a tree search, 0 for the bare evaluator [default: 800, or as many as the time allows]
    #[arg(long, value_name = "N", value_parser = cli::whole::<u32>(0..=u32::MAX), conflicts_with = "nodes")]
    simulations: Option<u32>,
    /// Nodes of an alpha-beta search [default: 1000000, or as many as the time allows]
    #[arg(long, value_name = "N", value_parser = cli::whole::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,
    /// Stop after this many milliseconds
    #[arg(long, value_name = "T", value_parser = cli::whole::<u64>(1..=1_000_000_000))]
    milliseconds: Option<u64>,
    /// List this many actions, the best ones [default: all in JSON, else 10; 5 with alpha-beta]
    #[arg(long, value_name = "N", value_parser = cli::whole::<usize>(1..=1_000_000))]
    top: Option<usize>,
    /// For each action listed, also give the line expected after it
    #[arg(long)]
    lines: bool,
    /// Where a network computes: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "cpu", value_parser = cli::device)]
    device: String,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Answer requests from standard input
    #[arg(long, conflicts_with_all = ["position", "moves", "rules", "milliseconds", "top", "lines", "json"])]
    stream: bool,
    /// With --stream: the most requests that are searched at the same time [default: one per core]
    #[arg(long, value_name = "N", requires = "stream", value_parser = cli::whole::<u16>(1..=4096))]
    at_once: Option<u16>,
}

/// Number of actions in the table.
const TABLE: usize = 10;
/// The same with alpha-beta, which searches for each.
const TABLE_OF_LINES: usize = 5;
/// Most bytes of the trees of all requests together.
const MEMORY: usize = 1 << 30;

/// Output of --json.
#[derive(Serialize)]
struct Whole<'a> {
    evaluator: &'a str,
    #[serde(flatten)]
    report: &'a AnalysisReport,
}

/// Parses a player that can be asked about positions.
pub fn judge(text: &str) -> Result<SearchSpec, String> {
    let player: PlayerSpec = text.parse().map_err(|error| format!("{error}"))?;
    let spec = player
        .search()
        .ok_or("expected a player that searches, such as agent-71, nnue-57 or rollouts")?;
    match *spec == spec.as_judge(spec.limits) {
        true => Ok(spec.clone()),
        false => Err("expected a player without chance, since an analysis says what is best".to_owned()),
    }
}

/// The game, and the player that searches.
fn judge_of(args: &Args) -> (GameName, SearchSpec) {
    let of_network = || PlayerSpec::from(args.player.clone()?).game();
    let game = args.game.or_else(of_network).unwrap_or(GameName::Chase);
    let spec = match &args.player {
        Some(spec) => spec.clone(),
        None if game == GameName::Chase && args.simulations.is_none() && !args.stream => {
            SearchSpec::updatable(chase_nnue::shipped::NAME)
        }
        None => usual_judge(game),
    };
    (game, spec)
}

pub fn run<P: Program>(args: &Args) -> anyhow::Result<ExitCode> {
    let (game, spec) = judge_of(args);
    if !P::suffices(&[&spec.clone().into()], &args.device) {
        return Err(become_whole());
    }
    match spec.search.form().unit {
        Unit::Simulations if args.nodes.is_some() => bail!("{spec} counts simulations: use --simulations"),
        Unit::Nodes if args.simulations.is_some() => bail!("{spec} counts nodes: use --nodes"),
        _ => with_game!(game, G => analyse::<G, P>(args, game, &spec)),
    }
}

/// What analyses positions of a game by simulations where no player is named.
pub fn usual_judge(game: GameName) -> SearchSpec {
    match game {
        GameName::Chase => SearchSpec::residual(shipped::NAME),
        _ => SearchSpec::new(EvaluatorSpec::Rollouts { games: 1 }, SearchKind::Puct),
    }
}

fn analyse<G: Playable, P: Program>(args: &Args, game: GameName, spec: &SearchSpec) -> anyhow::Result<ExitCode> {
    let form = spec.search.form();
    let limits = spec.limits.or_nodes(form.analysis);
    // What the command line says holds instead of the player's own limits.
    let player = PlayerSpec::from(spec.as_judge(SearchLimits::default()));
    let contestant: Contestant<G> = P::ready(&player, game, &args.device, Usage::Analysis)?;
    if args.stream {
        let given = args.simulations.map(u64::from).or(args.nodes);
        let at_once = args.at_once.map(usize::from);
        let at_once = at_once.or_else(|| thread::available_parallelism().ok().map(usize::from));
        let settings = DeskSettings {
            unit: form.unit,
            usual: given.map_or(limits, SearchLimits::nodes),
            at_once: at_once.unwrap_or(1),
            memory: MEMORY,
        };
        return stream::run(Desk::new(contestant, game.rules::<G>(), settings));
    }
    let table = match form.unit {
        Unit::Nodes => TABLE_OF_LINES,
        Unit::Simulations => TABLE,
    };
    let (position, request) = asked::<G>(args, game, table)?;
    let limits = request.limits(form.unit, limits)?;
    let stop = signals::stop_flag("stopping")?;
    let report = report(
        &mut *contestant.agent(),
        &position,
        limits,
        request.report_options(),
        &stop,
    )?;
    let evaluator = contestant.name();
    let whole = Whole {
        evaluator,
        report: &report,
    };
    cli::print_result(args.json, &whole, || {
        let view = View {
            color: cli::When::Auto.paints(),
            flip: false,
        };
        table::of(&texts::board(&position, None, view), &report, evaluator)
    })?;
    Ok(signals::ended(stop.load(Ordering::Acquire)))
}

/// What a player that searches says of a position.
pub fn report<G: Playable>(
    agent: &mut dyn Agent<G>,
    position: &G,
    limits: SearchLimits,
    options: ReportOptions,
    stop: &AtomicBool,
) -> anyhow::Result<AnalysisReport> {
    let mut unwatched = |_: &AnalysisReport| ();
    let mut task = SearchTask::new(limits, options, stop, &mut unwatched);
    // Nothing is drawn in an analysis but what breaks ties.
    let mut rng = generator(0, &[]);
    let (_, report) = agent.search(Decision::without_past(position, &mut rng), &mut task)?;
    Ok(report)
}

/// The position that the command line asks about; the table lists this many actions.
fn asked<G: Playable>(args: &Args, game: GameName, table: usize) -> anyhow::Result<(G, Request)> {
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
    let game = request.game::<G>(&rules).map_err(|error| moves.refuse(error))?;
    Ok((game, request))
}
