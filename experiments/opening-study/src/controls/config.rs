//! Settings of the controls.

use serde::{Deserialize, Serialize};

/// The section `[controls]` of a study's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ControlsConfig {
    /// Worlds of each kind in which the test of A1 is repeated; 0 for no controls.
    pub worlds: u32,
}

impl Default for ControlsConfig {
    fn default() -> Self {
        Self { worlds: 100 }
    }
}
