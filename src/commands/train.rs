//! `chase train`

mod console;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use chase_arena::remote;
use chase_arena::runs;
use chase_arena::{NetworkEvaluation, Rated};
use chase_engine::GameName;
use chase_models::device::DeviceError;
use chase_report::number;
use chase_training::events::Ended;
use chase_training::game_record::Purpose;
use chase_training::kinds::{KindSettings, NetworkKind};
use chase_training::selfplay;
use chase_training::settings::{Change, ConfigError, Setting, SettingPlace, Settings};
use chase_training::store::RunSettings;
use chase_training::store::run_dir::CONFIG_FILE;
use chase_training::store::run_kind::RunKind;
use chase_training::training_loop::Training;
use chase_training::with_kind;

use crate::cli::RunArgs;
use crate::{cli, signals};
use console::Console;

/// The progress bar of a phase.
const BAR: &str = "{prefix} [{bar:30}] {pos}/{len} {msg} (left: {eta})";

/// Train an agent by self-play, and report its strength and its opinion of the openings
///
/// A run lives in one directory: configuration, checkpoints, games, metrics (JSON lines and TensorBoard), evaluations,
/// opening statistics, and at the end a page, report.html. Ctrl-C stops and loses the groups of games in progress, a second
/// Ctrl-C stops at once. --resume continues a run exactly, however it ended.
///
/// Without a configuration training starts with the defaults of the game, which --dry-run prints: for Chase 100
/// generations.
///
/// A configuration that begins with kind = "nnue" trains an efficiently updatable network, for alpha-beta search. It
/// learns on the CPU, and is for games that offer sparse inputs: chase, chess and chess-cyl.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase train configs/quick.toml
  chase train --game stax-uni --set limits.minutes=10
  chase train configs/cpu.toml --set limits.minutes=120 --seed 7 --run-dir runs/night
  chase train --resume runs/night --set limits.minutes=240
  chase train --branch runs/night --set learner.rate=0.001 --set limits.minutes=300
  chase train --refit runs/night --set network.blocks=6 --set network.channels=64
  chase train configs/nnue.toml --set data='[\"runs/night\"]'
  chase train configs/cpu.toml --cluster nats://localhost:4222
  chase train configs/quick.toml --dry-run")]
pub struct Args {
    #[command(flatten)]
    config: cli::ConfigArgs,
    /// The game [default: chase]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["resume", "branch", "refit"])]
    game: Option<GameName>,
    /// Continue the run in this directory
    ///
    /// Settings that --set changes (limits, threads, device, how often it is measured and evaluated, what it keeps)
    /// stay changed.
    #[arg(long, value_name = "DIR", value_parser = cli::directory(), conflicts_with_all = ["file", "config", "run_dir"])]
    resume: Option<PathBuf>,
    /// Start a new run from the current state of the run in this directory
    ///
    /// It begins with the weights, games and settings of the old run, changed by --set. The generations, games and
    /// minutes of the old run count towards the limits.
    #[arg(long, value_name = "DIR", value_parser = cli::directory(), conflicts_with_all = ["file", "config", "resume"])]
    branch: Option<PathBuf>,
    /// Start a new run that first learns the games of the run in this directory with a new network
    ///
    /// --set may enlarge the network; the other settings are those of the old run. The run then continues if its limits
    /// allow more than the old run has done.
    #[arg(long, value_name = "DIR", value_parser = cli::directory(), conflicts_with_all = ["file", "config", "resume", "branch"])]
    refit: Option<PathBuf>,
    /// Directory of the new run, which must not exist [default: runs/CONFIGURATION-SEED]
    ///
    /// A branch or refit is named after the old run, with -branch or -refit. A directory that exists is left alone: -2,
    /// -3, … is added to the name.
    #[arg(long, value_name = "DIR", value_parser = cli::new_run())]
    run_dir: Option<PathBuf>,
    /// Print the resolved configuration and stop
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    run: RunArgs,
}

