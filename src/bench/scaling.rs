//! Dependence of throughput on one quantity at a time.

use chase_engine::{Chase, GameName};
use serde::Serialize;

use super::contest::{Work, in_turn};
use super::figure::{quotients, spread};
use super::games::{self, Selfplay};
use super::inference::{forward, precisions};
use super::{Options, Size, selfplay};

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

pub fn sweeps(options: &Options) -> anyhow::Result<Vec<Sweep>> {
    Ok(vec![
        batches(options)?,
        networks(options)?,
        threads(options)?,
        in_flight(options)?,
        simulations(options)?,
    ])
}

/// A series of contestants by their x; the ratio of the one at `reference` is 1.
struct Contest<'a> {
    name: String,
    reference: f64,
    contestants: Vec<(f64, Work<'a>)>,
}

/// Runs all contestants of all series in turns. `costs` inverts the quotients, to show more work instead of a lower
/// rate.
fn contest(options: &Options, costs: bool, series: Vec<Contest<'_>>) -> anyhow::Result<Vec<SweepLine>> {
    let (mut work, mut shapes) = (Vec::new(), Vec::new());
    for one in series {
        let (xs, contestants): (Vec<f64>, Vec<_>) = one.contestants.into_iter().unzip();
        work.extend(contestants);
        shapes.push((one.name, one.reference, xs));
    }
    let mut rates = in_turn(options.clock(), options.seconds, work)?.into_iter();
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

fn batches(options: &Options) -> anyhow::Result<Sweep> {
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
        title: "Evaluations and the size of a batch",
        x: "positions in a batch",
        y: "evaluations per second, batch 128 being 1",
        method: "The network alone, one thread.".into(),
        series: contest(options, false, series)?,
    })
}

fn networks(options: &Options) -> anyhow::Result<Sweep> {
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
        title: "Evaluations and the size of the network",
        x: "million operations of an evaluation",
        y: "evaluations per second, b4c32 being 1",
        method: format!("The network alone, one thread, batch {BATCH}: {}.", names.join(", ")),
        series: contest(options, false, series)?,
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
            threads,
            generates: false,
        };
        Ok(counts(&selfplay.run::<Chase>()?) as f64)
    }))
}

fn threads(options: &Options) -> anyhow::Result<Sweep> {
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
        title: "Self-play and the number of threads",
        x: "threads",
        y: "evaluations per second of CPU time, relative to one thread",
        method: "Short games, for each thread as many as a batch has places. It shows what threads cost each other by sharing \
                 memory and caches, without waiting times."
            .into(),
        series: contest(options, false, series)?,
    })
}

fn in_flight(options: &Options) -> anyhow::Result<Sweep> {
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
        title: "Self-play and the games in flight",
        x: "games in flight",
        y: "evaluations per second, all games at once being 1",
        method: format!(
            "b4c32, one group of {GROUP} games of their natural length, one thread. With all at once batches begin \
             large and shrink as games end; with fewer they stay full for longer."
        ),
        series: contest(options, false, series)?,
    })
}

fn simulations(options: &Options) -> anyhow::Result<Sweep> {
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
        title: "The cost of a game and the simulations of a search",
        x: "simulations of a full search",
        y: "time of a game, 32 simulations being 1",
        method: "b4c32, short games, one thread; every second search is fast, with a quarter of the simulations."
            .into(),
        series: contest(options, true, series)?,
    })
}
