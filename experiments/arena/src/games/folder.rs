//! The games in a folder.

use std::path::{Path, PathBuf};

use chase_engine::{Game, GameName, Playable};
use chase_training::config::{Config, RulesConfig};
use chase_training::game_record::Purpose;
use chase_training::replay::shard::{self, Shard, ShardError};
use chase_training::store::files::{self, FileError};
use chase_training::store::run_dir::CONFIG_FILE;
use serde::{Deserialize, Serialize};

use super::lines::{StoredGamesError, read_games};
use super::stored::PlayedGame;

/// The games of a match or a tournament, one [`super::GameLine`] per line, within its folder.
pub const GAMES_FILE: &str = "games.jsonl";

/// The design of a study's games, within its folder; the study's crate has its type.
pub const DESIGN_FILE: &str = "design.json";

/// The purpose of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameKind {
    /// For training, with exploration.
    Selfplay,
    /// To measure a generation, without noise.
    Measurement,
    /// Games of a match or a tournament.
    Match,
    /// Games of an opening study.
    Study,
}

impl GameKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Selfplay, Self::Measurement, Self::Match, Self::Study];
}

impl From<Purpose> for GameKind {
    fn from(purpose: Purpose) -> Self {
        match purpose {
            Purpose::Selfplay => Self::Selfplay,
            Purpose::Measurement => Self::Measurement,
        }
    }
}

/// A folder that a training run, a match, a tournament or a study has written or is writing.
///
/// | files | kind |
/// |---|---|
/// | `games/gen-NNNNNN/{selfplay,measurement}-*.parquet` | games of training |
/// | `games.jsonl` | games of a match or a tournament |
/// | `games/round-NN/player-NN-*.jsonl` | games of a study |
#[derive(Clone, Debug)]
pub struct GameFolder {
    folder: PathBuf,
}

/// A file of finished games that never changes, given by its path below `games/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameFile {
    /// A file of a training run.
    Shard(Purpose, String),
    /// A file of a study.
    Study(String),
}

impl GameFile {
    /// Path below `games/`.
    pub fn name(&self) -> &str {
        match self {
            Self::Shard(_, name) | Self::Study(name) => name,
        }
    }
}

impl GameFolder {
    /// The games of this folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    /// The folder of the files of training runs and studies.
    pub fn games(&self) -> PathBuf {
        self.folder.join("games")
    }

    /// The file of a match or a tournament, which may not exist.
    pub fn of_match(&self) -> PathBuf {
        self.folder.join(GAMES_FILE)
    }

    /// The files of training runs and studies, newest generation first. Unreadable folders are left out.
    pub fn files(&self) -> Vec<GameFile> {
        let mut files = Vec::new();
        for folder in names(&self.games()) {
            for name in names(&self.games().join(&folder)) {
                let path = format!("{folder}/{name}");
                let of = |purpose: &Purpose| name.starts_with(purpose.name()) && name.ends_with(".parquet");
                match [Purpose::Selfplay, Purpose::Measurement].into_iter().find(of) {
                    Some(purpose) => files.push(GameFile::Shard(purpose, path)),
                    None if name.starts_with("player-") && name.ends_with(".jsonl") => {
                        files.push(GameFile::Study(path))
                    }
                    None => {}
                }
            }
        }
        files.sort_by(|one, other| other.name().cmp(one.name()));
        files
    }

    /// The shards of a training run as paths below `games/`, oldest generation first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn shards(&self, purpose: Purpose) -> Result<Vec<String>, FileError> {
        shard::list(&self.games(), purpose)
    }

    /// The games of a shard.
    ///
    /// # Errors
    /// If it cannot be read or is damaged, or a game is not legal under the rules.
    pub fn shard<G: Game>(&self, name: &str, rules: &G::Rules) -> Result<Shard<G>, ShardError> {
        shard::read(&self.games(), name, rules)
    }

    /// The games of a study's file, and the name of the player.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is not a game.
    pub fn study(&self, name: &str) -> Result<(String, Vec<PlayedGame>), StoredGamesError> {
        Ok((self.study_player(name), read_games(&self.games().join(name))?))
    }

    /// The player's name for a file such as `round-00/player-03-00001.jsonl`, from the study's design.
    fn study_player(&self, name: &str) -> String {
        /// Names alone: the texts of an older study's players may not be read any more.
        #[derive(Deserialize)]
        struct Design {
            players: Vec<Named>,
        }
        #[derive(Deserialize)]
        struct Named {
            name: String,
        }
        let number = name.split('-').nth(2).unwrap_or_default();
        let design = files::read_document(&self.folder.join(DESIGN_FILE)).ok();
        let design: Option<Design> = design.and_then(|text| serde_json::from_slice(&text).ok());
        let player = number.parse().ok().and_then(|place: usize| {
            let design = design?;
            Some(design.players.get(place)?.name.clone())
        });
        player.unwrap_or_else(|| format!("player {number}"))
    }

    /// The conventions of the games of a training run, a match or a tournament of `game`.
    ///
    /// # Errors
    /// The reason that its configuration cannot be read.
    pub fn rules<G: Playable>(&self, game: GameName) -> Result<G::Rules, String> {
        /// The other parts of a run's configuration may come from a newer program.
        #[derive(Deserialize)]
        struct Part {
            rules: Option<RulesConfig>,
        }
        let path = self.folder.join(CONFIG_FILE);
        let text = files::read_document(&path).map_err(|error| error.to_string())?;
        let part: Part = toml::from_slice(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let config = Config {
            game,
            rules: part.rules.unwrap_or_else(|| RulesConfig::of(game)),
            ..Config::default()
        };
        Ok(config.game_rules::<G>())
    }
}

/// The names in a folder; empty if it cannot be read.
fn names(folder: &Path) -> Vec<String> {
    files::names(folder).unwrap_or_default()
}
