//! The place where matches are played.

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use chase_engine::Game;
use rand::Rng;
use serde::{Deserialize, Serialize};

use super::runner::{Match, PairResult};
use crate::players::Contestant;
use chase_statistics::generator;

impl<G: Game> Match<G> {
    /// These conditions with a separate seed for each of many matches, so that the matches share no randomness.
    #[must_use]
    pub fn numbered(&self, number: u64) -> Self {
        Self {
            seed: generator(self.seed, &[number]).next_u64(),
            ..self.clone()
        }
    }
}

/// Pairs of one match that are played together, on one thread.
///
/// Which pairs these are does not depend on the number of threads: the last digits of a network's output can depend on the
/// number of positions in a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairUnit {
    /// The number of the match, for its [seed](Match::numbered).
    pub number: u64,
    /// The first and the second player, as indices into a list of them.
    pub players: [usize; 2],
    /// Numbers of the pairs within the match.
    pub pairs: Range<u32>,
}

impl PairUnit {
    /// The units of a match of `pairs` pairs, with at most `at_once` each.
    pub fn of_match(number: u64, players: [usize; 2], pairs: u32, at_once: u32) -> impl Iterator<Item = Self> {
        let starts = (0..pairs).step_by(at_once as usize);
        starts.map(move |start| Self {
            number,
            players,
            pairs: start..(start + at_once).min(pairs),
        })
    }
}

/// Receives the games of successive units, the first of which has this index, and decides whether to continue.
pub type Deliver<'a> = dyn FnMut(usize, Vec<Vec<PairResult>>) -> anyhow::Result<ControlFlow<()>> + Send + 'a;

/// Plays units.
pub trait Venue<G: Game>: fmt::Debug {
    /// Plays the units from index `from` on, until all are delivered, `deliver` stops, or `stop` is set. The same games
    /// wherever they are played.
    ///
    /// # Errors
    /// If one of them cannot be played or delivered.
    fn play(
        &mut self,
        conditions: &Match<G>,
        contestants: &[&Contestant<G>],
        units: &[PairUnit],
        from: usize,
        stop: &AtomicBool,
        deliver: &mut Deliver<'_>,
    ) -> anyhow::Result<()>;
}
