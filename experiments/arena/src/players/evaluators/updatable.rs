//! Efficiently updatable networks from their files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chase_engine::{Encode, Instructions};
use chase_models::manifest::MANIFEST_FILE;
use chase_nnue::file::{NetworkFileError, network_file};
use chase_nnue::shipped::is_shipped;
use chase_nnue::{LineEvaluator, NETWORK_FILE, Network, StoredNetwork, WeightsError};
use chase_training::kinds::NetworkKind;
use chase_training::store::run_dir::RunDirError;
use chase_training::training_loop::checkpoint_folder;

/// Error returned when an efficiently updatable network cannot be loaded or used.
#[derive(Debug, thiserror::Error)]
pub enum NnueError {
    /// There are no such networks for the game.
    #[error("there are no such networks for {game}, which offers no sparse inputs")]
    Game {
        /// The game.
        game: String,
    },
    /// There is no network at the path.
    #[error(
        "{}: {}: expected a run of an efficiently updatable network, the folder of one of its checkpoints, or the file of a network",
        path.display(),
        if path.is_dir() { format!("there is no {NETWORK_FILE} in it") } else { "there is no such folder".to_owned() }
    )]
    Absent {
        /// The path.
        path: PathBuf,
    },
    /// The path is a checkpoint of a residual network.
    #[error(
        "{} is a checkpoint of a residual network: expected a folder with {NETWORK_FILE}, or the player net:{}",
        path.display(), path.display()
    )]
    Residual {
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

/// Reads a network.
pub(crate) fn read(path: &Path) -> Result<StoredNetwork, NnueError> {
    let path = checkpoint_folder(path, NetworkKind::Nnue)?;
    if !is_shipped(&path) && !network_file(&path).exists() {
        return Err(match path.join(MANIFEST_FILE).exists() {
            true => NnueError::Residual { path },
            false => NnueError::Absent { path },
        });
    }
    Ok(StoredNetwork::read(&path)?)
}

/// A function that returns new evaluators with a network, which is read once, in the game of type `G` with this
/// [name](chase_engine::Game::name).
///
/// # Errors
/// If there are no such networks for the game, or there is none of it at the path.
pub fn evaluators<G: Encode>(
    path: &Path,
    game: &str,
) -> Result<impl Fn() -> LineEvaluator<Arc<Network>, G> + Send + Sync + use<G>, NnueError> {
    if !G::HAS_SPARSE_INPUTS {
        return Err(NnueError::Game { game: game.to_owned() });
    }
    let network = Network::quantise(&read(path)?.of(game, path)?.weights).map_err(|error| NnueError::Weights {
        path: path.to_owned(),
        error,
    })?;
    let network = Arc::new(network);
    Ok(move || LineEvaluator::new(Arc::clone(&network), Instructions::best()))
}
