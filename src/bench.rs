//! `chase bench`

mod console;
mod contest;
mod engine;
mod figure;
mod games;
mod inference;
mod learner;
mod search;
mod selfplay;

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::Ordering;

use anyhow::ensure;
use chase_engine::{Game, Playable, with_game};
use chase_models::device::{self, Device};
use chase_training::config::{Config, GameName};
use chase_training::settings::{Setting, Settings, cores};
use clap::ValueEnum;
use serde::Serialize;

use self::console::Console;
use self::contest::Clock;
use self::figure::Figure;
use crate::{cli, signals};

/// Measure how fast the parts are on this machine
///
/// Each figure is shown with its target and its ratio to the target. What limits a figure is measured in the same
/// rounds: matrix products and a bare tower of convolutions for the network, the network alone for self-play, a bare
/// training step for the learner. Targets that are ratios are meant for every CPU; those that are rates, for one core
/// of a Zen 4. Rates on a CPU are per second of the CPU time of all threads, that is per core, so a busy machine
/// changes them little. With a GPU they are per second of wall-clock time. Every benchmark checks its own answer: a
/// wrong one is an error, whatever the speed.
///
/// Every figure is printed as soon as it is known; those that are measured in the same rounds are known together.
/// Ctrl-C ends the measurement after the current part.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase bench
  chase bench engine --json
  chase bench --check --device cpu --seconds 0.5    # is anything broken?
  chase bench selfplay --network b4c32 --threads 1  # with the share of time of each phase
  chase bench selfplay --config configs/gpu.toml --set rules.max_turns=40
  chase bench inference --config configs/gpu.toml --batch 256 --batch 1024
  chase bench --game stax                           # without targets: those are for Chase")]
pub struct Args {
    /// The part to measure [default: all of them]
    #[arg(value_enum)]
    part: Option<Part>,
    /// The game [default: that of the configuration, else chase]
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    game: Option<GameName>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Seconds per figure, with at least three rounds
    #[arg(long, default_value_t = 2.0, value_parser = cli::seconds)]
    seconds: f64,
    /// Threads of self-play; 0 for one per core
    #[arg(long, default_value_t = 0, value_parser = cli::threads)]
    threads: usize,
    /// A network for inference and self-play, by blocks and channels; may be repeated [default: b4c32 and b6c64]
    #[arg(long = "network", value_name = "SIZE")]
    networks: Vec<Size>,
    /// A batch size for inference; may be repeated [default: 1, 8, 32 and 128]
    #[arg(long = "batch", value_name = "POSITIONS", value_parser = cli::whole::<u32>(1..=1 << 16))]
    batches: Vec<u32>,
    /// For inference and self-play: a training configuration to measure
    ///
    /// Its planes, network, search and games are measured instead of short games by the default network. A whole
    /// generation of it is one repetition; its `threads`, `device` and `precision` are ignored.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Change one setting of the measured games, such as selfplay.in_flight=256; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<Setting>,
    /// Where networks compute: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "auto", value_parser = cli::device)]
    device: String,
    /// End with exit code 1 if a ratio is so low on the CPU that something must be broken
    #[arg(long)]
    check: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// The rules: move generation and random games
    Engine,
    /// The tree search without a network, and alpha-beta with an efficiently updatable network
    Search,
    /// Positions as planes
    Encoding,
    /// The network alone, by size, precision and batch
    Inference,
    /// Self-play from end to end, and where its time goes
    Selfplay,
    /// Shards read back
    Replay,
    /// Batches and training steps
    Learner,
}

/// Settings that all benchmarks share.
#[derive(Clone, Debug)]
struct Options {
    threads: usize,
    networks: Vec<Size>,
    /// Batch sizes of inference.
    batches: Vec<usize>,
    /// Planes, networks (except their size), searches and games.
    config: Config,
    /// True if the user set the configuration: targets apply only to the default one.
    configured: bool,
    device: Device,
}

/// Blocks and channels of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    blocks: usize,
    channels: usize,
}

impl Size {
    const SMALL: Self = Self {
        blocks: 4,
        channels: 32,
    };
    const LARGE: Self = Self {
        blocks: 6,
        channels: 64,
    };
}

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.strip_prefix('b').and_then(|rest| rest.split_once('c'));
        let size = numbers.and_then(|(blocks, channels)| {
            Some(Self {
                blocks: blocks.parse().ok()?,
                channels: channels.parse().ok()?,
            })
        });
        size.ok_or("expected blocks and channels such as b4c32")
    }
}

