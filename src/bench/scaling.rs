//! Dependence of throughput on one quantity at a time.

use chase_engine::{Chase, GameName};
use chase_models::Precision;
use serde::Serialize;

use super::console::Console;
use super::contest::{Work, in_turn};
use super::figure::{quotients, spread};
use super::games::{self, Selfplay};
use super::inference::{forward, precisions};
use super::{Options, Size, selfplay};
use crate::cli;

const BATCHES: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const NETWORKS: [(usize, usize); 5] = [(2, 16), (4, 32), (4, 64), (6, 64), (10, 96)];
const IN_FLIGHT: [u32; 4] = [8, 16, 32, 64];
/// Games per group in the sweep over games in flight, all of natural length.
const GROUP: u32 = 64;
const SIMULATIONS: [u32; 5] = [8, 16, 32, 64, 128];
/// Batch size at which networks are compared.
const BATCH: usize = 64;

/// Throughput against one quantity.
#[derive(Debug, Serialize)]
pub struct Sweep {
    /// Name, stable across versions.
    pub name: &'static str,
    pub title: &'static str,
    /// The quantity, and the measured rate.
    pub x: &'static str,
    pub y: &'static str,
    /// The method.
    pub method: String,
    pub series: Vec<SweepLine>,
}

#[derive(Debug, Serialize)]
pub struct SweepLine {
    pub name: String,
    pub points: Vec<SweepPoint>,
}

/// A value of the quantity: the rate, and its ratio to the reference's in the same rounds.
#[derive(Debug, Serialize)]
pub struct SweepPoint {
    pub x: f64,
    /// Rate per second; the median.
    pub rate: f64,
    /// Median and extremes of the quotients by round.
    pub ratio: f64,
    pub low: f64,
    pub high: f64,
}

/// Makes a sweep with a title.
type Make = fn(&'static str, &Options, &Console) -> anyhow::Result<Sweep>;

/// Every sweep: its title, and how to make it.
const SWEEPS: [(&str, Make); 5] = [
    ("Evaluations and the size of a batch", batches),
    ("Evaluations and the size of the network", networks),
    ("Self-play and the number of threads", threads),
    ("Self-play and the games in flight", in_flight),
    ("The cost of a game and the simulations of a search", simulations),
];

pub fn sweeps(options: &Options, console: &Console) -> anyhow::Result<Vec<Sweep>> {
    let mut sweeps = Vec::new();
    for (title, make) in SWEEPS {
        console.begin(title)?;
        let sweep = make(title, options, console)?;
        console.note(&sweep.method)?;
        console.table(&sweep.rows())?;
        sweeps.push(sweep);
    }
    Ok(sweeps)
}

impl Sweep {
    /// Its points as rows of a table, below their titles.
    fn rows(&self) -> Vec<[String; 5]> {
        let point = |name: &str, point: &SweepPoint| {
            let x = format!("{:.6}", point.x);
            [
                name.to_owned(),
                x.trim_end_matches('0').trim_end_matches('.').to_owned(),
                cli::rate(point.rate),
                format!("{:.3} … {:.3}", point.low, point.high),
                format!("{:.3}", point.ratio),
            ]
        };
        let titles = ["series", self.x, "a second", "least … greatest", "ratio"].map(String::from);
        let series = self.series.iter();
        let points = series.flat_map(|series| series.points.iter().map(|one| point(&series.name, one)));
        std::iter::once(titles).chain(points).collect()
    }
}

/// A series of contestants by their x; the ratio of the one at `reference` is 1.
struct Contest<'a> {
    name: String,
    reference: f64,
    contestants: Vec<(f64, Work<'a>)>,
}

/// Runs all contestants of all series in turns. `costs` inverts the quotients, to show more work instead of a lower
/// rate.
fn contest(
    options: &Options,
    console: &Console,
    costs: bool,
    series: Vec<Contest<'_>>,
) -> anyhow::Result<Vec<SweepLine>> {
    let (mut work, mut shapes) = (Vec::new(), Vec::new());
    for one in series {
        let (xs, contestants): (Vec<f64>, Vec<_>) = one.contestants.into_iter().unzip();
        work.extend(contestants);
        shapes.push((one.name, one.reference, xs));
    }
    let mut rates = in_turn(console, options.clock(), options.seconds, work)?.into_iter();
    let mut done = Vec::new();
    for (name, reference, xs) in shapes {
        let rates: Vec<Vec<f64>> = rates.by_ref().take(xs.len()).collect();
        let reference = xs.iter().position(|&x| x == reference).unwrap_or(0);
        let point = |(&x, those): (&f64, &Vec<f64>)| {
            let quotients = match costs {
                true => quotients(&rates[reference], those),
                false => quotients(those, &rates[reference]),
            };
            let (low, ratio, high) = spread(&quotients);
            let (_, rate, _) = spread(those);
            SweepPoint {
                x,
                rate,
                ratio,
                low,
                high,
            }
        };
        let points = xs.iter().zip(&rates).map(point).collect();
        done.push(SweepLine { name, points });
    }
    Ok(done)
}

fn batches(title: &'static str, options: &Options, console: &Console) -> anyhow::Result<Sweep> {
    let mut series = Vec::new();
    for size in [Size::SMALL, Size::LARGE] {
        let network = games::network::<Chase>(options, size)?;
        for precision in precisions(options) {
            let mut contestants = Vec::new();
            for batch in BATCHES {
                contestants.push((batch as f64, forward::<Chase>(options, &network, precision, batch)?));
            }
            series.push(Contest {
                name: format!("{} in {precision}", network.architecture().name()),
                reference: 128.0,
                contestants,
            });
        }
    }
    Ok(Sweep {
        name: "batch",
        title,
        x: "positions in a batch",
        y: "evaluations per second, batch 128 being 1",
        method: "The network alone, one thread.".into(),
        series: contest(options, console, false, series)?,
    })
}

fn networks(title: &'static str, options: &Options, console: &Console) -> anyhow::Result<Sweep> {
    let mut series = Vec::new();
    for precision in precisions(options) {
        let mut contestants = Vec::new();
        let mut reference = 0.0;
        for (blocks, channels) in NETWORKS {
            let size = Size { blocks, channels };
            let network = games::network::<Chase>(options, size)?;
            let operations = network.architecture().operations(&network.shape()) as f64;
            if size == Size::SMALL {
                reference = operations / 1e6;
            }
            contestants.push((operations / 1e6, forward::<Chase>(options, &network, precision, BATCH)?));
        }
        series.push(Contest {
            name: precision.to_string(),
            reference,
            contestants,
        });
    }
    let names = NETWORKS.map(|(blocks, channels)| format!("b{blocks}c{channels}"));
    Ok(Sweep {
        name: "network",
        title,
        x: "million operations of an evaluation",
        y: "evaluations per second, b4c32 being 1",
        method: format!("The network alone, one thread, batch {BATCH}: {}.", names.join(", ")),
        series: contest(options, console, false, series)?,
    })
}

/// Self-play under a configuration; `counts` selects the counter.
fn play<'a>(
    options: &'a Options,
    size: Size,
    config: &chase_training::config::Config,
    threads: usize,
    counts: impl Fn(&games::Played<Chase>) -> u64 + 'a,
) -> anyhow::Result<Work<'a>> {
    let network = games::network::<Chase>(options, size)?;
    let config = config.clone();
    Ok(Box::new(move || {
        let selfplay = Selfplay {
            options,
            network: &network,
            config: &config,
            precision: Precision::fastest(options.device),
            threads,
            generates: false,
        };
        Ok(counts(&selfplay.run::<Chase>()?) as f64)
    }))
}

