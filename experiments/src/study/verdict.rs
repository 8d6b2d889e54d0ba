//! The one rule by which estimates become verdicts.

use super::Verdict;
use crate::rating::Interval;

/// What a claim says of a number. The bound is the smallest effect that would count, fixed before the data are seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claimed {
    /// It lies above this.
    Above(f64),
    /// It lies below this.
    Below(f64),
}

impl Claimed {
    /// Supported if the whole interval agrees with the claim, refuted if none of it does, else inconclusive; and
    /// inconclusive without an interval.
    ///
    /// Either verdict is wrong at most as often as the interval misses the true number on one side: half of what is
    /// left to the level of a two-sided interval.
    pub fn verdict(self, interval: Option<Interval>) -> Verdict {
        let Some(Interval { low, high }) = interval else {
            return Verdict::Inconclusive;
        };
        let above = |bound| low.is_some_and(|low| low > bound);
        let below = |bound| high.is_some_and(|high| high < bound);
        let (agrees, contradicts) = match self {
            Self::Above(bound) => (above(bound), below(bound)),
            Self::Below(bound) => (below(bound), above(bound)),
        };
        match (agrees, contradicts) {
            (true, _) => Verdict::Supported,
            (_, true) => Verdict::Refuted,
            _ => Verdict::Inconclusive,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_interval_on_one_side_of_the_bound_decides() {
        let interval = |low, high| Some(Interval { low, high });
        for (low, high, above) in [
            (Some(0.6), Some(0.7), Verdict::Supported),
            (Some(0.3), Some(0.4), Verdict::Refuted),
            (Some(0.4), Some(0.6), Verdict::Inconclusive),
            (Some(0.6), None, Verdict::Supported),
            (None, Some(0.6), Verdict::Inconclusive),
            (None, Some(0.4), Verdict::Refuted),
            (Some(0.5), Some(0.7), Verdict::Inconclusive),
        ] {
            assert_eq!(Claimed::Above(0.5).verdict(interval(low, high)), above);
            let below = match above {
                Verdict::Supported => Verdict::Refuted,
                Verdict::Refuted => Verdict::Supported,
                Verdict::Inconclusive => Verdict::Inconclusive,
            };
            assert_eq!(Claimed::Below(0.5).verdict(interval(low, high)), below);
        }
        assert_eq!(Claimed::Above(0.5).verdict(None), Verdict::Inconclusive);
    }
}
