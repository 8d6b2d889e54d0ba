//! `chase selfplay`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::bail;
use chase_arena::{PlayerSpec, SearchSpec};
use chase_engine::Playable;
use chase_engine::with_game;
use chase_models::shipped;
use chase_training::config::Config;
use chase_training::data_set::{DataSet, DataSetProgress};
use chase_training::kinds::NetworkKind;
use chase_training::settings::Setting;
use chase_training::store::run_dir::CONFIG_FILE;
use chase_training::store::run_kind::RunKind;
use chase_training::training_loop::checkpoint_folder;
use serde_json::json;

use crate::cli::ConfigText;
use crate::output::Output;
use crate::{cli, signals};

/// Time between two lines of progress in JSON.
const PERIOD: Duration = Duration::from_secs(5);

/// Play self-play games of one network, as data for learners
///
/// The games are those of `chase train`: the same search, noise, random openings, groups, seeds and Parquet files,
/// without learning. They are the same on any number of threads. Ctrl-C stops and loses the groups in progress;
/// --resume plays the rest, or more games than before.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase selfplay agent-71 --games 2000
  chase selfplay runs/night --games 10000 --simulations 16 --run-dir data/night --threads 2
  chase selfplay models/agents/agent-61 --games 500 --set selfplay.random_opening_share=0.8
  chase selfplay --resume data/night --games 20000")]
pub struct Args {
    /// The network: agent-71, a checkpoint, or a run (its newest checkpoint is used)
    #[arg(value_name = "NETWORK", value_parser = cli::checkpoint, required_unless_present = "resume", conflicts_with = "resume")]
    network: Option<PathBuf>,
    /// Number of games [default: selfplay.games of the settings]
    #[arg(long, value_parser = cli::whole(1..=Config::MOST_GAMES))]
    games: Option<u32>,
    /// Simulations of a full search, for each ply [default: search.simulations of the settings]
    #[arg(long, value_parser = cli::whole::<u32>(1..=u32::MAX), conflicts_with = "resume")]
    simulations: Option<u32>,
    /// Directory of the games, which must not exist [default: runs/NETWORK-games, then with -2, -3, …]
    #[arg(long, value_name = "DIR", value_parser = cli::directory(), conflicts_with = "resume")]
    run_dir: Option<PathBuf>,
    /// Continue the games in this directory
    #[arg(long, value_name = "DIR", value_parser = cli::directory())]
    resume: Option<PathBuf>,
    /// Settings in TOML, as for `chase train` [default: those of the network's run]
    ///
    /// Settings of the network and of the learner have no effect.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    config: Option<PathBuf>,
    /// Change one setting, such as selfplay.group_games=64; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<Setting>,
    /// Random seed
    #[arg(long, value_parser = cli::seed, conflicts_with = "resume")]
    seed: Option<u64>,
    /// Threads, 0 for one per core
    ///
    /// Threads beyond the number of groups of games are idle.
    #[arg(long, value_parser = cli::threads)]
    threads: Option<usize>,
    /// Device of the network: auto, cpu, cuda or cuda:N
    #[arg(long, value_parser = cli::device)]
    device: Option<String>,
    /// Print progress as JSON lines
    #[arg(long)]
    json: bool,
    /// Print only warnings and the final result
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut settings = args.settings.clone();
    cli::add_option(&mut settings, "--games", "selfplay.games", args.games);
    cli::add_option(&mut settings, "--simulations", "search.simulations", args.simulations);
    cli::add_short_settings(&mut settings, args.seed, args.threads, args.device.as_deref());
    if let Some(directory) = &args.resume {
        RunKind::expect(directory, &[RunKind::DataSet])?;
        let file = directory.join(CONFIG_FILE);
        let config = Config::load(Some(ConfigText::read(&file)?.source()), &[])?;
        return with_game!(config.game, G => {
            play(args, directory, DataSet::<G>::resume(directory, &settings)?)
        });
    }
    let Some(network) = &args.network else {
        bail!("expected a network");
    };
    let folder = checkpoint_folder(network, NetworkKind::Residual)?;
    let text = match &args.config {
        Some(file) => Some(ConfigText::read(file)?),
        None => own_settings(network, &folder)?,
    };
    let source = text.as_ref().map(ConfigText::source);
    let first = match source {
        None => {
            let player = PlayerSpec::from(SearchSpec::residual(&folder));
            player.game().map(|game| Setting::from(format!("game={game}")))
        }
        // Its own settings have the precision that was best on the machine of its training.
        Some(_) if args.config.is_none() && shipped::is_shipped(network) => Some("precision=auto".into()),
        Some(_) => None,
    };
    // First, so that --set can still say otherwise, and be refused with the reason.
    settings.splice(..0, first);
    let config = Config::load(source, &settings)?;
    let name = network.file_name().unwrap_or(network.as_os_str()).to_string_lossy();
    let name = format!("{name}-games");
    let directory = args.run_dir.clone().unwrap_or_else(|| cli::new_directory(&name));
    with_game!(config.game, G => play(args, &directory, DataSet::<G>::create(&directory, &folder, config)?))
}

/// The configuration that lies with a network: in its run, or in the folder of the checkpoint itself.
fn own_settings(network: &Path, checkpoint: &Path) -> anyhow::Result<Option<ConfigText>> {
    if let Some(text) = shipped::config(network) {
        return Ok(Some(ConfigText {
            name: network.display().to_string(),
            text: text.to_owned(),
        }));
    }
    let file = network.join(CONFIG_FILE);
    match file.is_file() {
        true => ConfigText::read(&file).map(Some),
        false => ConfigText::of_run(checkpoint),
    }
}

fn play<G: Playable>(args: &Args, directory: &Path, set: DataSet<G>) -> anyhow::Result<ExitCode> {
    let stop = signals::stop_flag("stopping")?;
    let output = Output::new(
        args.json,
        args.quiet,
        set.config().selfplay.games.into(),
        "[{bar:30}] {pos}/{len} games{msg} (left: {eta})",
    );
    let object = |event: &str, progress: &DataSetProgress| {
        json!({
            "event": event,
            "games": progress.games,
            "of": progress.of,
            "plies": progress.plies,
            "evaluations": progress.evaluations,
            "rows": progress.rows,
        })
    };
    output.tell(&json!({"event": "started", "directory": directory}));
    let begin = Instant::now();
    let mut next = PERIOD;
    let progress = set.play(
        &stop,
        |progress| {
            output.bar.set_position(progress.games);
            let speed = progress.plies as f64 / begin.elapsed().as_secs_f64();
            output.bar.set_message(format!(", {} plies/s", cli::rate(speed)));
            if begin.elapsed() >= next {
                next = begin.elapsed() + PERIOD;
                output.tell(&object("playing", progress));
            }
        },
        |warning| output.warn(&warning),
    )?;
    output.bar.finish_and_clear();
    let stopped = stop.load(Ordering::Relaxed) && progress.games < progress.of;
    if args.json {
        let mut object = object("ended", &progress);
        object["reason"] = if stopped { "stopped" } else { "done" }.into();
        object["directory"] = directory.display().to_string().into();
        cli::print(object)?;
    } else {
        cli::print(format_args!(
            "{} of {} games, {} rows to train on: {}",
            progress.games,
            progress.of,
            progress.rows,
            directory.display()
        ))?;
        if stopped {
            cli::print(cli::continuation("selfplay", directory, ""))?;
        }
    }
    Ok(signals::ended(stopped))
}
