//! The scores that several judges give.

use serde::{Deserialize, Serialize};

/// An expected score from 0 to 1, with the least and the greatest that any judge gives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The mean of all judges.
    pub mean: f64,
    /// The greatest.
    pub high: f64,
}

impl Range {
    /// Of the scores of judges; `None` if there are none.
    pub fn of(scores: &[f64]) -> Option<Self> {
        let (first, rest) = scores.split_first()?;
        let ends = rest.iter().fold((*first, *first), |(low, high), &score| {
            (low.min(score), high.max(score))
        });
        Some(Self {
            low: ends.0,
            mean: scores.iter().sum::<f64>() / scores.len() as f64,
            high: ends.1,
        })
    }

    /// The same scores for the other player.
    #[must_use]
    pub fn turned(self) -> Self {
        Self {
            low: 1.0 - self.high,
            mean: 1.0 - self.mean,
            high: 1.0 - self.low,
        }
    }

    /// The score of a player who has both choices: the better one, end by end.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            mean: self.mean.max(other.mean),
            high: self.high.max(other.high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_the_ends_of_its_scores_and_turns_with_the_player() {
        assert_eq!(Range::of(&[]), None);
        let range = Range::of(&[0.5, 0.25, 0.75]);
        let expected = Range {
            low: 0.25,
            mean: 0.5,
            high: 0.75,
        };
        assert_eq!(range, Some(expected));
        let turned = Range {
            low: 0.1,
            mean: 0.2,
            high: 0.6,
        }
        .turned();
        let close = |one: f64, other: f64| (one - other).abs() < 1e-12;
        assert!(
            close(turned.low, 0.4) && close(turned.mean, 0.8) && close(turned.high, 0.9),
            "{turned:?}"
        );
        let better = expected.or(Range {
            low: 0.3,
            mean: 0.4,
            high: 0.5,
        });
        assert_eq!(
            better,
            Range {
                low: 0.3,
                mean: 0.5,
                high: 0.75
            }
        );
    }
}
