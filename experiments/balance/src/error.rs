//! The error of balance studies.

use std::path::PathBuf;

use chase_arena::games::StoredGamesError;
use chase_arena::{AgentFailure, PlayerError, SpecError};
use chase_engine::GameName;
use chase_models::device::DeviceError;
use chase_models::manifest::CheckpointError;
use chase_models::network::NetworkError;
use chase_training::settings::ConfigError;
use chase_training::store::files::FileError;
use chase_training::store::run_dir::RunDirError;
use chase_training::training_loop::TrainingError;

/// Error returned when a study cannot be started, resumed or continued. Finished work stays.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum BalanceError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Directory(#[from] RunDirError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Training(#[from] TrainingError),
    /// Of a tournament, which names its own.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
    #[error(transparent)]
    Entrant(#[from] SpecError),
    #[error(transparent)]
    Player(#[from] PlayerError),
    #[error(transparent)]
    Games(#[from] StoredGamesError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error("the first moves of {game} cannot be searched: {failure}")]
    Search { game: GameName, failure: AgentFailure },
    #[error("{} has a comma, which is not possible in the path of a network; choose another directory", path.display())]
    Comma { path: PathBuf },
}
