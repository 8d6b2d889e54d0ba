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
    /// Playouts per fork within the plies with a temperature.
    pub playouts: u32,
}

impl Default for ForksConfig {
    fn default() -> Self {
        Self {
            positions: 0,
            // A game after every choice. Beyond the plies with a temperature games repeat: one playout is enough.
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
