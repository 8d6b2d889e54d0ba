//! The games of a run directory, read bit by bit while the run may go on.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use chase_engine::Chase;
use chase_engine::chase::Rules;
use chase_training::config::{Config, RulesConfig};
use chase_training::files::{self, FileError, Links};
use chase_training::game_record::Purpose;
use chase_training::replay::shard;
use chase_training::run_dir::CONFIG_FILE;
use chase_training::trainable::Trainable;
use serde::Deserialize;

use super::game::{ExploredGame, Kind, Source};
use super::index::Explorer;
use crate::games::read_games;
use crate::tournament::{GAMES_FILE, GameLine};

/// Bytes of a growing file that are read at a time; no line is as long.
const PIECE: usize = 1 << 20;
/// Reasons that are kept of files that cannot be read.
const REASONS: usize = 3;

/// The games of a directory that a training run, a match, a tournament or a study wrote or is writing.
///
/// | files | kind |
/// |---|---|
/// | `games/gen-NNNNNN/{selfplay,measurement}-*.parquet` | games of training |
/// | `games.jsonl` | games of a match or a tournament; what is not a whole line yet is read later |
/// | `games/round-NN/player-NN-*.jsonl` | games of a study |
///
/// What cannot be read is left out and told: the rest of the games is still worth looking at.
#[derive(Debug)]
pub struct Collection {
    folder: PathBuf,
    /// Files that are read to their end and never change.
    read: HashSet<String>,
    /// Bytes of `games.jsonl` that are read.
    lines: u64,
    explorer: Explorer,
    /// Files and lines that were left out.
    left_out: u64,
    /// Why the first of them were.
    reasons: Vec<String>,
}

/// A file of games that never changes.
#[derive(Debug)]
enum GameFile {
    Shard(Kind, String),
    Study(String),
}

impl GameFile {
    fn name(&self) -> &str {
        match self {
            Self::Shard(_, name) | Self::Study(name) => name,
        }
    }
}

impl Collection {
    /// The games of a directory, of which nothing is read yet; of each the first `plies`.
    pub fn new(folder: &Path, plies: usize) -> Self {
        Self {
            folder: folder.to_owned(),
            read: HashSet::new(),
            lines: 0,
            explorer: Explorer::new(plies),
            left_out: 0,
            reasons: Vec::new(),
        }
    }

    /// What is read so far.
    pub const fn explorer(&self) -> &Explorer {
        &self.explorer
    }

    /// How many files and lines could not be read.
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Why: the first few of them.
    pub fn reasons(&self) -> &[String] {
        &self.reasons
    }

