//! The error of tournaments.

use std::path::PathBuf;

use chase_cluster::ClusterError;
use chase_models::device::DeviceError;
use chase_models::manifest::CheckpointError;
use chase_training::settings::ConfigError;
use chase_training::store::files::FileError;
use chase_training::store::run_dir::RunDirError;

use crate::games::StoredGamesError;
use crate::matches::{MatchError, OpeningError};
use crate::players::{LostNetwork, PlayerError};
use crate::remote::RemoteError;

/// Error returned when a tournament cannot be started, resumed or played.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum TournamentError {
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
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error("openings `{spec}`: {error}")]
    OpeningFile { spec: String, error: FileError },
    #[error("{}: {reason}", path.display())]
    OpeningText { path: PathBuf, reason: String },
    #[error(
        "openings {spec}: found {found} openings in {tries} random lines; expected a larger margin, a smaller count or other plies"
    )]
    TooFewOpenings { spec: String, found: usize, tries: u32 },
    #[error(
        "openings {spec}: balanced openings need a heuristic and one first position, which {game} does not have; expected none, \
         random:plies=4, moves:MOVES or file:PATH"
    )]
    NoBalance { spec: String, game: &'static str },
    #[error(transparent)]
    Match(#[from] MatchError),
    #[error(transparent)]
    Remote(#[from] RemoteError),
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    #[error("cannot start the threads: {0}")]
    Threads(String),
    #[error(transparent)]
    LostNetwork(#[from] LostNetwork),
    #[error("{}{} is damaged: {reason}", path.display(), line.map_or(String::new(), |line| format!(", line {line},")))]
    Damaged {
        path: PathBuf,
        line: Option<usize>,
        reason: String,
    },
}

impl From<StoredGamesError> for TournamentError {
    fn from(error: StoredGamesError) -> Self {
        match error {
            StoredGamesError::File(error) => Self::File(error),
            StoredGamesError::Line { path, line, reason } => Self::Damaged {
                path,
                line: Some(line),
                reason,
            },
        }
    }
}
