//! The place where matches are played.

use std::fmt;
use std::sync::atomic::AtomicBool;

use chase_engine::Game;
use rand::Rng;

use super::runner::{Match, MatchError, MatchEvent, MatchResult};
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

/// One of several matches.
#[derive(Clone, Copy, Debug)]
pub struct Fixture<'a, G: Game> {
    /// The number of the match, for its [seed](Match::numbered).
    pub number: u64,
    /// The first and the second contestant.
    pub contestants: [&'a Contestant<G>; 2],
}

impl<'a, G: Game> Fixture<'a, G> {
    /// A round robin: (0, 1), (0, 2), …, (1, 2), …
    pub fn round_robin(contestants: &'a [Contestant<G>]) -> Vec<Self> {
        let pairs = contestants.iter().enumerate().flat_map(|(index, first)| {
            let others = contestants[index + 1..].iter();
            others.map(move |second| [first, second])
        });
        let fixture = |(number, contestants)| Self { number, contestants };
        (0..).zip(pairs).map(fixture).collect()
    }
}

/// Plays matches.
pub trait Venue<G: Game>: fmt::Debug {
    /// Plays the matches, `pairs` pairs each, unless `stop` is set. The same games wherever they are played.
    ///
    /// # Errors
    /// If one of them cannot be played, or they were stopped.
    fn play(
        &mut self,
        conditions: &Match<G>,
        fixtures: &[Fixture<'_, G>],
        pairs: u32,
        stop: &AtomicBool,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> Result<Vec<MatchResult>, MatchError>;
}

/// Plays all matches in this process, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl<G: Game> Venue<G> for Here {
    fn play(
        &mut self,
        conditions: &Match<G>,
        fixtures: &[Fixture<'_, G>],
        pairs: u32,
        stop: &AtomicBool,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> Result<Vec<MatchResult>, MatchError> {
        let played = fixtures.iter().map(|fixture| {
            let conditions = conditions.numbered(fixture.number);
            conditions.play_until(fixture.contestants, 0..pairs, stop, on_event)
        });
        played.collect()
    }
}
