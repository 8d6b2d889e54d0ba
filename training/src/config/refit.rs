use serde::{Deserialize, Serialize};

/// Learning from the games of another run before the first games of this one (`chase train --refit`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RefitConfig {
    /// Generations without games of their own, in which a new network learns the games of another run; 0 in a run of its own. The
    /// learning rate falls over them as over a whole run.
    pub generations: u64,
    /// Average number of times that each row of the other run's window is used in them.
    pub passes: f64,
}

impl Default for RefitConfig {
    fn default() -> Self {
        Self {
            generations: 0,
            passes: 1.5,
        }
    }
}

impl RefitConfig {
    /// Generations of a refit that does not say otherwise.
    pub const GENERATIONS: u64 = 10;
}
