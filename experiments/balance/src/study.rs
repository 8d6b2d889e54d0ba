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
use chase_training::settings::{Change, Setting, Settings};
use chase_training::store::OpenRun;
use chase_training::store::files;
use chase_training::store::run_dir::Meta;
use chase_training::store::serialised::pretty_json;

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
pub struct Study(OpenRun<BalanceConfig>);

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
        Ok(Self(OpenRun::create(path, config, &[AGENTS], &[])?))
    }

    /// Resumes the study in a directory. Only the number of threads may differ.
    ///
    /// # Errors
    /// If there is no study, it is in use or damaged, or a setting differs.
    pub fn resume(path: &Path, settings: &[Setting]) -> Result<Self, BalanceError> {
        let run = OpenRun::resume(path, &|began: &BalanceConfig, file| -> Result<_, BalanceError> {
            Ok(began.with(file, settings, Change::Resume)?)
        })?;
        Ok(Self(run))
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.0.dir.path()
    }

    /// The configuration under which the study began: that of its numbers, which do not depend on threads.
    pub(crate) const fn began(&self) -> &BalanceConfig {
        &self.0.began
    }

    /// SHA-256 of its `config.toml`.
    pub(crate) fn config_sha256(&self) -> String {
        self.0.meta.config.clone().expect("a run has settings")
    }

    /// The configuration under which it continues.
    pub const fn config(&self) -> &BalanceConfig {
        &self.0.settings
    }

    /// Provenance of the study.
    pub(crate) const fn meta(&self) -> &Meta {
        &self.0.meta
    }

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
        Ok(Some(files::read_json(&path)?))
    }

    /// Stores what an agent's games and searches say: from here on the agent is finished.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish_agent(&self, entry: AgentEntry, report: &AgentReport) -> Result<(), BalanceError> {
        let path = self.folder_of(entry).join(AGENT);
        Ok(files::write_whole(&path, (pretty_json(report) + "\n").as_bytes())?)
    }
}
