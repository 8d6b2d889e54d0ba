//! `chase book`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chase_engine::Playable;
use chase_engine::with_game;
use chase_opening_book::{Book, BookConfig, BookFolder, BookMove, BookProgress, BookStage, BookWatch, build, write};
use chase_training::settings::{Setting, Settings};
use chase_training::store::run_kind::RunKind;
use serde_json::json;

use crate::output::Output;
use crate::{cli, columns, signals};

/// Build an opening book: first moves, the best replies to them, and so on
///
/// A scout searches the position after every legal move; judges search those after the best of them. The best by the
/// judges are followed, ply by ply, and scores are backed up by minimax, with the least and the greatest score that any
/// judge gives. Judges of both kinds show where opinions that share nothing agree.
///
/// Then challengers try to break the best moves: what a move holds is the score that is left after the best reply that
/// anyone found. Finally, a contest plays games after the best first moves, until only one of them can be the best.
///
/// A book lives in one directory: judged positions, book.json, book.parquet and a page (report.html). Ctrl-C stops it;
/// --resume continues it exactly, however it ended.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase book
  chase book --set plies=6 --set width=3 --set margin=0.03 --run-dir runs/deep-book
  chase book --scout nnue-57,nodes=1000 --judge nnue-57,nodes=20000 --judge agent-41,simulations=400
  chase book --challenger nnue-57,ms=2000 --set contest.most=2000
  chase book --challenger none --set contest.moves=0
  chase book --game connect-four --scout runs/four,simulations=50 --judge runs/four,simulations=800
  chase book --resume runs/deep-book --threads 8
  chase book configs/book.toml --json")]
pub struct Args {
    #[command(flatten)]
    config: cli::ConfigArgs,
    /// The game [default: chase]
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    game: Option<String>,
    /// Player that looks at every legal move [default: nnue-57,nodes=2000]
    #[arg(long, value_name = "PLAYER", conflicts_with = "resume")]
    scout: Option<String>,
    /// Player that judges the best of them; may be repeated (same as --set judges=[…])
    /// [default: nnue-57,nodes=50000 and agent-41,simulations=200]
    #[arg(long, value_name = "PLAYER", conflicts_with = "resume")]
    judge: Vec<String>,
    /// Player that tries to refute the best moves, or `none`; may be repeated (same as --set challengers=[…]) [default:
    /// nnue-57,nodes=500000 and agent-41,simulations=1000]
    #[arg(long, value_name = "PLAYER", conflicts_with = "resume")]
    challenger: Vec<String>,
    /// Continue the book in this directory
    #[arg(long, value_name = "DIR", value_parser = cli::directory(), conflicts_with_all = ["file", "config", "run_dir"])]
    resume: Option<PathBuf>,
    /// Change one setting, such as plies=6; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<Setting>,
    /// Directory of the new book, which must not hold others [default: runs/book-1, or with -2, -3, …]
    #[arg(long, value_name = "DIR", value_parser = cli::directory())]
    run_dir: Option<PathBuf>,
    /// Threads, 0 for one per core
    ///
    /// Without limits of time, results on a CPU do not depend on it.
    #[arg(long, value_parser = cli::threads)]
    threads: Option<usize>,
    /// Device of the networks: auto, cpu, cuda or cuda:N
    #[arg(long, value_parser = cli::device)]
    device: Option<String>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Print only warnings and the result
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut settings = args.settings.clone();
    let list = |players: &[String]| {
        let players: Vec<String> = players.iter().map(cli::quoted).collect();
        (!players.is_empty()).then(|| format!("[{}]", players.join(", ")))
    };
    let challengers = match &args.challenger[..] {
        [none] if none == "none" => Some("[]".to_owned()),
        players => list(players),
    };
    cli::add_option(&mut settings, "--game", "game", args.game.as_ref().map(cli::quoted));
    cli::add_option(&mut settings, "--scout", "scout", args.scout.as_ref().map(cli::quoted));
    cli::add_option(&mut settings, "--judge", "judges", list(&args.judge));
    cli::add_option(&mut settings, "--challenger", "challengers", challengers);
    cli::add_short_settings(&mut settings, None, args.threads, args.device.as_deref());
    let folder = match &args.resume {
        Some(directory) => {
            RunKind::expect(directory, &[RunKind::Book])?;
            BookFolder::resume(directory, &settings)?
        }
        None => create(args, &settings)?,
    };
    cli::use_threads(folder.config().threads)?;
    with_game!(folder.config().game, G => conduct::<G>(args, &folder))
}

