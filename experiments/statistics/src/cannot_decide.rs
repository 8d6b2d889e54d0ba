//! Reasons that a planned finding decides nothing.

use crate::Verdict;

/// The reason that a finding decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CannotDecide {
    /// A number is invalid or out of range.
    #[error("{what} is {found}: expected {expected}")]
    Senseless {
        /// The number.
        what: &'static str,
        /// Its value.
        found: f64,
        /// The expected range.
        expected: &'static str,
    },
    /// The effect in the world where the claim holds, or fails, is on the wrong side of the threshold.
    #[error("the claim is to {verdict} at {effect}, which is on the wrong side of its threshold {threshold}", verdict = side(*.verdict))]
    WrongSide {
        /// The right verdict in this world.
        verdict: Verdict,
        /// The effect of the world.
        effect: f64,
        /// The threshold.
        threshold: f64,
    },
    /// Numbers in this range with this mean cannot vary this much.
    #[error("a block cannot have a standard deviation of {deviation} at a mean of {mean}: expected less than {most}")]
    TooVaried {
        /// The deviation.
        deviation: f64,
        /// The mean.
        mean: f64,
        /// The largest possible deviation.
        most: f64,
    },
    /// The right verdict is too rare in one of the two worlds.
    #[error("*{verdict}* comes out in {probability:.3} of the findings where the effect is {effect}: expected at least {least}", verdict = .verdict.name())]
    Weak {
        /// The right verdict in this world.
        verdict: Verdict,
        /// The effect of the world.
        effect: f64,
        /// Its probability.
        probability: f64,
        /// The required probability.
        least: f64,
    },
}

/// A number of a plan: its name, its value, the expected range, and true if it is valid.
type Checked = (&'static str, f64, &'static str, bool);

/// A number that is valid if it is positive.
pub(crate) const fn positive(what: &'static str, found: f64) -> Checked {
    (what, found, "a positive number", found > 0.0 && found.is_finite())
}

/// The planned number of blocks.
pub(crate) const fn blocks(count: u64) -> Checked {
    ("the number of blocks", count as f64, "at least 1", count > 0)
}

impl CannotDecide {
    /// Refuses the first invalid number.
    pub(crate) fn check_numbers(numbers: impl IntoIterator<Item = Checked>) -> Result<(), Self> {
        match numbers.into_iter().find(|&(.., sensible)| !sensible) {
            Some((what, found, expected, _)) => Err(Self::Senseless { what, found, expected }),
            None => Ok(()),
        }
    }

    /// Refuses worlds on the wrong side of a threshold, above which the claim holds.
    pub(crate) fn check_sides(threshold: f64, (holds, fails): (f64, f64)) -> Result<(), Self> {
        for (verdict, effect, right) in [
            (Verdict::Supported, holds, holds > threshold),
            (Verdict::Refuted, fails, fails < threshold),
        ] {
            if !right {
                return Err(Self::WrongSide {
                    verdict,
                    effect,
                    threshold,
                });
            }
        }
        Ok(())
    }
}

const fn side(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "hold",
        Verdict::Refuted => "fail",
        Verdict::Inconclusive => "be open",
    }
}
