//! The directory of a book.
//!
//! | path | content |
//! |---|---|
//! | `config.toml`, `meta.json` | the resolved configuration and its provenance, written before anything else |
//! | `judges.json` | the scout and the judges with the hashes of their weights, written before anything else too |
//! | `positions/ply-NN-NNNNN.jsonl` | judged positions, a line for each |
//! | `book.json`, `book.parquet`, `report.html` | computed from these: [`Book`](crate::Book), all moves, and its page |

use std::path::{Path, PathBuf};

use chase_arena::PlayerSpec;
use chase_engine::{Game, with_game};
use chase_models::device;
use chase_models::manifest::FileFacts;
use chase_training::config::Setting;
use chase_training::files;
use chase_training::run_dir::{Meta, RunDir};

use crate::agent::BookAgent;
use crate::config::BookConfig;
use crate::error::{BookError, damaged};
use crate::position::BookPosition;

const POSITIONS: &str = "positions";
const JUDGES: &str = "judges.json";

/// A book in the making: its directory, locked for the lifetime of the value, and its configuration.
#[derive(Debug)]
pub struct BookFolder {
    run: RunDir,
    meta: Meta,
    config: BookConfig,
    /// The scout, then the judges.
    agents: Vec<BookAgent>,
}

impl BookFolder {
    /// Begins a book in a new directory. A player that is a run stands for its newest checkpoint now: what the run does later changes
    /// nothing.
    ///
    /// # Errors
    /// If the directory is in use, holds other files, or cannot be written; if there is no such device or network.
    pub fn create(path: &Path, config: BookConfig) -> Result<Self, BookError> {
        device::parse(&config.device)?;
        let config = BookConfig {
            scout: config.scout.settled()?,
            judges: config
                .judges
                .iter()
                .map(PlayerSpec::settled)
                .collect::<Result<_, _>>()?,
            ..config
        };
        let agents = agents(&config)?;
        let rules_version = with_game!(config.game, G => G::RULES_VERSION);
        let text = config.to_toml().map_err(|error| damaged(path, &error))?;
        let meta = Meta::new(config.game.name(), rules_version, 0).under(&text);
        let judges = serde_json::to_string_pretty(&agents).map_err(|error| damaged(path, &error))?;
        let files = [(JUDGES, judges.as_bytes())];
        let run = RunDir::create_with(path, &text, &meta, &[POSITIONS], &files)?;
        Ok(Self {
            run,
            meta,
            config,
            agents,
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
        let began = BookConfig::load(Some((&name, &text)), &[])?;
        let config = BookConfig::load(Some((&name, &text)), settings)?;
        let keys = began.changed(&config);
        if !keys.is_empty() {
            let path = path.into();
            return Err(BookError::Changed { path, keys });
        }
        let rules_version = with_game!(config.game, G => G::RULES_VERSION);
        meta.expect(path, config.game.name(), rules_version)
            .map_err(|reason| damaged(path, &reason))?;
        let file = path.join(JUDGES);
        let agents: Vec<BookAgent> =
            serde_json::from_slice(&files::read(&file)?).map_err(|error| damaged(&file, &error))?;
        for (found, expected) in self::agents(&config)?.iter().zip(&agents) {
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
            agents,
        })
    }

    /// The scout, then the judges.
    pub(crate) fn agents(&self) -> &[BookAgent] {
        &self.agents
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

    fn file(&self, ply: u32, number: usize) -> PathBuf {
        self.path()
            .join(POSITIONS)
            .join(format!("ply-{ply:02}-{number:05}.jsonl"))
    }

    /// The positions of a file, if it is there: one for each of these lines.
    pub(crate) fn stored(
        &self,
        ply: u32,
        number: usize,
        lines: &[Vec<String>],
    ) -> Result<Option<Vec<BookPosition>>, BookError> {
        let path = self.file(ply, number);
        if !path.exists() {
            return Ok(None);
        }
        let text = String::from_utf8(files::read(&path)?).map_err(|error| damaged(&path, &error))?;
        let positions = text
            .lines()
            .map(serde_json::from_str::<BookPosition>)
            .collect::<Result<Vec<_>, _>>();
        let positions = positions.map_err(|error| damaged(&path, &error))?;
        match positions.iter().map(|position| &position.line).eq(lines) {
            true => Ok(Some(positions)),
            false => Err(damaged(
                &path,
                &"it has other positions than this book; remove it, to have them judged again",
            )),
        }
    }

    pub(crate) fn store(&self, ply: u32, number: usize, positions: &[BookPosition]) -> Result<(), BookError> {
        let path = self.file(ply, number);
        let mut text = String::new();
        for position in positions {
            text += &serde_json::to_string(position).map_err(|error| damaged(&path, &error))?;
            text.push('\n');
        }
        Ok(files::write_whole(&path, text.as_bytes())?)
    }
}

/// The scout and the judges, as they are now.
fn agents(config: &BookConfig) -> Result<Vec<BookAgent>, BookError> {
    let players = std::iter::once(&config.scout).chain(&config.judges);
    players.map(BookAgent::of).collect()
}
