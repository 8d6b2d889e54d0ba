//! Self-play: many games at once, batched across games and never within a tree.
//!
//! A generation's games are divided into groups of fixed composition. A group is played in lock-step by one thread
//! with a network of its own, so threads share nothing and wait for nobody; groups are handed out as threads become
//! free. The games of a group are the same whatever thread plays it.

mod evaluator;
mod exploration;
mod group;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use chase_engine::Game;
use chase_engine::search::{EvaluationError, Evaluator, InvalidParams};

pub use evaluator::NetworkEvaluator;
pub use exploration::{Decision, Exploration};
pub use group::Counters;

use crate::config::Config;
use crate::game_record::{GameRecord, Purpose};
use crate::seed::Stream;
use crate::trainable::Trainable;

/// Why games could not be played.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// The network cannot evaluate.
    #[error("self-play: {0}")]
    Evaluation(#[from] EvaluationError),
    /// The search cannot be set up so.
    #[error("self-play: {0}")]
    Params(#[from] InvalidParams),
    /// A search came to no action in a game that goes on.
    #[error("self-play: the search found no action in `{0}`")]
    NoAction(String),
}

/// How the games of a generation are played.
#[derive(Clone, Debug)]
pub struct Settings<G: Game> {
    /// The position that games start from.
    pub start: G,
    /// Searches and choices.
    pub exploration: Exploration,
    /// Seed of the run.
    pub run_seed: u64,
    /// What the games' generators are derived for.
    pub stream: Stream,
    /// The generation.
    pub generation: u64,
    /// Games of a group that are played at once.
    pub in_flight: usize,
    /// Whether searches begin with the subtree that the last one left.
    pub reuse_tree: bool,
    /// Limit of a tree's memory in bytes.
    pub tree_bytes: usize,
    /// Share of a row's weight that follows surprise.
    pub surprise_share: f32,
}

impl<G: Trainable> Settings<G> {
    /// How a configuration asks for games of a purpose.
    pub fn new(config: &Config, purpose: Purpose, generation: u64) -> Self {
        Self {
            start: G::new(&G::rules(config)),
            exploration: Exploration::new(config, purpose),
            run_seed: config.seed,
            stream: match purpose {
                Purpose::Selfplay => Stream::SelfPlay,
                Purpose::Measurement => Stream::Measurement,
            },
            generation,
            in_flight: config.selfplay.in_flight as usize,
            reuse_tree: config.selfplay.reuse_tree,
            tree_bytes: config.search.tree_mib << 20,
            surprise_share: config.selfplay.surprise_share,
        }
    }
}

/// Games that are played together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Number within the generation and purpose.
    pub number: u32,
    /// Numbers of its games.
    pub games: Range<u32>,
}

/// Divides `games` games into groups of at most `size`.
pub fn groups(games: u32, size: u32) -> Vec<Group> {
    let size = size.max(1);
    let group = |number: u32| Group {
        number,
        games: number * size..((number + 1) * size).min(games),
    };
    (0..games.div_ceil(size)).map(group).collect()
}

/// Plays groups, one thread for each evaluator, until all are played or `stop` is set.
///
/// `finished` gets the records of each group as it ends, in any order, on the calling thread; if it fails, the games in
/// progress are given up. `tick` is called there several times a second.
///
/// # Errors
/// The first failure of an evaluator, a search, or `finished`.
pub fn play<G: Game, E: Evaluator<G> + Send, Failure: From<SelfplayError>>(
    evaluators: &mut [E],
    groups: &[Group],
    settings: &Settings<G>,
    stop: &AtomicBool,
    counters: &Counters,
    mut finished: impl FnMut(&Group, Vec<GameRecord<G>>) -> Result<(), Failure>,
    mut tick: impl FnMut(),
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    // A failure stops the other threads without touching the caller's flag.
    let failed = AtomicBool::new(false);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for evaluator in evaluators {
            let sender = sender.clone();
            let (next, failed) = (&next, &failed);
            scope.spawn(move || {
                while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let stopped = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
                    let records = group::play(group, settings, evaluator, &stopped, counters);
                    failed.fetch_or(records.is_err(), Ordering::Relaxed);
                    // The receiver lives until all senders are gone.
                    let _ = sender.send((group, records));
                    if stopped() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        loop {
            match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok((group, records)) => {
                    let handed_on = match records {
                        Ok(Some(records)) if result.is_ok() => finished(group, records),
                        Ok(_) => Ok(()),
                        Err(error) => Err(error.into()),
                    };
                    if let Err(error) = handed_on {
                        failed.store(true, Ordering::Relaxed);
                        if result.is_ok() {
                            result = Err(error);
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            tick();
        }
        result
    })
}
