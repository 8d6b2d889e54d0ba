//! Reasons that a planned finding decides nothing.

use crate::Verdict;

/// The reason that a finding decides nothing.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CannotDecide {
    /// A number is none, or not where it must be.
    #[error("{what} is {found}: expected {expected}")]
    Senseless {
        /// The number.
        what: &'static str,
        /// What it is.
        found: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// The world in which the claim holds or fails lies on the other side of the threshold.
    #[error("the claim is to {verdict} at {effect}, which is on the wrong side of its threshold {threshold}", verdict = side(*.verdict))]
    WrongSide {
        /// The verdict that would be right.
        verdict: Verdict,
        /// The effect of the world.
        effect: f64,
        /// The threshold.
        threshold: f64,
    },
    /// Numbers in this range with this mean cannot vary so much.
    #[error("a block cannot have a standard deviation of {deviation} at a mean of {mean}: expected less than {most}")]
    TooVaried {
        /// The deviation.
        deviation: f64,
        /// The mean.
        mean: f64,
        /// The greatest deviation that there can be.
        most: f64,
    },
    /// Whatever is found, the p-value is above the error.
    #[error(
        "the least p-value that can come out is {attainable:.4}, above the error {error:.4}: {ways} of {choices} choices are as low even at best"
    )]
    TooCoarse {
        /// The least p-value.
        attainable: f64,
        /// The error.
        error: f64,
        /// Choices of units that are as low as the class at best.
        ways: f64,
        /// All choices.
        choices: f64,
    },
    /// There are more choices of units than can be gone through.
    #[error("there are {choices} choices of units: expected at most {most}")]
    TooMany {
        /// All choices.
        choices: f64,
        /// The most that are gone through.
        most: f64,
    },
    /// The right verdict is too rare in one of the two worlds.
    #[error("*{verdict}* comes out in {probability:.3} of the findings where the effect is {effect}: expected at least {least}", verdict = .verdict.name())]
    Weak {
        /// The verdict that would be right.
        verdict: Verdict,
        /// The effect of the world.
        effect: f64,
        /// How often it comes out.
        probability: f64,
        /// How often it should.
        least: f64,
    },
}

impl CannotDecide {
    /// Refuses the first number that is not where it must be: of each what it is, its value, what is expected, and whether it is so.
    pub(crate) fn check_numbers(
        numbers: impl IntoIterator<Item = (&'static str, f64, &'static str, bool)>,
    ) -> Result<(), Self> {
        match numbers.into_iter().find(|&(.., sensible)| !sensible) {
            Some((what, found, expected, _)) => Err(Self::Senseless { what, found, expected }),
            None => Ok(()),
        }
    }

    /// Refuses worlds on the wrong side of a threshold, where a claim is to hold, and where it is to fail, *above* it if `above`.
    pub(crate) fn check_sides(above: bool, threshold: f64, (holds, fails): (f64, f64)) -> Result<(), Self> {
        for (verdict, effect, right) in [
            (
                Verdict::Supported,
                holds,
                if above { holds > threshold } else { holds < threshold },
            ),
            (
                Verdict::Refuted,
                fails,
                if above { fails < threshold } else { fails > threshold },
            ),
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
