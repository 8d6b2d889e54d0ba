//! Material for benchmarks: positions, networks, and games of self-play.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chase_engine::Playable;
use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf};
use chase_models::network::NetworkError;
use chase_models::shared_network::for_threads;
use chase_models::{Architecture, Forward, Network, Precision};
use chase_training::config::Config;
use chase_training::game_record::{GameRecord, Purpose};
use chase_training::selfplay::{
    self, Counters, EvaluationTimes, Group, NetworkEvaluator, SelfplayError, Settings, ThreadPhase,
};
use ndarray::{Array4, ArrayView4, s};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::{Options, Size};

/// Random plies before a position: in Chase, they spread the dice and lose some.
const PLIES: usize = 40;

/// Games after random plies that are not over and offer a choice. Of a random game that ends before, half is played.
pub fn middle<G: Playable>(options: &Options, count: usize) -> Vec<G> {
    let rules = &options.rules::<G>();
    let game = |seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let start = G::start(rules, &mut rng);
        let (mut game, mut played, mut actions) = (start.clone(), Vec::new(), Vec::new());
        while played.len() < PLIES && game.outcome().is_none() {
            game.legal_actions(&mut actions);
            let action = actions[rng.random_range(0..actions.len())];
            game.apply(action);
            played.push(action);
        }
        if game.outcome().is_some() {
            game = start;
            played[..played.len() / 2].iter().for_each(|&action| game.apply(action));
        }
        game.legal_actions(&mut actions);
        (actions.len() > 1).then_some(game)
    };
    (0..).filter_map(game).take(count).collect()
}

/// Games, encoded as input of a network.
pub struct Question {
    /// `[B, C, H, W]`.
    pub planes: Array4<f32>,
    /// The policy logits of all legal actions, game after game.
    pub legal: Vec<i64>,
    /// End of each game's logits in `legal`.
    ends: Vec<usize>,
}

impl Question {
    pub fn new<G: Playable>(games: &[G], encoding: &G::Encoding) -> Self {
        let shape = G::shape(encoding);
        let mut question = Self {
            planes: G::encode_all(games, encoding),
            legal: Vec::new(),
            ends: Vec::new(),
        };
        let mut actions = Vec::new();
        for (row, game) in games.iter().enumerate() {
            game.legal_actions(&mut actions);
            let indices = actions.iter().map(|&action| game.policy_index(action));
            question
                .legal
                .extend(indices.map(|index| (row * shape.policy_size() + index) as i64));
            question.ends.push(question.legal.len());
        }
        question
    }

    /// Planes and requested logits of the first `count` games; there must be at least that many.
    pub fn first(&self, count: usize) -> (ArrayView4<'_, f32>, &[i64]) {
        let end = self.ends[..count].last().copied().unwrap_or(0);
        (self.planes.slice(s![..count, .., .., ..]), &self.legal[..end])
    }
}

/// A network of this size with random weights, otherwise as configured.
pub fn network<G: Playable>(options: &Options, size: Size) -> Result<Network, NetworkError> {
    let architecture = Architecture {
        blocks: size.blocks,
        channels: size.channels,
        ..options.config.network.clone()
    };
    let shape = G::shape(&options.config.game_encoding::<G>());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    Network::new(&architecture, shape, options.device, &mut rng)
}

/// Results of self-play.
#[derive(Debug)]
pub struct Played<G: Playable> {
    pub records: Vec<GameRecord<G>>,
    pub counters: Counters,
    /// Measurements by thread.
    pub seen: Vec<Seen>,
    /// Positions in each batch of a network shared by threads, if they share one.
    pub shared: Vec<u32>,
}

/// Self-play by a network, as in training, of the number of games in a configuration. It may generate the legal actions
/// of every leaf once more, to measure the cost.
pub fn selfplay<G: Playable>(
    options: &Options,
    network: &Network,
    config: &Config,
    precision: Precision,
    threads: usize,
    generates: bool,
) -> anyhow::Result<Played<G>> {
    let counters = Counters::default();
    let mut shared = Vec::new();
    let observe = |positions| {
        counters.add_shared_batch();
        shared.push(positions as u32);
    };
    let ask = |networks: Vec<Box<dyn Forward + Send + '_>>| {
        let probe = |network| Probe {
            network: NetworkEvaluator::new(network, config.game_encoding::<G>()),
            generates,
            actions: Vec::new(),
            seen: Seen::default(),
        };
        let mut probes: Vec<Probe<'_, G>> = networks.into_iter().map(probe).collect();
        let records = play(config, &mut probes, &counters)?;
        let seen = |probe: Probe<'_, G>| Seen {
            times: probe.network.times(),
            ..probe.seen
        };
        Ok::<_, SelfplayError>((records, probes.into_iter().map(seen).collect()))
    };
    let (records, seen) = for_threads(network, options.device, precision, threads, observe, ask)??;
    Ok(Played {
        records,
        counters,
        seen,
        shared,
    })
}

