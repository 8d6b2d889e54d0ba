//! Finished games on disk: files of some hundred, each whole or not there.

use std::path::{Path, PathBuf};

use chase_training::files::{self, FileError, Links};

use super::game::PlayedGame;
use super::play::Start;

/// Why stored games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is not what this program writes.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The study was begun with other settings.
    #[error("{} says {what} is {found}, not {expected}: take another folder for another study", path.display())]
    Differs {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
        /// What the file says.
        found: String,
        /// What is asked for.
        expected: String,
    },
}

impl StoreError {
    pub(super) fn content(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Content {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}

/// The games of a file, one JSON object a line.
///
/// # Errors
/// If it cannot be read, or a line is no game.
pub fn read_games(path: &Path) -> Result<Vec<PlayedGame>, StoreError> {
    let bytes = files::read_at_most(path, files::LARGEST_TABLE, Links::Followed)?;
    let lines = bytes.split(|&byte| byte == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.is_empty());
    let read = lines.map(|(index, line)| {
        let game = serde_json::from_slice(line);
        game.map_err(|error| StoreError::content(path, format!("line {}: {error}", index + 1)))
    });
    read.collect()
}

/// A file of games.
#[derive(Clone, Debug)]
pub(super) struct Shard {
    pub path: PathBuf,
    /// The games that belong there.
    pub starts: Vec<Start>,
}

impl Shard {
    /// The games, if they have been played.
    pub fn read(&self) -> Result<Option<Vec<PlayedGame>>, StoreError> {
        if !self.path.exists() {
            return Ok(None);
        }
        let games = read_games(&self.path)?;
        let found = games.iter().map(|game| (&game.series, game.number));
        let expected = self.starts.iter().map(|start| (&start.series, start.number));
        if !found.eq(expected) {
            return Err(StoreError::content(
                &self.path,
                "other games than the study asks for here",
            ));
        }
        Ok(Some(games))
    }

    /// Writes the games, one a line.
    pub fn write(&self, games: &[PlayedGame]) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        for game in games {
            serde_json::to_writer(&mut bytes, game).map_err(|error| StoreError::content(&self.path, error))?;
            bytes.push(b'\n');
        }
        Ok(files::write_whole(&self.path, &bytes)?)
    }
}

/// Divides the games of one player in a round into files of at most `size`.
pub(super) fn shards(folder: &Path, round: usize, player: usize, starts: &[Start], size: u32) -> Vec<Shard> {
    let folder = folder.join("games").join(format!("round-{round:02}"));
    let parts = starts.chunks(size.max(1) as usize).enumerate();
    parts
        .map(|(number, starts)| Shard {
            path: folder.join(format!("player-{player:02}-{number:05}.jsonl")),
            starts: starts.to_vec(),
        })
        .collect()
}
