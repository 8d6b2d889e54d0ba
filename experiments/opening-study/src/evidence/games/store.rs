//! Finished games on disk: files of a few hundred games, each whole or absent.

use std::path::{Path, PathBuf};

use chase_arena::games::{PlayedGame, read_games};
use chase_training::store::files;
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
        if !holds(&self.starts, &games) {
            return Err(EvidenceError::content(
                &self.path,
                "other games than the study asks for here",
            ));
        }
        Ok(Some(games))
    }

    /// Writes the games, one per line.
    pub fn write(&self, games: &[PlayedGame]) -> Result<(), EvidenceError> {
        write_lines(&self.path, games)
    }
}

/// True if these are the games of a file with these starts.
pub(super) fn holds(starts: &[Start], games: &[PlayedGame]) -> bool {
    let found = games.iter().map(|game| (game.series.parse().ok(), game.number));
    found.eq(starts.iter().map(|start| (Some(start.series.id), start.number)))
}

/// Writes a file of JSON objects, one per line.
pub(crate) fn write_lines(path: &Path, items: &[impl Serialize]) -> Result<(), EvidenceError> {
    Ok(files::write_whole(path, files::lines(items).as_bytes())?)
}

/// Reads the objects of a file of lines, each checked, if the file exists.
pub(crate) fn read_lines<T: DeserializeOwned>(
    path: &Path,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<Option<Vec<T>>, EvidenceError> {
    let items = files::read_lines(path)?;
    for (number, item) in (1..).zip(items.iter().flatten()) {
        check(item).map_err(|reason| EvidenceError::content(path, format!("line {number}: {reason}")))?;
    }
    Ok(items)
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
