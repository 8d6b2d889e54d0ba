//! The directory of a book.
//!
//! | path | content |
//! |---|---|
//! | `config.toml`, `meta.json` | the resolved configuration and its provenance, written before anything else |
//! | `agents.json` | all players with the hashes of their weights, written before anything else too |
//! | `positions/ply-NN-NNNNN.jsonl` | judged positions, a line for each |
//! | `challenges/NNNNN.jsonl` | what challengers found against their best moves, a line for each position |
//! | `contest/MOVE-NNNNNN.jsonl` | games of the contest, a line for each |
//! | `book.json`, `book.parquet`, `contest.jsonl`, `report.html` | computed from these: [`Book`](crate::Book), all moves, all games, and the page |

use std::path::Path;

use chase_arena::PlayerSpec;
use chase_engine::{Game, with_game};
use chase_models::device;
use chase_models::manifest::FileFacts;
use chase_training::files;
use chase_training::run_dir::{Meta, RunDir};
use chase_training::settings::{Change, Setting, Settings};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::agent::{BookAgent, BookPlayers};
use crate::config::{BookConfig, ContestConfig};
use crate::error::{BookError, damaged};

pub(crate) const POSITIONS: &str = "positions";
pub(crate) const CHALLENGES: &str = "challenges";
pub(crate) const CONTEST: &str = "contest";
const AGENTS: &str = "agents.json";

/// A book in the making: its directory, locked for the lifetime of the value, and its configuration.
#[derive(Debug)]
pub struct BookFolder {
    run: RunDir,
    meta: Meta,
    config: BookConfig,
    players: BookPlayers,
}

impl BookFolder {
    /// Begins a book in a new directory. A player that is a run stands for its newest checkpoint now: what the run does
    /// later changes nothing.
    ///
    /// # Errors
    /// If the directory is in use, holds other files, or cannot be written; if there is no such device or network.
    pub fn create(path: &Path, config: BookConfig) -> Result<Self, BookError> {
        device::parse(&config.device)?;
        let config = BookConfig {
            scout: config.scout.settled()?,
            judges: settled(&config.judges)?,
            challengers: settled(&config.challengers)?,
            contest: ContestConfig {
                player: match config.contest.moves {
                    0 => config.contest.player,
                    _ => config.contest.player.settled()?,
                },
                ..config.contest
            },
            ..config
        };
        let players = BookPlayers::of(&config)?;
        let rules_version = with_game!(config.game, G => G::RULES_VERSION);
        let text = config.to_toml();
        let meta = Meta::new(config.game.name(), rules_version, 0).under(&text);
        let shown = serde_json::to_string_pretty(&players).map_err(|error| damaged(path, &error))?;
        let files = [(AGENTS, shown.as_bytes())];
        let run = RunDir::create_with(path, &text, &meta, &[POSITIONS, CHALLENGES, CONTEST], &files)?;
        Ok(Self {
            run,
            meta,
            config,
            players,
        })
    }

    /// Continues the book in a directory. Only the number of threads and the device may differ.
    ///
    /// # Errors
    /// If there is no book, it is in use or damaged, or a setting, the rules or the weights of a player differ.
    pub fn resume(path: &Path, settings: &[Setting]) -> Result<Self, BookError> {
        let (run, meta) = RunDir::resume(path)?;
        let file = run.config();
        let text = String::from_utf8(files::read(&file)?).map_err(|error| damaged(&file, &error))?;
        let sum = FileFacts::of(text.as_bytes()).sha256;
        if let Some(expected) = meta.config.as_ref().filter(|expected| **expected != sum) {
            let reason = format!("its SHA-256 is {sum}, not {expected} as when the book began; put it back");
            return Err(damaged(&file, &reason));
        }
        let name = file.to_string_lossy();
        let config = BookConfig::changed((&name, &text), settings, Change::Resume)?;
        let rules_version = with_game!(config.game, G => G::RULES_VERSION);
        meta.expect(path, config.game.name(), rules_version)
            .map_err(|reason| damaged(path, &reason))?;
        let file = path.join(AGENTS);
        let players: BookPlayers =
            serde_json::from_slice(&files::read(&file)?).map_err(|error| damaged(&file, &error))?;
        for (found, expected) in BookPlayers::of(&config)?.all().zip(players.all()) {
            if found.weights != expected.weights {
                let weights = |agent: &BookAgent| agent.weights.clone().unwrap_or_else(|| "none".into());
                let reason = format!(
                    "the SHA-256 of the weights of {} is {}, expected {} as when the book began",
                    expected.player,
                    weights(found),
                    weights(expected)
                );
                return Err(damaged(path, &reason));
            }
        }
        Ok(Self {
            run,
            meta,
            config,
            players,
        })
    }

    /// All players.
    pub(crate) const fn players(&self) -> &BookPlayers {
        &self.players
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.run.path()
    }

    /// The configuration.
    pub const fn config(&self) -> &BookConfig {
        &self.config
    }

    /// Provenance of the book.
    pub const fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The content of a file with one JSON object per line; `None` if it is not there.
    pub(crate) fn lines<T: DeserializeOwned>(&self, name: &str) -> Result<Option<Vec<T>>, BookError> {
        let path = self.path().join(name);
        if !path.exists() {
            return Ok(None);
        }
        let text = String::from_utf8(files::read(&path)?).map_err(|error| damaged(&path, &error))?;
        let items = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
        items.map(Some).map_err(|error| damaged(&path, &error))
    }

    /// Writes a file with one JSON object per line, whole or not at all.
    pub(crate) fn store_lines<T: Serialize>(&self, name: &str, items: &[T]) -> Result<(), BookError> {
        let path = self.path().join(name);
        let mut text = String::new();
        for item in items {
            text += &serde_json::to_string(item).map_err(|error| damaged(&path, &error))?;
            text.push('\n');
        }
        Ok(files::write_whole(&path, text.as_bytes())?)
    }
}

fn settled(players: &[PlayerSpec]) -> Result<Vec<PlayerSpec>, BookError> {
    let settled = players.iter().map(PlayerSpec::settled);
    Ok(settled.collect::<Result<_, _>>()?)
}
