//! The weights of players.

use chase_models::Manifest;

use super::text::{PlayerError, PlayerSpec};

impl PlayerSpec {
    /// The manifest of its checkpoint; `None` for a player without a network of the first family.
    ///
    /// # Errors
    /// If there is no such checkpoint.
    pub fn manifest(&self) -> Result<Option<Manifest>, PlayerError> {
        let Self::Network(network) = self else { return Ok(None) };
        let manifest = Manifest::read(&self.checkpoint(network)?);
        manifest.map(Some).map_err(|error| self.unusable(error.into()))
    }

    /// SHA-256 of the weights of its network, in hexadecimal digits; `None` for a player without a network.
    ///
    /// # Errors
    /// If there is no such network.
    pub fn weights_sha256(&self) -> Result<Option<String>, PlayerError> {
        match self {
            Self::Network(_) => Ok(self.manifest()?.and_then(|manifest| manifest.weights_sha256())),
            Self::Nnue(network) => {
                let stored = network.read_network().map_err(|error| self.unusable_nnue(error))?;
                Ok(Some(stored.sha256))
            }
            Self::Baseline(_) | Self::Engine(_) => Ok(None),
        }
    }
}