impl Options {
    /// The game's standard rules.
    fn rules<G: Game>(&self) -> G::Rules {
        self.config.game.rules::<G>()
    }

    /// The target of a rate; only Chase with the default configuration has one.
    fn target(&self, rate: f64) -> Option<f64> {
        (!self.configured && self.config.game == GameName::Chase).then_some(rate)
    }

    /// The clock for work on the device.
    const fn clock(&self) -> Clock {
        Clock::of(self.device)
    }
}

#[derive(Debug, Serialize)]
struct Report {
    version: &'static str,
    optimised: bool,
    clock: Clock,
    machine: Machine,
    figures: Vec<Figure>,
}

#[derive(Debug, Serialize)]
struct Machine {
    cores: usize,
    device: String,
    bf16_units: bool,
    libtorch: &'static str,
    /// Mean number of running or waiting threads, over the last minute; none if the system does not report it.
    load_before: Option<f64>,
    load_after: Option<f64>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let cores = cores();
    let device = device::parse(&args.device)?;
    ensure!(
        !args.check || device == Device::Cpu,
        "--check knows what is slow on a CPU only: add --device cpu"
    );
    let threads = if args.threads == 0 { cores } else { args.threads };
    let configured = args.config.is_some() || !args.settings.is_empty();
    ensure!(
        !configured || matches!(args.part, Some(Part::Inference | Part::Selfplay)),
        "--config and --set are for `chase bench inference` and `chase bench selfplay`"
    );
    let config = config(args, threads)?;
    ensure!(
        config.game == GameName::Chase || !args.check,
        "--check knows what is slow for chase only, not for {}",
        config.game
    );
    let options = Options {
        threads,
        networks: match args.networks.as_slice() {
            [] if configured => vec![Size {
                blocks: config.network.blocks,
                channels: config.network.channels,
            }],
            [] => vec![Size::SMALL, Size::LARGE],
            sizes => sizes.to_vec(),
        },
        batches: match args.batches.as_slice() {
            [] => inference::BATCHES.to_vec(),
            batches => batches.iter().map(|&batch| batch as usize).collect(),
        },
        config,
        configured,
        device,
    };
    let optimised = !cfg!(debug_assertions);
    if !optimised {
        cli::note("warning: not an optimised build; use cargo run --release");
    }
    let load_before = load();
    let stop = signals::stop_flag("stopping after this part")?;
    let wanted = |part: &&Part| args.part.is_none_or(|wanted| wanted == **part);
    let mut console = Console::new(args.json, args.seconds);
    console.titles()?;
    for part in Part::value_variants().iter().filter(wanted) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        with_game!(options.config.game, G => figures::<G>(*part, &options, &mut console)?);
    }
    let report = Report {
        version: env!("CARGO_PKG_VERSION"),
        optimised,
        clock: options.clock(),
        machine: Machine {
            cores,
            device: format!("{device:?}"),
            bf16_units: device::has_bf16_units(device),
            libtorch: chase_models::LIBTORCH_VERSION,
            load_before,
            load_after: load(),
        },
        figures: console.finish(),
    };
    if args.json {
        cli::print_json(&report)?;
    }
    let complaints: Vec<_> = report.figures.iter().filter_map(Figure::complaint).collect();
    if args.check && !complaints.is_empty() {
        complaints.iter().for_each(cli::note);
        return Ok(ExitCode::FAILURE);
    }
    Ok(signals::ended(stop.load(Ordering::Acquire)))
}

/// Measures a part.
fn figures<G: Playable>(part: Part, options: &Options, console: &mut Console) -> anyhow::Result<()> {
    match part {
        Part::Engine => engine::figures::<G>(options, console),
        Part::Search => search::figures::<G>(options, console),
        Part::Encoding => inference::encoding::<G>(options, console),
        Part::Inference => inference::figures::<G>(options, console),
        Part::Selfplay => selfplay::figures::<G>(options, console),
        Part::Replay => learner::reading::<G>(options, console),
        Part::Learner => learner::figures::<G>(options, console),
    }
}

/// Configuration of the networks and games to measure.
fn config(args: &Args, threads: usize) -> anyhow::Result<Config> {
    let text = match &args.config {
        Some(file) => cli::ConfigText::read(file)?,
        None => cli::ConfigText {
            name: "short games".to_owned(),
            text: selfplay::config(args.game.unwrap_or(GameName::Chase), threads)?.to_toml(),
        },
    };
    Ok(Config::load(Some(text.source()), &args.settings)?)
}

fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
