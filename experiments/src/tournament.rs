//! Matches among several contestants.

use chase_engine::Game;
use rand::Rng;

use crate::agent::Contestant;
use crate::match_runner::{Match, MatchError, MatchEvent, MatchResult};
use crate::rating::{PairCounts, Sprt, Verdict};
use crate::seed::generator;

impl<G: Game> Match<G> {
    /// These conditions under a seed of their own for one of many matches, so that the matches share no randomness.
    #[must_use]
    pub fn numbered(&self, number: u64) -> Self {
        Self {
            seed: generator(self.seed, &[number]).next_u64(),
            ..self.clone()
        }
    }

    /// A round robin: every two contestants play a match of so many pairs, in the order (0, 1), (0, 2), …, (1, 2), ….
    ///
    /// # Errors
    /// If a match cannot be played.
    pub fn round_robin(
        &self,
        contestants: &[Contestant<G>],
        pairs: u32,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> Result<Vec<MatchResult>, MatchError> {
        let mut results = Vec::new();
        for (index, first) in contestants.iter().enumerate() {
            for second in &contestants[index + 1..] {
                let conditions = self.numbered(results.len() as u64);
                results.push(conditions.play([first, second], 0..pairs, on_event)?);
            }
        }
        Ok(results)
    }

    /// Plays until a sequential test accepts a hypothesis about the first contestant, or `most` pairs are played.
    ///
    /// The test looks at the pairs in the order of their numbers, and what follows the pair that decides is left out of
    /// the result. It therefore depends neither on the number of threads nor on `wave`, the number of pairs played
    /// between two looks, and quickly finished games have no more weight than others.
    ///
    /// # Errors
    /// If the match cannot be played.
    pub fn play_until(
        &self,
        contestants: [&Contestant<G>; 2],
        sprt: &Sprt,
        most: u32,
        wave: u32,
        on_event: &(dyn Fn(MatchEvent<'_>) + Sync),
    ) -> Result<(MatchResult, Verdict), MatchError> {
        let mut result = self.play(contestants, 0..0, on_event)?;
        let mut counts = PairCounts::default();
        while (result.pairs.len() as u32) < most {
            let begin = result.pairs.len() as u32;
            let end = begin.saturating_add(wave.max(1)).min(most);
            for pair in self.play(contestants, begin..end, on_event)?.pairs {
                counts.add_pair(&pair);
                result.pairs.push(pair);
                let verdict = sprt.verdict(sprt.log_likelihood_ratio(&counts));
                if verdict != Verdict::Continue {
                    return Ok((result, verdict));
                }
            }
        }
        Ok((result, Verdict::Continue))
    }
}
