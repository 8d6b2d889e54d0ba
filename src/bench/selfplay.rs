//! Benchmark of self-play from end to end, compared with the network alone on the same batches.

use std::cell::{Cell, RefCell};

use anyhow::ensure;
use chase_engine::{Game, GameName, Playable, with_game};
use chase_models::device::Device;
use chase_models::{InferenceNetwork, Network, Precision};
use chase_training::config::Config;

use super::console::Console;
use super::contest::{Clock, Work, in_turn, repeats};
use super::figure::{Figure, FigureUnit, quotients};
use super::games::{self, Profile, Question};
use super::{Options, Size, inference};

/// Target of simulations per second and core.
const fn target(size: Size) -> Option<f64> {
    match size {
        Size::SMALL => Some(11e3),
        Size::LARGE => Some(2.5e3),
        _ => None,
    }
}

/// Games per thread, all at once: the batch size.
const IN_FLIGHT: u32 = 32;
/// Turns per game: far fewer than natural, so that batches stay full, but enough that few searches look beyond the end.
const TURNS: u32 = 12;
const SIMULATIONS: u32 = 32;
/// Required share of the rate of the network alone.
const fn efficiency(device: Device, precision: Precision) -> f64 {
    match (device, precision) {
        // Its kernel leaves the search and the planes a larger part of the time.
        (Device::Cpu, precision) if precision.is_fused() => 0.75,
        (Device::Cpu, _) => 0.9,
        // Its network waits until some thread has searched enough, and the last games of a generation do not fill
        // batches.
        _ => 0.7,
    }
}
/// It was at least 0.73 in single rounds on a busy machine, with debug assertions.
const FLOOR: f64 = 0.6;
/// Required share of the time in the phases of a profile.
const EXPLAINED: f64 = 0.95;

pub fn figures<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    for &size in &options.networks {
        let network = games::network::<G>(options, size)?;
        let target = target(size).and_then(|rate| options.target(rate));
        let precisions = [Precision::fastest(options.device)].into_iter();
        for precision in precisions.chain(inference::fused(options, &network)) {
            of_network::<G>(options, &network, precision, target, console)?;
        }
    }
    Ok(())
}

/// The default configuration: short games, all games of a thread at once.
pub fn config(game: GameName, threads: usize) -> anyhow::Result<Config> {
    let mut config = Config::load(None, &[format!("game={game}").into()])?;
    // Games without such conventions are short.
    if with_game!(game, G => G::new(&game.rules::<G>()).conventions().is_some()) {
        config.rules.max_turns = TURNS;
    }
    config.search.simulations = SIMULATIONS;
    config.search.fast_simulations = SIMULATIONS / 4;
    config.selfplay.in_flight = IN_FLIGHT;
    config.selfplay.group_games = IN_FLIGHT;
    config.selfplay.games = IN_FLIGHT * threads as u32;
    Ok(config)
}

