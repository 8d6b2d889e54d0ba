//! Networks that have played and are not there any more.

use std::fmt;
use std::path::Path;

use super::spec::PlayerSpec;

/// The network of a player has gone, or another one is in its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player `{player}`: {reason}; put the network of the beginning back, or begin again in another folder")]
pub struct LostNetwork {
    player: String,
    reason: String,
}

impl LostNetwork {
    /// The error of a player with this name or text: its network cannot be used, which is a `fault`, or is another one.
    pub(crate) fn new(player: impl fmt::Display, began: &PlayerSpec, fault: Option<String>) -> Self {
        let path = began.path().unwrap_or_else(|| Path::new("none"));
        let other = || format!("{} is not the network that the games were begun with", path.display());
        Self {
            player: player.to_string(),
            reason: fault.unwrap_or_else(other),
        }
    }
}

impl PlayerSpec {
    /// Checks that this player still has the network with the weights with which it played.
    ///
    /// # Errors
    /// If it has another one, or none.
    pub fn expect_weights(&self, sha256: Option<&str>) -> Result<(), LostNetwork> {
        match self.weights_sha256() {
            Ok(found) if found.as_deref() == sha256 => Ok(()),
            Ok(_) => Err(LostNetwork::new(self, self, None)),
            Err(error) => Err(LostNetwork::new(self, self, Some(error.fault.to_string()))),
        }
    }
}
