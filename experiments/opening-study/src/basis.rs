//! Kinds of evidence.

use serde::{Deserialize, Serialize};

/// What a finding rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The rules of the game alone: it is true of the game, whoever plays.
    Exact,
    /// Games and searches of agents: it is true as far as these agents play well.
    Empirical,
}

impl Basis {
    /// The word for it: `exact` or `empirical`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Empirical => "empirical",
        }
    }
}
