//! Errors of forks.

use std::path::Path;

use chase_arena::{AgentFailure, PlayerError};
use chase_cluster::ClusterError;
use chase_engine::search::EvaluationError;
use chase_training::files::FileError;

use crate::evidence::games::StoreError;

/// Error returned when forks cannot be played or used.
#[derive(Debug, thiserror::Error)]
pub enum ForksError {
    /// A network cannot be used.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player cannot search.
    #[error("{player} cannot search: {error}")]
    Evaluation {
        /// The player.
        player: String,
        /// Its reason.
        error: EvaluationError,
    },
    /// A player fails during a game.
    #[error("{player} cannot continue: {failure}")]
    Agent {
        /// The player.
        player: String,
        /// Its reason.
        failure: AgentFailure,
    },
    /// Files cannot be written or used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The workers of a cluster cannot play.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The study was stopped; finished forks are kept.
    #[error("stopped; the same command continues from here")]
    Stopped,
}

impl From<FileError> for ForksError {
    fn from(error: FileError) -> Self {
        Self::Store(error.into())
    }
}

impl ForksError {
    /// True if the study was stopped.
    pub(crate) const fn is_stop(&self) -> bool {
        matches!(self, Self::Stopped)
    }

    pub(super) fn content(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Store(StoreError::content(path, reason))
    }
}
