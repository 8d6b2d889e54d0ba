//! How many forks are played.

use chase_training::config::Problem;
use serde::{Deserialize, Serialize};

/// The section `[forks]` of a study's configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ForksConfig {
    /// Forks of each kind and player; 0 for none.
    pub positions: u32,
    /// Pairs of games from each fork that lies within the plies in which its player has a temperature. Beyond them games of one
    /// player are the same again, and one pair is all.
    pub playouts: u32,
}

impl Default for ForksConfig {
    fn default() -> Self {
        Self {
            positions: 0,
            playouts: 1,
        }
    }
}

impl ForksConfig {
    /// Values out of range, all of them.
    pub fn problems(&self) -> Vec<Problem> {
        let problem = Problem {
            key: "forks.playouts".into(),
            value: self.playouts.to_string(),
            expected: "1 or more".into(),
        };
        Vec::from_iter((self.playouts == 0).then_some(problem))
    }
}
