//! A file of forks as workers of a cluster are asked for it.

use serde::{Deserialize, Serialize};

use super::turn::ForkTurn;

/// Purpose of these units.
pub(crate) const PURPOSE: &str = "forks";

/// A file of forks of one player, as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForksFile {
    /// Index of the player.
    pub player: usize,
    /// The turns that become forks.
    pub turns: Vec<ForkTurn>,
}
