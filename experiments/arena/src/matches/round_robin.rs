//! Matches between every two of several contestants.

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

    /// A round robin: every two contestants play a match of `pairs` pairs, in the order (0, 1), (0, 2), …, (1, 2), …,
    /// unless `stop` is set.
    ///
    /// # Errors
    /// If a match cannot be played, or it was stopped.
    pub fn round_robin(
        &self,
        contestants: &[Contestant<G>],
        pairs: u32,
        stop: &AtomicBool,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> Result<Vec<MatchResult>, MatchError> {
        let mut results = Vec::new();
        for (index, first) in contestants.iter().enumerate() {
            for second in &contestants[index + 1..] {
                let conditions = self.numbered(results.len() as u64);
                results.push(conditions.play_until([first, second], 0..pairs, stop, on_event)?);
            }
        }
        Ok(results)
    }
}
