//! The plan of a study: everything that was fixed before its first game.

use std::path::Path;

use chase_models::manifest::FileFacts;
use chase_training::files;
use chase_training::run_dir::Meta;
use serde::{Deserialize, Serialize};

use super::evidence::games::Design;
use super::plan_error::PlanError;
use crate::StudyConfig;

/// Version of the layout of the file.
const PLAN_VERSION: u32 = 1;
/// The plan, in the folder of a study.
pub(crate) const PLAN_FILE: &str = "plan.json";

/// The configuration file of a study, as given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigFile {
    /// Its name on the command line.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// The plan of a study, as `plan.json` holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyPlan {
    /// Version of the layout of the file.
    pub version: u32,
    /// Version of the program, whose code defines the tests and everything without a setting.
    pub program_version: String,
    /// The commit that the program was built from, if it was built in a repository.
    pub git_hash: Option<String>,
    /// True if the sources differed from that commit.
    pub git_dirty: Option<bool>,
    /// The configuration file, as given, if there was one.
    pub config_file: Option<ConfigFile>,
    /// The resolved configuration, including thresholds, margins and overrides of the command line.
    pub config: StudyConfig,
    /// The players and their games.
    pub design: Design,
    /// Every effective setting of each player of the design.
    pub settings: Vec<serde_json::Value>,
}

impl StudyPlan {
    /// The plan of a study that has not begun.
    pub(crate) fn new(program: &Meta, file: Option<ConfigFile>, config: &StudyConfig, design: &Design) -> Self {
        Self {
            version: PLAN_VERSION,
            program_version: program.program_version.clone(),
            git_hash: program.git_hash.clone(),
            git_dirty: program.git_dirty,
            config_file: file,
            config: config.clone(),
            settings: design.players.iter().map(|player| player.settings()).collect(),
            design: design.clone(),
        }
    }

    /// Writes the plan into the folder of a study; returns its SHA-256.
    pub(crate) fn write(&self, folder: &Path) -> Result<String, PlanError> {
        let path = folder.join(PLAN_FILE);
        let text = serde_json::to_string_pretty(self).map_err(|error| unreadable(&path, &error))?;
        let bytes = (text + "\n").into_bytes();
        files::write_whole(&path, &bytes)?;
        Ok(FileFacts::of(&bytes).sha256)
    }

    /// Reads the plan in the folder of a study, and its SHA-256; `None` if there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<(Self, String)>, PlanError> {
        let path = folder.join(PLAN_FILE);
        if !path.exists() {
            return Ok(None);
        }
        let bytes = files::read(&path)?;
        let plan = serde_json::from_slice(&bytes).map_err(|error| unreadable(&path, &error))?;
        Ok(Some((plan, FileFacts::of(&bytes).sha256)))
    }

    /// Checks that a resumed study follows the plan: only device, threads and the maximum of games may
    /// change.
    pub(crate) fn agrees(&self, folder: &Path, config: &StudyConfig, design: &Design) -> Result<(), PlanError> {
        let now = StudyConfig {
            threads: self.config.threads,
            device: self.config.device.clone(),
            ..config.clone()
        };
        let other = now.differences(&self.config).into_iter();
        let mut other: Vec<String> = other.filter(|key| key != "games.most").collect();
        let began = Design {
            raised: Vec::new(),
            ..design.clone()
        };
        if other.is_empty() && began != self.design {
            other.push("design.json".into());
        }
        if other.is_empty() {
            return Ok(());
        }
        Err(PlanError::Content {
            path: folder.join(PLAN_FILE),
            reason: format!(
                "{} differs from what it says: expected the plan of before the first game",
                other.join(", ")
            ),
        })
    }
}

fn unreadable(path: &Path, error: &serde_json::Error) -> PlanError {
    PlanError::Content {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}
