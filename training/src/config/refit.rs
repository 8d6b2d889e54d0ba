use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A refit: generations without games, in which a new network learns those of another run. It begins a run that takes
/// the games of another (`chase train --refit`), and says nothing to others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RefitConfig {
    /// Generations of the refit, with which the run begins.
    pub generations: u64,
    /// Average number of times that each row of the window is used in them.
    pub passes: f64,
    /// Learning rate of the refit, in place of `learner.rate`; it warms up as in a run.
    pub rate: f64,
    /// Share of the refit after which the rate drops.
    pub drop_from: f64,
    /// Factor of the rate at the end of the refit; the rate falls geometrically.
    pub drop_to: f64,
}

impl Default for RefitConfig {
    fn default() -> Self {
        Self {
            generations: 10,
            // Of the agents of study 0032 these lose nothing against the network that they replace; 1.5 and 0.004 lose
            // 114 Elo.
            passes: 4.0,
            rate: 8e-3,
            drop_from: 0.3,
            drop_to: 0.05,
        }
    }
}
