//! Finished games on disk: files of a few hundred games, each whole or absent.

use std::path::{Path, PathBuf};

use chase_arena::games::{PlayedGame, read_games};
use chase_training::files;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::play::Start;
use crate::evidence::error::EvidenceError;

/// A file of games.
#[derive(Clone, Debug)]
pub(super) struct Shard {
    pub path: PathBuf,
    /// The games that belong in the file.
    pub starts: Vec<Start>,
}

impl Shard {
    /// Reads the games, if they have been played.
    pub fn read(&self) -> Result<Option<Vec<PlayedGame>>, EvidenceError> {
        if !self.path.exists() {
            return Ok(None);
        }
        let games = read_games(&self.path)?;
        if !self.holds(&games) {
            return Err(EvidenceError::content(
                &self.path,
                "other games than the study asks for here",
            ));
        }
        Ok(Some(games))
    }

    /// True if these are the games that belong in the file.
    pub fn holds(&self, games: &[PlayedGame]) -> bool {
        let found = games.iter().map(|game| (game.series.parse().ok(), game.number));
        found.eq(self.starts.iter().map(|start| (Some(start.series.id), start.number)))
    }

    /// Writes the games, one per line.
    pub fn write(&self, games: &[PlayedGame]) -> Result<(), EvidenceError> {
        write_lines(&self.path, games)
    }
}

/// Writes a file of JSON objects, one per line.
pub(crate) fn write_lines(path: &Path, items: &[impl Serialize]) -> Result<(), EvidenceError> {
    let bytes = lines(items).map_err(|error| EvidenceError::content(path, error))?;
    Ok(files::write_whole(path, &bytes)?)
}

/// JSON objects, one per line.
pub(crate) fn lines(items: &[impl Serialize]) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for item in items {
        serde_json::to_writer(&mut bytes, item)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

/// Reads JSON objects, one per line, that another machine has sent.
///
/// # Errors
/// The number of the line that is none, and the reason.
pub(crate) fn parse_lines<T: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<T>, String> {
    let lines = bytes.split(|&byte| byte == b'\n').enumerate();
    let items = lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| serde_json::from_slice(line).map_err(|error| format!("line {}: {error}", number + 1)));
    items.collect()
}

/// Reads the objects of a file of lines, each checked, if the file exists.
pub(crate) fn read_lines<T: DeserializeOwned>(
    path: &Path,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<Option<Vec<T>>, EvidenceError> {
    if !path.exists() {
        return Ok(None);
    }
    let items: Vec<T> = parse_lines(&files::read(path)?).map_err(|reason| EvidenceError::content(path, reason))?;
    for (number, item) in items.iter().enumerate() {
        check(item).map_err(|reason| EvidenceError::content(path, format!("line {}: {reason}", number + 1)))?;
    }
    Ok(Some(items))
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
