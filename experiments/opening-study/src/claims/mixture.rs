//! A1: free games and games after forced first moves, pooled.
//!
//! Games from the initial position are games after first moves, in the frequencies in which the player chooses them:
//! its temperature counts the forced ply as one of the first plies. So the score of the first player is the mean of the
//! scores after first moves, weighted with these frequencies. Both ways estimate the same number, and a block takes the
//! mean of both, each weighted by its precision. The weights depend on the first moves played, not on results.

use std::collections::HashMap;

use super::games::{GamesAnalysis, Sides};
use super::measure::Measure;
use crate::evidence::games::{GameFacts, SeriesId};
use crate::first_moves;
use chase_statistics::{Contrast, block_numbers};

/// The first moves of one player, with their frequencies in its games from the initial position.
struct Mixture<'a> {
    /// Games from the initial position, and the number of them in a block.
    free: &'a [GameFacts],
    size: usize,
    /// Games after each first move played, and its frequency; empty if the first moves are unknown.
    parts: Vec<(&'a [GameFacts], f64)>,
}

impl<'a> Mixture<'a> {
    fn of(analysis: &GamesAnalysis<'a>, player: usize) -> Self {
        let free = analysis.games(SeriesId::free(player));
        let moves = first_moves();
        let first = |game: &GameFacts| {
            let action = game.line.first()?.parse().ok()?;
            moves.iter().position(|first| first.actions.contains(&action))
        };
        let mut counts: HashMap<usize, u32> = HashMap::new();
        let known: Option<Vec<usize>> = free.iter().map(first).collect();
        known
            .into_iter()
            .flatten()
            .for_each(|index| *counts.entry(index).or_default() += 1);
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_unstable();
        let part = |(index, count): (usize, u32)| {
            let games = analysis.games(SeriesId::first(player, moves[index].action()));
            (games, f64::from(count) / free.len() as f64)
        };
        Self {
            free,
            size: analysis.design.config.initial_factor.max(1) as usize,
            parts: counts.into_iter().map(part).collect(),
        }
    }

    /// Number of free games with the precision of a block. If one result has variance 1, a mean of k has 1/k, and a
    /// weighted mean has the sum of squared weights.
    fn worth(&self) -> f64 {
        let concentration: f64 = self.parts.iter().map(|(_, share)| share * share).sum();
        let forced = if self.parts.is_empty() {
            0.0
        } else {
            1.0 / concentration
        };
        self.size as f64 + forced
    }

    /// The score of the first player in each block with free games.
    fn blocks(&self) -> Vec<Option<f64>> {
        let weight = 1.0 - self.size as f64 / self.worth();
        let block = |(block, games): (usize, &[GameFacts])| {
            let scores: Vec<f64> = games.iter().filter_map(|game| Measure::Score.of(game)).collect();
            let free = (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)?;
            Some(
                self.forced(block)
                    .map_or(free, |forced| weight * forced + (1.0 - weight) * free),
            )
        };
        self.free.chunks_exact(self.size).enumerate().map(block).collect()
    }

    /// The score by the forced games of one block, if there are any, and all of them were played and have a result.
    fn forced(&self, block: usize) -> Option<f64> {
        let terms = self
            .parts
            .iter()
            .map(|(games, share)| Some(share * games.get(block)?.score?));
        let score = terms.sum::<Option<f64>>()?;
        (!self.parts.is_empty()).then_some(score)
    }
}

impl GamesAnalysis<'_> {
    /// The score of the first player, one number for each block: the mean over players. A block is one game after each
    /// forced first move, with as many games from the initial position as the study plays for each of those.
    pub(super) fn mixed_blocks(&self, sides: &[Sides]) -> Vec<f64> {
        let players = sides.iter().flat_map(|sides| &sides.plus).map(|free| free.player);
        let contrast = |player: usize| Contrast {
            plus: vec![Mixture::of(self, player).blocks()],
            minus: Vec::new(),
        };
        block_numbers(&players.map(contrast).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::{Outcome, Player};

    use super::*;
    use crate::claims::tests::world;
    use crate::evidence::games::GamesConfig;

    fn game(first: &str, winner: Player) -> GameFacts {
        let outcome = Outcome::Win(winner);
        GameFacts {
            score: crate::evidence::score::score(outcome),
            outcome,
            plies: 9,
            first_capture: None,
            early_losses: [0; 2],
            early_threats: [0; 2],
            first_chamber: None,
            fives: Vec::new(),
            line: vec![first.to_owned()],
        }
    }

    /// Two of three free games begin with A3NE, after which White always wins, and one with 1A6A7, after which White
    /// always loses.
    #[test]
    fn free_games_and_games_after_first_moves_are_weighted_by_their_precision() {
        let design = world::design_of(GamesConfig {
            initial_factor: 2,
            replies: false,
            ..GamesConfig::default()
        });
        let series = design.series();
        let [won, lost] =
            [("A3NE", Player::White), ("1A6A7", Player::Black)].map(|(first, winner)| game(first, winner));
        let free = [&won, &lost, &won, &won, &won, &lost].map(Clone::clone);
        let games = HashMap::from([
            (SeriesId::free(0), free.into()),
            ("0/first/A3NE".parse().unwrap(), vec![won.clone(); 2]),
            ("0/first/1A6A7".parse().unwrap(), vec![lost.clone(); 2]),
        ]);
        let analysis = GamesAnalysis::new(&design, &series, &games);
        let mixed = analysis.mixed_blocks(&[Sides {
            plus: vec![SeriesId::free(0)],
            minus: Vec::new(),
        }]);
        // The forced games of a block have the precision of 1 / (4/9 + 1/9) = 1.8 free ones, of which there are 2.
        let by_both = |free: f64| (1.8 * 2.0 / 3.0 + 2.0 * free) / 3.8;
        // The third block has no forced games.
        let expected = [by_both(0.5), by_both(1.0), 0.5];
        assert_eq!(mixed.len(), expected.len());
        for (found, expected) in mixed.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{:?}", mixed);
        }
    }
}
