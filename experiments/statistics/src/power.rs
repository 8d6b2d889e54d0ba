//! The power of a planned finding.

use serde::{Deserialize, Serialize};

use crate::Verdict;

/// Probabilities of a planned finding's results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// The smallest possible p-value; `None` if there is no such bound.
    pub attainable_p: Option<f64>,
    /// Mean half width of the interval at the planned number of blocks, in the unit of the statistic; `None` without an
    /// interval.
    pub half_width: Option<f64>,
    /// Blocks (of forks, forks) after which half of the findings are decided if the claim holds; `None` if that is
    /// unknown: for a mean, if they are more than four times the planned number.
    pub blocks_if_it_holds: Option<u64>,
    /// The same if the claim fails.
    pub blocks_if_it_fails: Option<u64>,
    /// Probability of *supported* at the planned size if the claim holds.
    pub supported: f64,
    /// Probability of *refuted* at the planned size if it does not.
    pub refuted: f64,
    /// Probability of *refuted* if it holds: an error.
    pub wrongly_refuted: f64,
    /// Probability of *supported* if it does not: an error.
    pub wrongly_supported: f64,
    /// Findings simulated in each world: with n of them, probabilities have a standard error of at most 1 / (2 √n).
    pub simulations: u32,
}

/// The shares of simulated findings that are *supported* and *refuted*.
pub(crate) fn verdict_shares(findings: u32, mut simulated: impl FnMut() -> Verdict) -> [f64; 2] {
    let mut counts = [0_u32; 2];
    for _ in 0..findings {
        match simulated() {
            Verdict::Supported => counts[0] += 1,
            Verdict::Refuted => counts[1] += 1,
            Verdict::Inconclusive => {}
        }
    }
    counts.map(|count| f64::from(count) / f64::from(findings))
}