    /// Reads what is new, newest generations first, until `enough` is true of what is read so far. Returns whether
    /// there is more.
    pub fn read(&mut self, mut enough: impl FnMut(&Explorer) -> bool) -> bool {
        for file in self.unread() {
            if enough(&self.explorer) {
                return true;
            }
            let read = match &file {
                GameFile::Shard(kind, name) => self.read_shard(*kind, name),
                GameFile::Study(name) => self.read_study(name),
            };
            if let Err(reason) = read {
                self.leave_out(reason);
            }
            self.read.insert(file.name().to_owned());
        }
        loop {
            if enough(&self.explorer) {
                return self.has_lines();
            }
            match self.read_lines() {
                Ok(true) => {}
                Ok(false) => return false,
                Err(error) => {
                    self.leave_out(error.to_string());
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

    fn unread(&self) -> Vec<GameFile> {
        let mut unread = Vec::new();
        for folder in list(&self.folder.join("games")) {
            for name in list(&self.folder.join("games").join(&folder)) {
                let path = format!("{folder}/{name}");
                if self.read.contains(&path) {
                    continue;
                }
                let of = |purpose: Purpose| name.starts_with(purpose.name()) && name.ends_with(".parquet");
                if of(Purpose::Selfplay) {
                    unread.push(GameFile::Shard(Kind::Selfplay, path));
                } else if of(Purpose::Measurement) {
                    unread.push(GameFile::Shard(Kind::Measurement, path));
                } else if name.starts_with("player-") && name.ends_with(".jsonl") {
                    unread.push(GameFile::Study(path));
                }
            }
        }
        unread.sort_by(|one, other| other.name().cmp(one.name()));
        unread
    }

    fn read_shard(&mut self, kind: Kind, name: &str) -> Result<(), String> {
        let rules = run_rules(&self.folder)?;
        let games = self.folder.join("games");
        let shard = shard::read::<Chase>(&games, name, &rules).map_err(|error| error.to_string())?;
        for record in &shard.records {
            let plies = self.explorer.plies();
            self.explorer
                .add(&ExploredGame::of_training(record, kind, &shard.model, plies));
        }
        Ok(())
    }

    /// Games of a study. Its forced plies count: that they are forced is how it asks what they are worth.
    fn read_study(&mut self, name: &str) -> Result<(), String> {
        let path = self.folder.join("games").join(name);
        let player = self.study_player(name);
        let games = read_games(&path).map_err(|error| error.to_string())?;
        let source = Source {
            kind: Kind::Study,
            player,
        };
        for played in &games {
            let players = [source.clone(), source.clone()];
            let plies = self.explorer.plies();
            let explored = ExploredGame::of_result(&played.result, players, 0, &played.values, plies);
            let wrong = |reason| {
                format!(
                    "{}: game {} of {}: {reason}",
                    path.display(),
                    played.number,
                    played.series
                )
            };
            self.explorer.add(&explored.map_err(wrong)?);
        }
        Ok(())
    }

    /// The name of the player of a file such as `round-00/player-03-00001.jsonl`, as the study's design has it.
    fn study_player(&self, name: &str) -> String {
        #[derive(Deserialize)]
        struct Design {
            players: Vec<Player>,
        }
        #[derive(Deserialize)]
        struct Player {
            name: String,
        }
        let number = name.split('-').nth(2).unwrap_or_default();
        let design = files::read_document(&self.folder.join("design.json")).ok();
        let design: Option<Design> = design.and_then(|text| serde_json::from_slice(&text).ok());
        let player = number.parse().ok().and_then(|place: usize| {
            let design = design?;
            Some(design.players.get(place)?.name.clone())
        });
        player.unwrap_or_else(|| format!("player {number}"))
    }

    fn has_lines(&self) -> bool {
        let facts = fs::metadata(self.folder.join(GAMES_FILE));
        facts.is_ok_and(|facts| facts.len() > self.lines)
    }

    /// Reads a piece of the games of a tournament. Returns whether there was one.
    fn read_lines(&mut self) -> Result<bool, FileError> {
        let path = self.folder.join(GAMES_FILE);
        let Ok(mut file) = files::open(&path, OpenOptions::new().read(true), Links::Followed) else {
            return Ok(false);
        };
        let length = file.metadata().map_err(FileError::of("read", &path))?.len();
        if length < self.lines {
            // A tournament that is resumed takes back what it had not finished, and plays it again.
            *self = Self::new(&self.folder, self.explorer.plies());
            return Ok(true);
        }
        let mut piece = Vec::new();
        file.seek(SeekFrom::Start(self.lines))
            .and_then(|_| file.take(PIECE as u64).read_to_end(&mut piece))
            .map_err(FileError::of("read", &path))?;
        let whole = piece.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        if whole == 0 {
            if piece.len() == PIECE {
                self.lines += PIECE as u64;
                self.leave_out(format!("{}: a line of more than {PIECE} bytes", path.display()));
                return Ok(true);
            }
            return Ok(false);
        }
        for line in piece[..whole]
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            if let Err(reason) = self.add_line(line) {
                self.leave_out(format!("{}: {reason}", path.display()));
            }
        }
        self.lines += whole as u64;
        Ok(true)
    }

    fn add_line(&mut self, line: &[u8]) -> Result<(), String> {
        let line: GameLine = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let source = |player| Source {
            kind: Kind::Match,
            player,
        };
        let players = [source(line.white), source(line.black)];
        let plies = self.explorer.plies();
        let explored = ExploredGame::of_result(&line.game, players, line.game.opening_plies, &[], plies)?;
        self.explorer.add(&explored);
        Ok(())
    }
}

/// The conventions that the games of a training run, a match or a tournament were played under.
///
/// # Errors
/// With the reason, if its configuration cannot be read.
pub fn run_rules(run: &Path) -> Result<Rules, String> {
    /// What else a run was configured with may come from a newer program.
    #[derive(Deserialize)]
    struct Part {
        #[serde(default)]
        rules: RulesConfig,
    }
    let path = run.join(CONFIG_FILE);
    let text = files::read_document(&path).map_err(|error| error.to_string())?;
    let part: Part = toml::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let config = Config {
        rules: part.rules,
        ..Config::default()
    };
    Ok(<Chase as Trainable>::rules(&config))
}

/// The names in a folder; none if it is not there.
fn list(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.collect()
}
