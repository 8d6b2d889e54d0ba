//! Kinds of evidence.

use serde::{Deserialize, Serialize};

/// Evidence that a finding is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// The rules of the game alone: it holds for any players.
    Exact,
    /// Games and searches of agents: it holds as far as these agents play well.
    Empirical,
}

impl Basis {
    /// Its name: `exact` or `empirical`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Empirical => "empirical",
        }
    }
}
