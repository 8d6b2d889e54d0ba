//! The games of a run directory, read piece by piece even while the run continues.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use chase_engine::{Chase, Game, GameName, Playable};

use super::game::{ExploredGame, Source};
use super::index::Explorer;
use crate::games::{GameFile, GameFolder, GameKind, GameLine, GameLines, GameText, LinePlace, StoredGamesError};

/// Bytes of a growing file that are read at a time.
const PIECE: u64 = 1 << 20;
/// Number of reasons kept for unreadable files.
const REASONS: usize = 3;

/// The games of a directory that a training run, a match, a tournament or a study has written or is writing: those of a
/// [`GameFolder`]. An incomplete last line of `games.jsonl` is read later.
///
/// Unreadable files and lines are left out and counted: the rest of the games is still useful.
#[derive(Debug)]
pub struct Collection<G: Game = Chase> {
    game: GameName,
    folder: GameFolder,
    /// Files that have been read completely and never change.
    read: HashSet<String>,
    /// Position in `games.jsonl` up to which it has been read.
    place: LinePlace,
    explorer: Explorer<G>,
    /// Number of files and lines that were left out.
    left_out: u64,
    /// The first few reasons.
    reasons: Vec<String>,
}

impl<G: Playable> Collection<G> {
    /// Creates a collection of the games of a directory, which are of `game`, with nothing read yet; the first `plies`
    /// plies of each game count.
    pub fn new(folder: &Path, game: GameName, plies: usize) -> Self {
        Self::of(GameFolder::new(folder), game, plies)
    }

    fn of(folder: GameFolder, game: GameName, plies: usize) -> Self {
        Self {
            game,
            folder,
            read: HashSet::new(),
            place: LinePlace::default(),
            explorer: Explorer::new(plies),
            left_out: 0,
            reasons: Vec::new(),
        }
    }

    /// The games read so far.
    pub const fn explorer(&self) -> &Explorer<G> {
        &self.explorer
    }

    /// Number of files and lines that could not be read.
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The first few reasons.
    pub fn reasons(&self) -> &[String] {
        &self.reasons
    }

    /// Reads new games, newest generations first, until `enough` is true of the games read so far. Returns true if
    /// there are more.
    pub fn read(&mut self, mut enough: impl FnMut(&Explorer<G>) -> bool) -> bool {
        let files = self.folder.files().into_iter();
        for file in files
            .filter(|file| !self.read.contains(file.name()))
            .collect::<Vec<_>>()
        {
            if enough(&self.explorer) {
                return true;
            }
            let read = match &file {
                GameFile::Shard(purpose, name) => self.read_shard((*purpose).into(), name),
                GameFile::Study(name) => self.read_study(name),
            };
            if let Err(reason) = read {
                self.leave_out(reason);
            }
            self.read.insert(file.name().to_owned());
        }
        loop {
            if enough(&self.explorer) {
                return self.match_bytes().is_some_and(|bytes| bytes > self.place.bytes);
            }
            match self.read_match() {
                Ok(true) => {}
                Ok(false) => return false,
                Err(reason) => {
                    self.leave_out(reason);
                    return false;
                }
            }
        }
    }

    fn leave_out(&mut self, reason: String) {
        self.left_out += 1;
        if self.reasons.len() < REASONS {
            self.reasons.push(reason);
        }
    }

    fn read_shard(&mut self, kind: GameKind, name: &str) -> Result<(), String> {
        let rules = self.folder.rules::<G>(self.game)?;
        let shard = self
            .folder
            .shard::<G>(name, &rules)
            .map_err(|error| error.to_string())?;
        for record in &shard.records {
            let plies = self.explorer.plies();
            self.explorer
                .add(&ExploredGame::of_training(record, kind, &shard.model, plies));
        }
        Ok(())
    }

    /// Reads games of a study. Their forced plies count, since forcing them is how the study tests them.
    fn read_study(&mut self, name: &str) -> Result<(), String> {
        let (player, games) = self.folder.study(name).map_err(|error| error.to_string())?;
        let source = Source {
            kind: GameKind::Study,
            player,
        };
        for played in &games {
            let players = [source.clone(), source.clone()];
            let (rules, plies) = (self.game.rules::<G>(), self.explorer.plies());
            let explored = ExploredGame::of_result(&played.result, &rules, players, 0, &played.values, plies);
            let explored = explored.map_err(|fault| {
                let path = self.folder.games().join(name);
                let (number, series) = (played.number, &played.series);
                format!("{}: game {number} of {series}: {fault}", path.display())
            })?;
            self.explorer.add(&explored);
        }
        Ok(())
    }

    /// Size in bytes of a match's file of games; `None` if there is no such file.
    fn match_bytes(&self) -> Option<u64> {
        Some(fs::metadata(self.folder.of_match()).ok()?.len())
    }

    /// Reads a piece of a match's games. Returns true if there was one.
    fn read_match(&mut self) -> Result<bool, String> {
        let Some(bytes) = self.match_bytes() else {
            return Ok(false);
        };
        if bytes < self.place.bytes {
            // A resumed tournament removes unfinished units, and plays them again.
            *self = Self::of(self.folder.clone(), self.game, self.explorer.plies());
            return Ok(true);
        }
        let lines = GameLines::open_at(&self.folder.of_match(), self.place);
        let mut lines = lines.map_err(|error| error.to_string())?;
        let (from, rules) = (self.place.bytes, self.game.rules::<G>());
        while lines.place().bytes < from + PIECE {
            let read = match lines.next_line() {
                Ok(Some(line)) => add(&mut self.explorer, &rules, &line),
                Ok(None) => break,
                Err(StoredGamesError::File(error)) => return Err(error.to_string()),
                Err(error) => Err(error),
            };
            if let Err(error) = read {
                self.leave_out(error.to_string());
            }
        }
        self.place = lines.place();
        Ok(self.place.bytes > from)
    }
}

/// Adds a game of a match.
fn add<G: Playable>(explorer: &mut Explorer<G>, rules: &G::Rules, line: &GameText<'_>) -> Result<(), StoredGamesError> {
    let GameLine { white, black, game, .. } = line.game()?;
    let players = [white, black].map(|player| Source {
        kind: GameKind::Match,
        player,
    });
    let plies = explorer.plies();
    let explored = ExploredGame::of_result(&game, rules, players, game.opening_plies, &[], plies);
    explorer.add(&explored.map_err(|fault| line.wrong(fault.to_string()))?);
    Ok(())
}
