//! Intervals without a probability model: the same pairs of games, resampled.

use std::collections::HashMap;

use chase_engine::Outcome;
use rand::RngExt;
use rayon::prelude::*;
use serde::Serialize;

use crate::generator;
use crate::{BradleyTerry, CrossTable, Interval, RatingError};

/// The pairs of games between two players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairedResults {
    /// Names of the players.
    pub players: [String; 2],
    /// For each pair, the game in which the first player was White, then the other.
    pub pairs: Vec<[Outcome; 2]>,
}

/// 95 % intervals of joint ratings by the bootstrap (Efron 1979): from the pairs of each match, as many as there were
/// are drawn with replacement, ratings are fitted to them, and this is repeated; the interval is the middle 95 % of the
/// ratings.
///
/// Pairs are resampled, not games, since the two games of a pair have the same opening. If openings favour a colour,
/// the results of a pair's games are negatively correlated, and intervals that treat games as independent are wider
/// than necessary; if an opening suits a player, they are too narrow.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bootstrap {
    /// Number of resampled tables.
    pub resamples: u32,
    /// The interval of each player's rating above the anchor's, in Elo, by name. A side is `None` if more than one in
    /// forty of the tables gave no number, or if there are fewer than forty tables.
    pub ratings: HashMap<String, Interval>,
    /// The interval of the advantage of the first move, in Elo.
    pub first_move: Interval,
}

impl Bootstrap {
    /// Draws this many tables with generators derived from a seed; the result does not depend on the number of threads.
    ///
    /// # Errors
    /// If the anchor has no game with a result, or a player meets itself.
    pub fn new(matches: &[PairedResults], anchor: &str, resamples: u32, seed: u64) -> Result<Self, RatingError> {
        let mut whole = CrossTable::default();
        for paired in matches {
            whole.add_pairs(paired.names(), paired.pairs.iter().copied());
        }
        let (players, _) = BradleyTerry::most_likely(&whole, anchor)?;
        let drawn: Vec<_> = (0..u64::from(resamples))
            .into_par_iter()
            .map(|number| {
                let mut rng = generator(seed, &[number]);
                let mut table = CrossTable::default();
                for paired in matches {
                    let count = paired.pairs.len();
                    let pairs = (0..count).map(|_| paired.pairs[rng.random_range(0..count)]);
                    table.add_pairs(paired.names(), pairs);
                }
                // This fails if by chance the anchor has no game with a result: such a table gives no ratings.
                BradleyTerry::most_likely(&table, anchor).unwrap_or((Vec::new(), f64::NAN))
            })
            .collect();
        let of_player = |name: &str| {
            let ratings = drawn.iter().map(|(ratings, _)| {
                let found = ratings.iter().find(|(known, _)| known == name);
                found.map_or(f64::NAN, |&(_, rating)| rating)
            });
            middle(ratings.collect())
        };
        Ok(Self {
            resamples,
            first_move: middle(drawn.iter().map(|&(_, first_move)| first_move).collect()),
            ratings: players
                .into_iter()
                .map(|(name, _)| (name.clone(), of_player(&name)))
                .collect(),
        })
    }
}

impl PairedResults {
    fn names(&self) -> [&str; 2] {
        self.players.each_ref().map(String::as_str)
    }
}

/// The middle 95 % of numbers; NaN may lie at either end. Without ends if there are too few numbers for any to lie
/// outside.
fn middle(mut numbers: Vec<f64>) -> Interval {
    // A fortieth on either side leaves the middle 95 %.
    let outside = numbers.len() / 40;
    if outside == 0 {
        return Interval { low: None, high: None };
    }
    let mut end = |unknown: f64, place: fn(usize, usize) -> usize| {
        let known = |number: &f64| if number.is_nan() { unknown } else { *number };
        numbers.sort_by(|a, b| known(a).total_cmp(&known(b)));
        let place = place(outside, numbers.len());
        numbers.get(place).map(known).filter(|end| end.is_finite())
    };
    Interval {
        low: end(f64::NEG_INFINITY, |outside, _| outside),
        high: end(f64::INFINITY, |outside, all| all.saturating_sub(1 + outside)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_leaves_out_a_fortieth_at_either_end() {
        let numbers: Vec<f64> = (0..1000).rev().map(f64::from).collect();
        let expected = Interval {
            low: Some(25.0),
            high: Some(974.0),
        };
        assert_eq!(middle(numbers.clone()), expected);
        let with = |strange: f64, count: usize| {
            let mut numbers = numbers.clone();
            numbers[..count].fill(strange);
            middle(numbers)
        };
        // The largest 26 are missing: there is no upper end.
        assert_eq!(with(f64::INFINITY, 26).high, None);
        assert_eq!(with(f64::INFINITY, 25).high, Some(974.0));
        assert_eq!((with(f64::NAN, 26).low, with(f64::NAN, 26).high), (None, None));
        for few in [Vec::new(), vec![1.0], vec![1.0; 39]] {
            assert_eq!(middle(few), Interval { low: None, high: None });
        }
        assert_eq!(middle(vec![1.0; 40]).low, Some(1.0));
    }
}
