//! `chase balance`

mod words;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use chase_balance::{
    AgentEntry, BalanceConfig, BalanceWatch, Plan, Study, UnitProgress, estimates, run_agent, write_report,
};
use chase_cluster::Cluster;
use chase_engine::{GameName, with_game};
use chase_report::number;
use chase_training::settings::{cores, thread_count};
use chase_training::store::run_kind::RunKind;

use crate::cli::{Outcome, RunArgs};
use crate::output::Output;
use crate::{cli, signals};

/// Compare the balance of games and rule variants by agents of equal budget
///
/// Trains several agents for each game, all with the same budget of self-play positions, and measures them: the first
/// player's score at two search budgets, draws, length, branching, good first moves, diversity of openings, and how
/// many classes of strength lie between random play and the trained agent. Intervals have agents as their units.
/// Variants of draughts are compared by capture rule, topology and numbered men: each comparison says that they differ,
/// or do not differ by more than a margin, or that this is undecided.
///
/// A study lives in one directory: training runs, games, balance.json, games.parquet and a page (report.html). Ctrl-C
/// stops it, a second Ctrl-C at once. --resume continues it exactly, however it ended. configs/balance.toml has every
/// key with its meaning.
#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  chase balance configs/balance.toml
  chase balance --games checkers,stax,connect-four --seeds 2 --set rows=5000
  chase balance configs/balance.toml --seeds 5 --set margins.score=0.05 --run-dir runs/draughts
  chase balance configs/balance.toml --dry-run
  chase balance --resume runs/draughts --threads 8 --json
  chase balance configs/balance.toml --cluster nats://localhost:4222"
)]
pub struct Args {
    #[command(flatten)]
    config: cli::ConfigArgs,
    /// The games, separated by commas (same as --set games=[…]) [default: both kinds of chess, the 18
    /// draughts games, connect-four and chase]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "resume")]
    games: Vec<GameName>,
    /// Agents trained for each game, each with its own seed (same as --set agents=N) [default: 3]
    #[arg(long, value_name = "N", value_parser = cli::whole(1..=BalanceConfig::MOST_AGENTS), conflicts_with = "resume")]
    seeds: Option<u32>,
    /// Continue the study in this directory
    #[arg(long, value_name = "DIR", value_parser = cli::directory(), conflicts_with_all = ["file", "config", "run_dir", "seed", "device"])]
    resume: Option<PathBuf>,
    /// Directory of the new study, which must not hold others [default: runs/balance-SEED, then with -2, -3, …]
    #[arg(long, value_name = "DIR", value_parser = cli::directory())]
    run_dir: Option<PathBuf>,
    /// Print the resolved configuration, the power and the estimated time, and stop
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut settings = args.run.all_settings();
    if !args.games.is_empty() {
        let names: Vec<String> = args.games.iter().map(|game| format!("{:?}", game.name())).collect();
        settings.push(format!("games=[{}]", names.join(", ")).into());
    }
    cli::add_option(&mut settings, "--seeds", "agents", args.seeds);
    // Before the directory: a study that cannot begin should leave nothing behind.
    let cluster = args.run.cluster.connect()?;
    let study = match &args.resume {
        Some(directory) => {
            RunKind::expect(directory, &[RunKind::Balance])?;
            Study::resume(directory, &settings)?
        }
        None => {
            let text = args.config.read()?;
            let config = BalanceConfig::load(text.as_ref().map(cli::ConfigText::source), &settings)?;
            if args.dry_run {
                return dry_run(&config, args.run.json);
            }
            let name = format!("{}-{}", args.config.stem("balance"), config.seed);
            let directory = args.run_dir.clone().unwrap_or_else(|| cli::new_directory(&name));
            Study::create(&directory, config)?
        }
    };
    conduct(args, &study, cluster.as_ref())
}

/// Prints what a study would do; as JSON, its settings.
fn dry_run(config: &BalanceConfig, json: bool) -> anyhow::Result<ExitCode> {
    cli::print_settings(config, json)?;
    if json {
        return Ok(ExitCode::SUCCESS);
    }
    cli::print("")?;
    for line in words::plan(&Plan::new(config), config) {
        cli::print(line)?;
    }
    cli::print(estimate_line(config, &estimates(config, &config.units())?))?;
    Ok(ExitCode::SUCCESS)
}

fn estimate_line(config: &BalanceConfig, seconds: &[f64]) -> String {
    let all: f64 = seconds.iter().sum();
    let threads = thread_count(config.threads).min(cores());
    format!(
        "{} agents to train and measure: about {} of one core, about {} with {threads} threads, if no one else uses them",
        seconds.len(),
        number::duration(all),
        number::duration(all / threads as f64),
    )
}

/// Trains and measures all agents that are not finished, and reports.
fn conduct(args: &Args, study: &Study, cluster: Option<&Cluster>) -> anyhow::Result<ExitCode> {
    let config = study.config();
    cli::use_threads(config.threads)?;
    let stop = signals::stop_flag("stopping")?;
    let mut open = Vec::new();
    for entry in config.units() {
        if study.agent(entry)?.is_none() {
            open.push(entry);
        }
    }
    let silent = args.run.json || args.run.quiet;
    // How fast the workers are is not known: one agent takes as long as another.
    let seconds = match cluster {
        Some(_) => vec![1.0; open.len()],
        None => estimates(config, &open)?,
    };
    if !silent && !open.is_empty() && cluster.is_none() {
        cli::note(estimate_line(config, &seconds));
    }
    let output = Output::new(false, silent, 0, "{prefix} [{bar:24}] {pos}/{len} {msg}");
    let on_progress = |progress| {
        let UnitProgress { entry, phase, done, of } = progress;
        output.bar.set_prefix(format!("{} {}", entry.game, entry.agent));
        output.bar.set_length(of);
        output.bar.set_position(done);
        output.bar.set_message(phase);
    };
    let watch = BalanceWatch {
        cluster,
        stop: &stop,
        on_progress: &on_progress,
        on_warning: &|text| output.warn(text),
    };
    let (all, began) = (config.units().len(), Instant::now());
    let mut stopped = false;
    for (index, &entry) in open.iter().enumerate() {
        let Some(report) = with_game!(entry.game, G => run_agent::<G>(study, entry, &watch))? else {
            stopped = true;
            break;
        };
        study.finish_agent(entry, &report)?;
        // What is left by the estimates and the time that was needed so far.
        let (done, open) = seconds.split_at(index + 1);
        let number = all - open.len();
        let [done, left]: [f64; 2] = [done, open].map(|seconds| seconds.iter().sum());
        let left = number::duration(began.elapsed().as_secs_f64() * left / done.max(f64::MIN_POSITIVE));
        let score = report.budgets[1].score;
        let score = score.map_or(number::NONE.to_owned(), |score| number::percent(score.value));
        let AgentEntry { game, agent, .. } = entry;
        output.say(format_args!(
            "{number} of {all}: {game} agent {agent}, first player {score}, about {left} left"
        ));
    }
    output.bar.finish_and_clear();
    let (report, page) = write_report(study)?;
    let outcome = Outcome {
        command: "balance",
        directory: study.path(),
        report: &page,
        stopped,
    };
    outcome.print(&args.run, "balance", &report, &words::in_words(&report))?;
    Ok(signals::ended(stopped))
}
