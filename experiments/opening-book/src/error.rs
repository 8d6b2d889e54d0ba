//! The error of books.

use std::path::PathBuf;

use chase_arena::{AgentFailure, MatchError, PlayerError};
use chase_engine::GameName;
use chase_models::device::DeviceError;
use chase_training::settings::ConfigError;
use chase_training::store::files::FileError;
use chase_training::store::run_dir::RunDirError;

/// Error returned when a book cannot be begun or continued. Finished work stays.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum BookError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Directory(#[from] RunDirError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Player(#[from] PlayerError),
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error("{0} begins with a random position: expected a game with one initial position")]
    NoOpening(GameName),
    #[error("{player} cannot judge: {failure}")]
    Judge { player: String, failure: AgentFailure },
    #[error("{player} cannot judge a position: it reports no expected score; expected a network")]
    Silent { player: String },
    #[error(
        "{} has layout {found}, expected at most {known}: it was written by a newer version of this program",
        path.display()
    )]
    Newer { path: PathBuf, found: u32, known: u32 },
}

pub(crate) fn damaged(path: impl Into<PathBuf>, reason: &dyn std::fmt::Display) -> BookError {
    FileError::damaged(path, reason).into()
}