fn create(args: &Args, settings: &[Setting]) -> anyhow::Result<BookFolder> {
    let text = args.config.read()?;
    let config = BookConfig::load(text.as_ref().map(cli::ConfigText::source), settings)?;
    let directory = args.run_dir.clone().unwrap_or_else(|| cli::new_directory("book-1"));
    Ok(BookFolder::create(&directory, config)?)
}

fn conduct<G: Playable>(args: &Args, folder: &BookFolder) -> anyhow::Result<ExitCode> {
    let stop = signals::stop_flag("stopping after the current positions")?;
    let template = "{prefix} [{bar:24}] {pos}/{len}, {eta} left";
    let output = Output::new(false, args.json || args.quiet, 0, template);
    let on_progress = |progress: BookProgress| {
        let BookProgress { stage, done, of } = progress;
        let name = match stage {
            BookStage::Ply(ply) => format!("ply {}", ply + 1),
            BookStage::Challenges => "challenges".to_owned(),
            BookStage::Contest => "contest".to_owned(),
        };
        output.bar.set_prefix(name.clone());
        output.bar.set_length(of as u64);
        output.bar.set_position(done as u64);
        if done == of {
            let things = match stage {
                BookStage::Contest => "pairs of games",
                _ => "positions",
            };
            output.log(format_args!("{name}: {of} {things}"));
        }
    };
    let watch = BookWatch {
        stop: &stop,
        on_progress: &on_progress,
    };
    let built = build::<G>(folder, watch);
    output.bar.finish_and_clear();
    let Some(content) = built? else {
        return cli::interrupted(args.json, &cli::continuation("book", folder.path(), ""));
    };
    let (book, page) = write::<G>(folder, content)?;
    if args.json {
        let shown = json!({ "directory": folder.path(), "report": page, "book": book });
        cli::print_json(&shown)?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&book, folder.path(), &page)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the first moves, best first, each with its line.
fn print(book: &Book, directory: &Path, page: &Path) -> anyhow::Result<()> {
    let percent = |score: f64| format!("{:.1}", 100.0 * score);
    let row = |(choice, step): (usize, &BookMove)| {
        let [mean, ends] = step.backed.map_or(["–".to_owned(), String::new()], |range| {
            let ends = format!("[{}, {}]", percent(range.low), percent(range.high));
            [percent(range.mean), ends]
        });
        let judged = step.judged().map_or("–".to_owned(), |range| percent(range.mean));
        [
            step.text.clone(),
            mean,
            ends,
            judged,
            step.held.map_or("–".to_owned(), percent),
            book.line(0, choice).actions.join(" "),
        ]
    };
    if let Some(first) = book.positions.first() {
        let headings = ["move", "%", "of judges", "judged", "held", "line"];
        let rows = first.moves.iter().enumerate().map(row);
        columns::table(headings, rows, &[5, 3, 2])
            .into_iter()
            .try_for_each(cli::print)?;
    }
    if let Some(contest) = &book.contest {
        let games: u64 = contest.moves.iter().map(|step| 2 * step.score.n).sum();
        let possible = contest.possible().join(", ");
        cli::print(format_args!("contest    {games} games; can be the best: {possible}"))?;
    }
    cli::print(format_args!("{} positions", book.positions.len()))?;
    cli::print_places(page, directory)
}
