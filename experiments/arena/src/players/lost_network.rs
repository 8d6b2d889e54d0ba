//! Networks that have played and are not there any more.

use std::fmt;

use super::spec::PlayerSpec;

/// The network of a player has gone, or another one is in its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player `{player}`: {reason}; put the network of the beginning back, or begin again in another folder")]
pub struct LostNetwork {
    player: String,
    reason: String,
}

impl LostNetwork {
    /// The error of a player with this name or text, in whose place `now` was found, or nothing.
    pub(crate) fn new(player: impl fmt::Display, began: &PlayerSpec, now: Result<(), &dyn fmt::Display>) -> Self {
        let path = began.path();
        Self {
            player: player.to_string(),
            reason: match now {
                Err(error) => error.to_string(),
                Ok(()) => format!(
                    "{} is not the network that the games were begun with",
                    path.map_or("none".into(), |path| path.display().to_string())
                ),
            },
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
            Ok(_) => Err(LostNetwork::new(self, self, Ok(()))),
            Err(error) => Err(LostNetwork::new(self, self, Err(&error.fault))),
        }
    }
}
