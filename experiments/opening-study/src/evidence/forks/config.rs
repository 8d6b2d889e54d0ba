//! Number of forks to play.

use chase_training::settings::{Checks, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The section `[forks]` of a study's configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ForksConfig {
    /// Forks of each kind and player; 0 for none.
    pub positions: u32,
    /// Playouts of each fork within the plies in which its player has a temperature, each a game after every choice.
    /// Beyond them a player's games repeat, and one playout is enough.
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
    /// All values out of range.
    pub fn problems(&self) -> Vec<Problem> {
        let mut checks = Checks::default();
        checks.require(self.playouts > 0, "forks.playouts", self.playouts, "1 or more");
        checks.0
    }
}
