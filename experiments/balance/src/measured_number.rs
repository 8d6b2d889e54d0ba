//! A number that an agent's games measure.

use chase_statistics::clusters::{BlockSums, mean_and_error};
use serde::{Deserialize, Serialize};

/// A number with its standard error from games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The number.
    pub value: f64,
    /// Its standard error by the agent's games, with pairs of games as units; `None` if all units are alike and nothing
    /// bounds the number.
    pub error: Option<f64>,
}

impl Measured {
    /// The mean of observations that come in pairs of games; `None` without any.
    pub fn mean(pairs: &[BlockSums]) -> Option<Self> {
        let (value, error) = mean_and_error(pairs)?;
        Some(Self {
            value,
            error: (error > 0.0).then_some(error),
        })
    }

    /// The mean of observations from 0 to 1. If all are alike, the error is that of one more unit for each end
    /// (Laplace): a hundred wins in a row do not show that the next game is won for certain.
    pub fn share(pairs: &[BlockSums]) -> Option<Self> {
        let found = Self::mean(pairs)?;
        let units = pairs.iter().filter(|sums| sums.count > 0.0).count() as f64;
        let alike = || {
            let share = (found.value * units + 1.0) / (units + 2.0);
            (share * (1.0 - share) / (units + 2.0)).sqrt()
        };
        Some(Self {
            error: Some(found.error.unwrap_or_else(alike)),
            ..found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_pairs_and_never_zero_for_a_share() {
        let pair = |total: f64| BlockSums { total, count: 2.0 };
        let found = Measured::share(&[pair(2.0), pair(0.0), pair(2.0), pair(0.0)]).expect("games");
        // Four units of 1, 0, 1, 0: √(1/3 / 4).
        assert_eq!(found.value, 0.5);
        assert!(
            (found.error.unwrap_or(0.0) - (1.0_f64 / 12.0).sqrt()).abs() < 1e-12,
            "{found:?}"
        );
        let won = Measured::share(&[pair(2.0); 8]).expect("games");
        let expected = (0.9_f64 * 0.1 / 10.0).sqrt();
        assert!((won.error.unwrap_or(0.0) - expected).abs() < 1e-12, "{won:?}");
        assert_eq!(Measured::mean(&[pair(2.0); 8]).map(|found| found.error), Some(None));
        assert_eq!(Measured::share(&[BlockSums::default(); 3]), None);
    }
}