/// Plays the configured games, with one thread for each evaluator.
pub fn play<G: Playable, E: Evaluator<G> + Send>(
    config: &Config,
    evaluators: &mut [E],
    counters: &Counters,
) -> Result<Vec<GameRecord<G>>, SelfplayError> {
    let settings = Settings::new(config, Purpose::Selfplay, 0);
    let groups = selfplay::groups(config.selfplay.games, config.selfplay.group_games);
    let mut played = BTreeMap::new();
    let finished = |group: &Group, records| -> Result<(), SelfplayError> {
        played.insert(group.number, records);
        Ok(())
    };
    let stop = AtomicBool::new(false);
    selfplay::play(evaluators, &groups, &settings, &stop, counters, finished, || {})?;
    Ok(played.into_values().flatten().collect())
}

impl<G: Playable> Played<G> {
    pub fn evaluations(&self) -> u64 {
        self.counters.evaluations.load(Ordering::Relaxed)
    }

    pub fn simulations(&self) -> u64 {
        self.counters.simulations.load(Ordering::Relaxed)
    }

    /// The batches evaluated by networks, by thread; those of a network shared by threads are dealt to them in turn.
    pub fn batches(&self) -> Vec<Vec<u32>> {
        if self.shared.is_empty() {
            return self.seen.iter().map(|seen| seen.batches.clone()).collect();
        }
        let threads = self.seen.len();
        let dealt_to = |thread| self.shared.iter().copied().skip(thread).step_by(threads).collect();
        (0..threads).map(dealt_to).collect()
    }

    /// A number that identifies these games.
    pub fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for record in &self.records {
            record.index.hash(&mut hasher);
            for ply in &record.plies {
                (ply.action, ply.simulations).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

/// A network that records its requests, and can measure phases.
struct Probe<'a, G: Playable> {
    network: NetworkEvaluator<G, Box<dyn Forward + Send + 'a>>,
    generates: bool,
    actions: Vec<G::Action>,
    seen: Seen,
}

/// Measurements of one thread of self-play.
#[derive(Debug, Default)]
pub struct Seen {
    /// Leaves of each batch that it requested.
    pub batches: Vec<u32>,
    pub times: EvaluationTimes,
    /// Time of generating the legal actions of every leaf, measured in the probe; the search generates them once more.
    pub generation: Duration,
}

impl<G: Playable> Evaluator<G> for Probe<'_, G> {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        self.network.evaluate(leaves, evaluations)?;
        self.seen.batches.push(leaves.len() as u32);
        if self.generates {
            let begin = Instant::now();
            for leaf in leaves {
                leaf.game.legal_actions(&mut self.actions);
                if self.actions != leaf.actions {
                    return Err(EvaluationError::Failed("a leaf's actions are not its game's".into()));
                }
            }
            self.seen.generation += begin.elapsed();
        }
        Ok(())
    }
}

/// Shares of a thread's time, in the order of the work; they add up to 1.
#[derive(Debug)]
pub struct Profile(pub [(&'static str, f64); 8]);

impl Profile {
    /// The profile of games played by one thread that generates actions twice.
    pub fn new<G: Playable>(played: &Played<G>) -> Self {
        let seen = &played.seen[0];
        let seconds = |phase| played.counters.time(phase).as_secs_f64();
        let [generation, encode, forward, read] =
            [seen.generation, seen.times.encode, seen.times.forward, seen.times.read].map(|time| time.as_secs_f64());
        // The probe's own time is not part of self-play.
        let whole = played.counters.busy().as_secs_f64() - generation;
        // Measured separately in the probe: on a busy machine it can exceed the selection that contains it.
        let generate = generation.min(seconds(ThreadPhase::Select));
        let mut phases = [
            ("select", seconds(ThreadPhase::Select) - generate),
            ("generate", generate),
            ("play", seconds(ThreadPhase::Play)),
            ("encode", encode),
            ("forward", forward),
            ("read", read),
            ("expand", seconds(ThreadPhase::Expand)),
            ("other", 0.0),
        ];
        phases[7].1 = whole - phases.iter().map(|(_, seconds)| seconds).sum::<f64>();
        Self(phases.map(|(name, seconds)| (name, seconds / whole)))
    }

    /// The share of the time in named phases.
    pub fn explained(&self) -> f64 {
        let [phases @ .., _] = &self.0;
        phases.iter().map(|(_, share)| share).sum()
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::Chase;

    use super::*;

    #[test]
    fn batches_of_a_shared_network_are_dealt_to_its_threads() {
        let seen = |batches: &[u32]| Seen {
            batches: batches.to_vec(),
            ..Seen::default()
        };
        let mut played = Played::<Chase> {
            records: Vec::new(),
            counters: Counters::default(),
            seen: vec![seen(&[3, 2]), seen(&[4])],
            shared: Vec::new(),
        };
        assert_eq!(played.batches(), [vec![3, 2], vec![4]]);
        played.shared = vec![7, 2, 1];
        assert_eq!(played.batches(), [vec![7, 1], vec![2]]);
    }
}
