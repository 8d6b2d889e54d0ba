//! Networks of the second family from their files.

use std::path::PathBuf;
use std::sync::Arc;

use chase_engine::{Chase, Game};
use chase_models::manifest::MANIFEST_FILE;
use chase_nnue::file::{NetworkFileError, network_file};
use chase_nnue::shipped::is_shipped;
use chase_nnue::{NETWORK_FILE, Network, StoredNetwork, WeightsError};
use chase_training::store::run_dir::RunDirError;
use chase_training::training_loop::any_checkpoint_folder;

use super::agent::NnueAgent;
use super::search::LineSearch;
use super::text::NnueSpec;
use crate::playable::Playable;
use crate::players::agent::Contestant;

/// Error returned when a network of the second family cannot be loaded or used.
#[derive(Debug, thiserror::Error)]
pub enum NnueError {
    /// There are no such networks for the game.
    #[error("it cannot play {game}: its networks are for {}", Chase::NAME)]
    Game {
        /// The game.
        game: String,
    },
    /// There is no network at the path.
    #[error(
        "{}: {}: expected a run of the family nnue, the folder of one of its checkpoints, or the file of a network",
        path.display(),
        if path.is_dir() { format!("there is no {NETWORK_FILE} in it") } else { "there is no such folder".to_owned() }
    )]
    Absent {
        /// The path.
        path: PathBuf,
    },
    /// The path is a checkpoint of the first family.
    #[error(
        "{} is a checkpoint of the first family: expected a folder with {NETWORK_FILE}, or the player net:{}",
        path.display(), path.display()
    )]
    FirstFamily {
        /// The path.
        path: PathBuf,
    },
    /// The path is a run whose state is damaged.
    #[error(transparent)]
    Run(#[from] RunDirError),
    /// The file cannot be read, or is no such network.
    #[error(transparent)]
    File(#[from] NetworkFileError),
    /// The weights cannot be a network.
    #[error("{}: {error}", path.display())]
    Weights {
        /// The path.
        path: PathBuf,
        /// The fault.
        error: WeightsError,
    },
}

impl NnueSpec {
    /// The path of the network: of a run, its newest checkpoint.
    ///
    /// # Errors
    /// If the path is a run whose state is damaged.
    pub fn checkpoint(&self) -> Result<PathBuf, NnueError> {
        if is_shipped(&self.path) {
            return Ok(self.path.clone());
        }
        Ok(any_checkpoint_folder(&self.path)?)
    }

    /// Reads the network.
    ///
    /// # Errors
    /// If there is none at the path.
    pub fn read_network(&self) -> Result<StoredNetwork, NnueError> {
        let path = self.checkpoint()?;
        if !is_shipped(&path) && !network_file(&path).exists() {
            return Err(match path.join(MANIFEST_FILE).exists() {
                true => NnueError::FirstFamily { path },
                false => NnueError::Absent { path },
            });
        }
        Ok(StoredNetwork::read(&path)?)
    }

    /// A function that returns new searches with the network, which is read once, in the game of type `G` with this
    /// [name](Game::name).
    ///
    /// # Errors
    /// If there are no such networks for the game, or there is none at the path.
    pub fn searches<G: Playable>(
        &self,
        game: &str,
    ) -> Result<impl Fn() -> LineSearch<G> + Send + Sync + use<G>, NnueError> {
        let make = G::nnue().ok_or_else(|| NnueError::Game { game: game.to_owned() })?;
        let network = Network::quantise(&self.read_network()?.weights).map_err(|error| NnueError::Weights {
            path: self.path.clone(),
            error,
        })?;
        let (network, settings) = (Arc::new(network), self.settings);
        Ok(move || LineSearch::new(make(Arc::clone(&network)), settings))
    }

    /// The player as a contestant under this name.
    ///
    /// # Errors
    /// As [`NnueSpec::searches`].
    pub(crate) fn contestant<G: Playable>(&self, game: &str, name: &str) -> Result<Contestant<G>, NnueError> {
        let (searches, limits, chance) = (self.searches::<G>(game)?, self.limits(), self.chance);
        Ok(Contestant::new(name, move || {
            Box::new(NnueAgent::new(searches(), limits, chance))
        }))
    }
}
