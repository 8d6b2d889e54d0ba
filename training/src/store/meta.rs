//! `meta.json`: the provenance of a run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chase_models::processor::processor;
use serde::{Deserialize, Serialize};

use crate::settings::cores;
use crate::sources;

/// Version of the layout of a run directory; a run with another version cannot be resumed.
pub const RUN_VERSION: u32 = 1;

/// Provenance of a run: the facts needed to repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// [`RUN_VERSION`] of the program that wrote the run.
    pub run_version: u32,
    /// Version of this crate.
    pub program_version: String,
    /// The commit that the program was built from, if it was built in a repository.
    pub git_hash: Option<String>,
    /// True if the sources differed from that commit when the program was built.
    pub git_dirty: Option<bool>,
    /// The game's name.
    pub game: String,
    /// Version of the game's rules.
    pub rules_version: u32,
    /// Seed of the run.
    pub seed: u64,
    /// The command line. The program has its name alone: its folder says much of the machine, and nothing of the run.
    pub argv: Vec<String>,
    /// Cores of the machine that started the run.
    pub host_cores: usize,
    /// Maker and sets of instructions of its processor, which the last digits of a network's output depend on.
    pub processor: String,
    /// Start of the run, in seconds since 1970.
    pub started: u64,
    /// The point where it branched off, if it is a branch of another run.
    pub branched_from: Option<BranchPoint>,
    /// SHA-256 of the `config.toml` as the program wrote it last; `None` without one.
    pub config: Option<String>,
    /// SHA-256 of the one that it replaces; left out unless the process was killed between both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_before: Option<String>,
}

/// The point where a run branches off another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchPoint {
    /// Directory of the other run, as it was typed.
    pub run: PathBuf,
    /// Its last finished generation.
    pub generation: u64,
    /// SHA-256 of the manifest of its checkpoint, which vouches for the weights.
    pub checkpoint: String,
}

impl Meta {
    /// Metadata of this program, on this machine, now.
    pub fn new(game: &str, rules_version: u32, seed: u64) -> Self {
        let sources = sources::stated();
        Self {
            run_version: RUN_VERSION,
            program_version: env!("CARGO_PKG_VERSION").into(),
            git_hash: sources.map(|sources| sources.commit.clone()),
            git_dirty: sources.map(|sources| sources.dirty),
            game: game.into(),
            rules_version,
            seed,
            argv: command_line(std::env::args_os()),
            host_cores: cores(),
            processor: processor(),
            started: unix_seconds() as u64,
            branched_from: None,
            config: None,
            config_before: None,
        }
    }
}

/// Seconds since 1970.
pub fn unix_seconds() -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0.0, |since| since.as_secs_f64())
}

/// A command line as it is recorded.
fn command_line(arguments: impl Iterator<Item = OsString>) -> Vec<String> {
    let arguments = arguments.enumerate().map(|(place, argument)| {
        let name = Path::new(&argument).file_name().filter(|_| place == 0);
        name.unwrap_or(&argument).to_string_lossy().into_owned()
    });
    arguments.collect()
}
