//! Files of games, one JSON object a line.

use std::path::{Path, PathBuf};

use chase_training::files::{self, FileError, Links};

use super::stored::PlayedGame;

/// Error returned when a file of games cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StoredGamesError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line is no game.
    #[error("{}: line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// The games of a file, one JSON object a line.
///
/// # Errors
/// If the file cannot be read, or a line is no game.
pub fn read_games(path: &Path) -> Result<Vec<PlayedGame>, StoredGamesError> {
    let bytes = files::read_at_most(path, files::LARGEST_TABLE, Links::Followed)?;
    let lines = bytes.split(|&byte| byte == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty());
    let read = lines.map(|(index, line)| {
        serde_json::from_slice(line).map_err(|error| StoredGamesError::Line {
            path: path.to_owned(),
            line: index + 1,
            reason: error.to_string(),
        })
    });
    read.collect()
}