fn of_network<G: Playable>(
    options: &Options,
    network: &Network,
    precision: Precision,
    target: Option<f64>,
    console: &mut Console,
) -> anyhow::Result<()> {
    let name = network.architecture().name();
    let heading = format!("self-play of {name} in {precision}");
    console.begin(&heading)?;
    console.measure(format_args!("{name} in {precision}: self-play, the network alone"));
    let config = &options.config;
    let mut one_group = config.clone();
    one_group.selfplay.games = config.selfplay.group_games;
    let batches = RefCell::new(Vec::new());
    let (simulations, fill) = (Cell::new(0.0), Cell::new(0.0));
    let mut first = None;
    let selfplay: Work<'_> = Box::new(|| {
        let played = games::selfplay::<G>(options, network, config, precision, options.threads, false)?;
        // If threads share a network, the positions that share a batch are random.
        if played.shared.is_empty() {
            repeats(&format!("{heading}, the same seed"), &mut first, played.digest())?;
        }
        let evaluations = played.evaluations() as f64;
        simulations.set(played.simulations() as f64 / evaluations);
        let together = if played.shared.is_empty() { 1 } else { options.threads };
        let in_flight = f64::from(config.selfplay.in_flight) * together as f64;
        fill.set(played.counters.mean_batch() / in_flight);
        *batches.borrow_mut() = played.batches();
        Ok(evaluations)
    });
    let mut alone = Vec::new();
    for _ in 0..options.threads {
        alone.push(InferenceNetwork::new(network, options.device, precision)?);
    }
    // A network shared by threads may get the positions of all of them at once.
    let question = Question::new(
        &games::middle::<G>(options, options.threads * config.selfplay.in_flight as usize),
        &config.game_encoding::<G>(),
    );
    let bare: Work<'_> = Box::new(|| same_batches(&mut alone, &question, &batches.borrow()));
    let profiles = RefCell::new(Vec::new());
    let profiled: Work<'_> = Box::new(|| {
        let played = games::selfplay::<G>(options, network, &one_group, precision, 1, true)?;
        let profile = Profile::new(&played);
        for (phase, share) in profile.0 {
            ensure!(
                share >= 0.0,
                "profile of {name}: {phase} took {share:.3} of the time, so the phases do not add up: {profile:?}"
            );
        }
        profiles.borrow_mut().push(profile);
        Ok(played.evaluations() as f64)
    });
    let rates = in_turn(console, options.clock(), vec![selfplay, bare, profiled])?;

    let per_evaluation = simulations.get();
    let simulated: Vec<f64> = rates[0].iter().map(|rate| rate * per_evaluation).collect();
    let part = if precision.is_fused() {
        format!("{name}_{precision}")
    } else {
        name.clone()
    };
    let figure =
        |id: &str, what: &str, unit, values: &[f64]| Figure::new(format!("selfplay/{part}/{id}"), what, unit, values);
    let share = |id: &str, what: &str, values: &[f64]| figure(id, what, FigureUnit::Ratio, values);
    // The first one was the warm-up.
    let profiles = &profiles.borrow()[1..];
    let explained: Vec<f64> = profiles.iter().map(Profile::explained).collect();
    let target = target.filter(|_| options.clock() == Clock::Cpu);
    console.add([
        figure("evaluations", "", FigureUnit::Evaluations, &rates[0]),
        figure("simulations", "", FigureUnit::Simulations, &simulated).with_target(target),
        share("efficiency", "of the network alone", &quotients(&rates[0], &rates[1]))
            .with_target(Some(efficiency(options.device, precision)))
            .with_floor(Some(FLOOR)),
        share("fill", "mean batch of games in flight", &[fill.get()]),
        share("explained", "time of all phases", &explained).with_floor(Some(EXPLAINED)),
    ])?;
    console.add(profiles[0].0.iter().enumerate().map(|(index, (phase, _))| {
        let shares: Vec<f64> = profiles.iter().map(|profile| profile.0[index].1).collect();
        share(&format!("time/{phase}"), &format!("time to {phase}"), &shares)
    }))
}

/// Evaluates batches of these sizes, with one thread for each list of sizes. Returns the number of evaluations.
pub fn same_batches(
    networks: &mut [InferenceNetwork],
    question: &Question,
    batches: &[Vec<u32>],
) -> anyhow::Result<f64> {
    let evaluate = |network: &mut InferenceNetwork, batches: &[u32]| -> anyhow::Result<()> {
        for &batch in batches {
            let (planes, legal) = question.first(batch as usize);
            let logits = network.forward(planes, legal)?;
            ensure!(
                logits.value.nrows() == batch as usize,
                "a batch of {batch} has other results"
            );
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = networks
            .iter_mut()
            .zip(batches)
            .map(|(network, batches)| scope.spawn(move || evaluate(network, batches)))
            .collect();
        for thread in threads {
            thread.join().expect("the panic has been reported")?;
        }
        Ok(batches.iter().flatten().map(|&batch| f64::from(batch)).sum())
    })
}
