//! The weights of players.

use chase_models::Manifest;
use chase_models::checkpoint::WEIGHTS_FILE;

use super::text::{PlayerError, PlayerSpec};

impl PlayerSpec {
    /// SHA-256 of the weights of its network, in hexadecimal digits; `None` for a player without a network.
    ///
    /// # Errors
    /// If there is no such network.
    pub fn weights_sha256(&self) -> Result<Option<String>, PlayerError> {
        match self {
            Self::Network(network) => {
                let folder = self.checkpoint(network)?;
                let manifest = Manifest::read(&folder).map_err(|error| self.unusable(error.into()))?;
                Ok(manifest.files.get(WEIGHTS_FILE).map(|file| file.sha256.clone()))
            }
            Self::Nnue(network) => {
                let stored = network.read_network().map_err(|error| self.unusable_nnue(error))?;
                Ok(Some(stored.sha256))
            }
            Self::Baseline(_) | Self::Engine(_) => Ok(None),
        }
    }
}
