//! The directory of a study.
//!
//! | path | content |
//! |---|---|
//! | `config.toml`, `meta.json` | the resolved configuration and its provenance, written before anything else |
//! | `agents/GAME-N/training/` | the training run of agent N, as `chase train` writes it |
//! | `agents/GAME-N/games-S/` | its games against itself with S simulations per move, as `chase tournament` writes them |
//! | `agents/GAME-N/ladder/` | its checkpoints against each other and against random play, likewise |
//! | `agents/GAME-N/agent.json` | what all that says: an [`AgentReport`], written last |
//! | `balance.json`, `report.html`, `games.parquet` | computed from these: [`BalanceReport`](crate::BalanceReport), its page, and all games |

use std::path::{Path, PathBuf};

use chase_models::device;
use chase_models::manifest::FileFacts;
use chase_training::files;
use chase_training::run_dir::{Meta, RunDir};
use chase_training::settings::{Change, Setting, Settings};

use crate::agent::AgentReport;
use crate::config::{AgentEntry, BalanceConfig};
use crate::error::BalanceError;

const AGENTS: &str = "agents";
const AGENT: &str = "agent.json";
pub(crate) const TRAINING: &str = "training";
pub(crate) const LADDER: &str = "ladder";

/// Folder of the games at a budget, within the folder of an agent.
pub(crate) fn games_folder(simulations: u32) -> String {
    format!("games-{simulations}")
}

/// A study: its directory, locked for the lifetime of the value, and its configuration.
#[derive(Debug)]
pub struct Study {
    run: RunDir,
    meta: Meta,
    /// As the study began.
    began: BalanceConfig,
    /// As it continues: the number of threads may differ.
    config: BalanceConfig,
}

impl Study {
    /// Creates a study in a new directory.
    ///
    /// # Errors
    /// If the directory is in use, holds other files, has a name that players cannot have, or cannot be written.
    pub fn create(path: &Path, config: BalanceConfig) -> Result<Self, BalanceError> {
        if path.to_string_lossy().contains(',') {
            return Err(BalanceError::Comma { path: path.into() });
        }
        device::parse(&config.device)?;
        let text = config.to_toml();
        let meta = Meta::new("balance", 1, config.seed).under(&text);
        let run = RunDir::create(path, &text, &meta, &[AGENTS])?;
        Ok(Self {
            run,
            meta,
            began: config.clone(),
            config,
        })
    }

    /// Resumes the study in a directory. Only the number of threads may differ.
    ///
    /// # Errors
    /// If there is no study, it is in use or damaged, or a setting differs.
    pub fn resume(path: &Path, settings: &[Setting]) -> Result<Self, BalanceError> {
        let (run, meta) = RunDir::resume(path)?;
        let file = run.config();
        let text = String::from_utf8(files::read(&file)?).map_err(|error| damaged(&file, &error))?;
        let sum = FileFacts::of(text.as_bytes()).sha256;
        if let Some(expected) = meta.config.as_ref().filter(|expected| **expected != sum) {
            let reason = format!("its SHA-256 is {sum}, not {expected} as when the study began; put it back");
            return Err(damaged(&file, &reason));
        }
        let name = file.to_string_lossy();
        let began = BalanceConfig::load(Some((&name, &text)), &[])?;
        let config = BalanceConfig::changed((&name, &text), settings, Change::Resume)?;
        Ok(Self {
            run,
            meta,
            began,
            config,
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.run.path()
    }

    /// The configuration under which the study began: that of its numbers, which do not depend on threads.
    pub(crate) const fn began(&self) -> &BalanceConfig {
        &self.began
    }

    /// SHA-256 of the `config.toml` that it began with.
    pub(crate) fn config_sha256(&self) -> Result<String, BalanceError> {
        if let Some(sum) = &self.meta.config {
            return Ok(sum.clone());
        }
        let text = self.began.to_toml();
        Ok(FileFacts::of(text.as_bytes()).sha256)
    }

    /// The configuration under which it continues.
    pub const fn config(&self) -> &BalanceConfig {
        &self.config
    }

    /// Provenance of the study.
    pub(crate) const fn meta(&self) -> &Meta {
        &self.meta
    }

    /// The folder of an agent.
    pub(crate) fn folder_of(&self, entry: AgentEntry) -> PathBuf {
        self.path().join(AGENTS).join(format!("{}-{}", entry.game, entry.agent))
    }

    /// Results of an agent's games and searches; `None` if the agent is not finished.
    ///
    /// # Errors
    /// If its file cannot be read or is damaged.
    pub fn agent(&self, entry: AgentEntry) -> Result<Option<AgentReport>, BalanceError> {
        let path = self.folder_of(entry).join(AGENT);
        if !path.exists() {
            return Ok(None);
        }
        let text = files::read_document(&path)?;
        let report: AgentReport = serde_json::from_slice(&text).map_err(|error| damaged(&path, &error))?;
        match (report.game.as_str(), report.agent) == (entry.game.name(), entry.agent) {
            true => Ok(Some(report)),
            false => Err(damaged(
                &path,
                &format!("it is about agent {} of {}", report.agent, report.game),
            )),
        }
    }

    /// Stores what an agent's games and searches say: from here on the agent is finished.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish_agent(&self, entry: AgentEntry, report: &AgentReport) -> Result<(), BalanceError> {
        let path = self.folder_of(entry).join(AGENT);
        let text = serde_json::to_string_pretty(report).map_err(|error| damaged(&path, &error))?;
        Ok(files::write_whole(&path, (text + "\n").as_bytes())?)
    }
}

pub(crate) fn damaged(path: &Path, reason: &dyn std::fmt::Display) -> BalanceError {
    BalanceError::Damaged {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}
