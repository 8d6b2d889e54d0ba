//! The one rule that turns a number with its interval into a verdict.

use serde::{Deserialize, Serialize};

use crate::Interval;

/// The verdict of the evidence on a claim, or on a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The evidence confirms it.
    Supported,
    /// The evidence contradicts it.
    Refuted,
    /// The evidence is not enough at the stated error rate.
    Inconclusive,
}

impl Verdict {
    /// Its name: `supported`, `refuted` or `inconclusive`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Refuted => "refuted",
            Self::Inconclusive => "inconclusive",
        }
    }

    /// The verdict on a statement that the rules decide.
    pub const fn of(holds: bool) -> Self {
        if holds { Self::Supported } else { Self::Refuted }
    }
}

impl Verdict {
    /// The verdict on the statement that an effect is greater than `threshold`: supported if its whole interval lies
    /// above, refuted if its whole interval lies below, else inconclusive.
    ///
    /// The threshold defines "greater" before any data are seen. With a null of 0 and a margin m it is m for "greater
    /// by a margin that matters", and −m for "not smaller by a margin that matters". Then a verdict is wrong only if
    /// the interval misses the truth, and no effect that is too small to matter is ever called supported, however many
    /// games show it.
    pub fn greater_than(interval: &Interval, threshold: f64) -> Self {
        if interval.low.is_some_and(|low| low > threshold) {
            Self::Supported
        } else if interval.high.is_some_and(|high| high < threshold) {
            Self::Refuted
        } else {
            Self::Inconclusive
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_interval_beyond_the_threshold_decides() {
        let verdict = |low: f64, high: f64| {
            let (low, high) = (Some(low), Some(high));
            Verdict::greater_than(&Interval { low, high }, 0.02)
        };
        assert_eq!(verdict(0.03, 0.09), Verdict::Supported);
        assert_eq!(verdict(0.01, 0.09), Verdict::Inconclusive);
        // Certainly not 0, and certainly too small to matter.
        assert_eq!(verdict(0.005, 0.015), Verdict::Refuted);
        assert_eq!(verdict(0.02, 0.02), Verdict::Inconclusive);
        let unbounded = Interval {
            low: None,
            high: Some(0.0),
        };
        assert_eq!(Verdict::greater_than(&unbounded, 0.02), Verdict::Refuted);
    }
}
