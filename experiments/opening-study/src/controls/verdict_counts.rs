//! The number of worlds with each verdict.

use chase_statistics::Verdict;
use serde::{Deserialize, Serialize};

/// The number of worlds with each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictCounts {
    /// Worlds in which the claim was supported.
    pub supported: u32,
    /// Worlds in which it was refuted.
    pub refuted: u32,
    /// Worlds in which it stayed open.
    pub inconclusive: u32,
}

impl VerdictCounts {
    /// All worlds.
    pub const fn worlds(&self) -> u32 {
        self.supported + self.refuted + self.inconclusive
    }
}

impl FromIterator<Verdict> for VerdictCounts {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let mut counts = Self::default();
        for verdict in verdicts {
            *match verdict {
                Verdict::Supported => &mut counts.supported,
                Verdict::Refuted => &mut counts.refuted,
                Verdict::Inconclusive => &mut counts.inconclusive,
            } += 1;
        }
        counts
    }
}