impl Args {
    /// The run that this one begins with, if there is one, and how.
    fn trunk(&self) -> Option<(&Path, Change)> {
        let ways = [
            (&self.resume, Change::Resume),
            (&self.branch, Change::Branch),
            (&self.refit, Change::Refit),
        ];
        ways.into_iter()
            .find_map(|(run, change)| Some((run.as_deref()?, change)))
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let text = match args.trunk() {
        Some((run, _)) => {
            RunKind::expect(run, &[RunKind::Training])?;
            Some(cli::ConfigText::read(&run.join(CONFIG_FILE))?)
        }
        None => args.config.read()?,
    };
    let source = text.as_ref().map(cli::ConfigText::source);
    let kind = source.map_or(NetworkKind::Residual, |(_, text)| NetworkKind::of_settings(text));
    let settings = settings(args, kind)?;
    with_kind!(kind, S => read::<S>(args, source, &settings)?.game, K => train::<K>(args, source, &settings))
}

/// All settings of the command line.
fn settings(args: &Args, kind: NetworkKind) -> anyhow::Result<Vec<Setting>> {
    let mut settings = args.run.all_settings();
    if let Some(device) = args.run.device.as_ref().filter(|_| !kind.facts().on_devices) {
        let name = kind.facts().name;
        bail!("--device {device}: networks of the kind {name} learn and play on the CPU alone");
    }
    if let Some(game) = args.game {
        let again = settings.iter().find(|setting| setting.key() == Some("game"));
        if let Some(again) = again {
            bail!(
                "--game {game} and --set {} are the same setting: expected one of them",
                again.text()
            );
        }
        settings.push(Setting::of_option("--game", "game", game));
    }
    Ok(settings)
}

/// A configuration, by its name and text.
type Source<'a> = Option<(&'a str, &'a str)>;

/// The settings of the run: for a new one as they are, and those of the old run, changed, for others.
fn read<S: Settings>(args: &Args, source: Source<'_>, settings: &[Setting]) -> Result<S, ConfigError> {
    match (source, args.trunk()) {
        (Some(source), Some((_, change))) => S::changed(source, settings, change),
        _ => S::load(source, settings),
    }
}

fn train<K: Rated>(args: &Args, source: Source<'_>, settings: &[Setting]) -> anyhow::Result<ExitCode> {
    let config = read::<K::Settings>(args, source, settings)?;
    // A run survives an evaluation that fails, but should not begin with one that cannot succeed.
    NetworkEvaluation::check::<K>(&config)
        .map_err(|error| anyhow!("{}{error}", SettingPlace::of("evaluation.opponents", source, settings)))?;
    if args.dry_run {
        // A missing GPU is allowed here: the configuration may be for another machine.
        if let Err(error @ DeviceError::Unknown(_)) = K::device(&config) {
            return Err(error.into());
        }
        cli::print_settings(&config, args.run.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    cli::use_threads(config.thread_count())?;
    // Before the directory: a run that cannot begin should leave nothing behind.
    let cluster = args.run.cluster.connect()?;
    if !args.run.json && !args.run.quiet {
        let idle = idle_threads(&config).into_iter().filter(|_| cluster.is_none());
        unconfigured(args, &config).into_iter().chain(idle).for_each(cli::note);
    }
    if let Some(cluster) = &cluster {
        let evaluation = config.sections().evaluation;
        for opponent in evaluation.opponents.iter().filter(|_| evaluation.every > 0) {
            remote::check(&opponent.parse()?, cluster.options().mixed)?;
        }
    }
    let stop = signals::stop_flag("stopping")?;
    let evaluation = cluster
        .clone()
        .map_or_else(NetworkEvaluation::default, NetworkEvaluation::on);
    let mut console = Console::<K>::new(args.run.json, args.run.quiet, &config, evaluation);
    let directory = &directory(args, config.seed());
    let training = match args.trunk() {
        None | Some((_, Change::New)) => Training::<K>::create(directory, config, &mut console)?,
        Some((_, Change::Resume)) => Training::<K>::resume(directory, config, &mut console)?,
        Some((trunk, Change::Branch)) => Training::<K>::branch(trunk, directory, config, &mut console)?,
        Some((trunk, Change::Refit)) => Training::<K>::refit(trunk, directory, config, &mut console)?,
    };
    let training = match cluster {
        Some(cluster) => training.at(Box::new(cluster)),
        None => training,
    };
    let ended = training.run(&mut console, &stop)?;
    let page = runs::write_training_report(directory)?;
    console.finish(ended, directory, &page)?;
    if args.resume.is_some() && !console.has_generations() && !args.run.json {
        longer(ended, directory).into_iter().try_for_each(cli::print)?;
    }
    if ended != Ended::Stopped {
        return Ok(ExitCode::SUCCESS);
    }
    if !args.run.json {
        cli::print(cli::continuation("train", directory, &args.run.cluster.words()))?;
    }
    Ok(signals::interrupted())
}

/// The directory of the run; a new one is named after the configuration and the seed, or after the old run.
fn directory(args: &Args, seed: u64) -> PathBuf {
    if let Some(named) = args.resume.as_ref().or(args.run_dir.as_ref()) {
        return named.clone();
    }
    // A folder's name has no extension: text after a dot is part of it.
    let old = |run: &Path| {
        run.file_name()
            .map_or("run".into(), OsStr::to_string_lossy)
            .into_owned()
    };
    cli::new_directory(&match args.trunk() {
        None => format!(
            "{}-{seed}",
            args.config.stem(args.game.map_or("default", GameName::name))
        ),
        Some((run, Change::Refit)) => format!("{}-refit", old(run)),
        Some((run, _)) => format!("{}-branch", old(run)),
    })
}

/// A note on a new run without a configuration.
fn unconfigured(args: &Args, settings: &impl KindSettings) -> Option<String> {
    if args.config.file().is_some() || args.trunk().is_some() {
        return None;
    }
    let limits = settings.sections().limits;
    let end = match (limits.minutes, limits.generations) {
        (minutes, _) if minutes > 0.0 => format!(", {minutes} minutes"),
        (_, count @ 1..) => format!(", {}", number::counted(count, "generation")),
        _ => String::new(),
    };
    Some(format!(
        "no configuration: training starts with the defaults of {}{end} (see --dry-run)",
        settings.game().0
    ))
}

/// Advice on a run that was resumed and had nothing left to do.
fn longer(ended: Ended, directory: &Path) -> Option<String> {
    let limit = match ended {
        Ended::Generations => "generations",
        Ended::Minutes => "minutes",
        Ended::Rows => "rows",
        Ended::Stopped => return None,
    };
    Some(format!(
        "to continue: chase train --resume {} --set limits.{limit}=N with a greater N",
        cli::shell_word(directory.display())
    ))
}

/// Notes where fewer threads play than there are.
pub fn idle_threads(settings: &impl KindSettings) -> Vec<String> {
    let threads = settings.thread_count();
    let note = |section: &str, games, purpose| {
        let group_games = settings.group_games(purpose);
        let groups = selfplay::groups(games, group_games).len();
        (games > 0 && groups < threads).then(|| {
            format!(
                "{groups} of {threads} threads play, one for each group of games: {section}.games = {games}, \
                 {section}.group_games = {group_games}"
            )
        })
    };
    let measurement = settings
        .sections()
        .measurement
        .filter(|measurement| measurement.every > 0);
    let of_measurement = measurement.and_then(|settings| note("measurement", settings.games, Purpose::Measurement));
    let of_selfplay = note("selfplay", settings.sections().games, Purpose::Selfplay);
    of_selfplay.into_iter().chain(of_measurement).collect()
}

/// The end of a run in words, after these generations and minutes of work, if there were any.
fn ending(ended: Ended, done: Option<(u64, f64)>) -> String {
    match done {
        Some((count, minutes)) => {
            let generations = number::counted(count, "generation");
            format!("{ended} after {generations} and {minutes:.1} minutes of work")
        }
        None => ended.to_string(),
    }
}

/// The places of a run, as the last lines of its output.
fn places(directory: &Path) -> String {
    let logs = cli::shell_word(directory.join("tb").display());
    format!(
        "run         {}\nTensorBoard tensorboard --logdir {logs}",
        directory.display()
    )
}
