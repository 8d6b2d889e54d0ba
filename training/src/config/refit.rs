use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A refit: generations without games, in which a new network learns those of another run. It begins a run that takes
/// the games of another (`chase train --refit`), and says nothing to others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RefitConfig {
    /// Generations of the refit.
    pub generations: u64,
    /// Average uses of each row in the refit.
    pub passes: f64,
    /// Learning rate, instead of `learner.rate`.
    pub rate: f64,
    /// Share of the refit before the rate drops.
    pub drop_from: f64,
    /// Final factor of the rate.
    pub drop_to: f64,
}

impl Default for RefitConfig {
    fn default() -> Self {
        Self {
            generations: 10,
            // Of the agents of study 0032 these lose nothing against the network that they replace; 1.5 and 0.004 lose
            // 114 Elo.
            passes: 4.0,
            // It warms up as in a run.
            rate: 8e-3,
            drop_from: 0.3,
            drop_to: 0.05,
        }
    }
}
