//! The share of worlds with a wrong result, and whether it is as small as promised.

use chase_statistics::{Interval, exact_binomial};
use serde::{Deserialize, Serialize};

/// Level of the interval. A sound test fails a control with a probability of half of the rest at most.
const LEVEL: f64 = 0.99;

/// The share of worlds with a wrong result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorShare {
    /// Worlds with a wrong result.
    pub wrong: u32,
    /// All worlds.
    pub worlds: u32,
    /// The error that the test promises: its share of wrong results is no larger, in the long run.
    pub nominal: f64,
    /// The exact interval of that share (Clopper and Pearson).
    pub interval: Interval,
    /// Level of the interval.
    pub level: f64,
    /// True if the whole interval lies above the promised error: the test, or the world, is at fault.
    pub failed: bool,
}

impl ErrorShare {
    /// The share of `wrong` among `worlds`, for a test that promises an error of `nominal` at most.
    pub fn of(wrong: u32, worlds: u32, nominal: f64) -> Self {
        let interval = exact_binomial(wrong.into(), worlds.into(), LEVEL);
        Self {
            wrong,
            worlds,
            nominal,
            interval,
            level: LEVEL,
            failed: interval.low.is_some_and(|low| low > nominal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_errors_than_chance_explains_are_a_failure() {
        let failed = |wrong| ErrorShare::of(wrong, 100, 0.05).failed;
        assert!(!failed(0) && !failed(5) && !failed(11));
        assert!(failed(13) && failed(100));
        // A few worlds can be all wrong by chance, or not.
        assert!(!ErrorShare::of(0, 0, 0.05).failed && !ErrorShare::of(1, 1, 0.05).failed);
        assert!(ErrorShare::of(2, 2, 0.05).failed);
    }
}