fn threads(title: &'static str, options: &Options, console: &Console) -> anyhow::Result<Sweep> {
    let counts = std::iter::successors(Some(1), |threads| Some(2 * threads));
    let counts: Vec<usize> = counts.take_while(|&threads| threads <= options.threads).collect();
    let mut series = Vec::new();
    for size in [Size::SMALL, Size::LARGE] {
        let mut contestants = Vec::new();
        for &threads in &counts {
            let config = selfplay::config(GameName::Chase, threads)?;
            let work = play(options, size, &config, threads, games::Played::<Chase>::evaluations)?;
            contestants.push((threads as f64, work));
        }
        series.push(Contest {
            name: format!("b{}c{}", size.blocks, size.channels),
            reference: 1.0,
            contestants,
        });
    }
    Ok(Sweep {
        name: "threads",
        title,
        x: "threads",
        y: "evaluations per second of CPU time, relative to one thread",
        method: "Short games, for each thread as many as a batch has places. It shows what threads cost each other by sharing \
                 memory and caches, without waiting times."
            .into(),
        series: contest(options, console, false, series)?,
    })
}

fn in_flight(title: &'static str, options: &Options, console: &Console) -> anyhow::Result<Sweep> {
    let mut contestants = Vec::new();
    for in_flight in IN_FLIGHT {
        let mut config = selfplay::config(GameName::Chase, 1)?;
        config.rules.max_turns = 400;
        config.search.simulations = 4;
        config.search.fast_simulations = 2;
        config.search.considered_actions = 4;
        config.selfplay.games = GROUP;
        config.selfplay.group_games = GROUP;
        config.selfplay.in_flight = in_flight;
        let work = play(options, Size::SMALL, &config, 1, games::Played::<Chase>::evaluations)?;
        contestants.push((f64::from(in_flight), work));
    }
    let series = vec![Contest {
        name: String::new(),
        reference: f64::from(GROUP),
        contestants,
    }];
    Ok(Sweep {
        name: "in_flight",
        title,
        x: "games in flight",
        y: "evaluations per second, all games at once being 1",
        method: format!(
            "b4c32, one group of {GROUP} games of their natural length, one thread. With all at once batches begin \
             large and shrink as games end; with fewer they stay full for longer."
        ),
        series: contest(options, console, false, series)?,
    })
}

fn simulations(title: &'static str, options: &Options, console: &Console) -> anyhow::Result<Sweep> {
    let mut contestants = Vec::new();
    for simulations in SIMULATIONS {
        let mut config = selfplay::config(GameName::Chase, 1)?;
        config.search.simulations = simulations;
        config.search.fast_simulations = simulations / 4;
        let work = play(options, Size::SMALL, &config, 1, |played| played.records.len() as u64)?;
        contestants.push((f64::from(simulations), work));
    }
    let series = vec![Contest {
        name: String::new(),
        reference: 32.0,
        contestants,
    }];
    Ok(Sweep {
        name: "simulations",
        title,
        x: "simulations of a full search",
        y: "time of a game, 32 simulations being 1",
        method: "b4c32, short games, one thread; every second search is fast, with a quarter of the simulations."
            .into(),
        series: contest(options, console, true, series)?,
    })
}
