//! The time that games have taken which an interrupted attempt has left.
//!
//! Not in the shards: their names are hashes of their content, which time must not change.

use std::path::{Path, PathBuf};

use chase_engine::Moment;
use serde::{Deserialize, Serialize};

use crate::game_record::Purpose;
use crate::store::files::{self, FileError};
use crate::store::serialised::json;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Times {
    generation: u64,
    purpose: String,
    /// Until the newest of the shards was written.
    milliseconds: u64,
}

/// Counts the time of a generation's games over interruptions.
#[derive(Debug)]
pub(super) struct Clock {
    path: PathBuf,
    generation: u64,
    purpose: Purpose,
    begin: Moment,
    earlier: u64,
}

impl Clock {
    /// A clock for games of which there are none yet.
    pub(super) fn new(path: &Path, generation: u64, purpose: Purpose) -> Self {
        Self {
            path: path.into(),
            generation,
            purpose,
            begin: Moment::now(),
            earlier: 0,
        }
    }

    /// A clock that continues from what stands in the file, if that is about these games.
    pub(super) fn resume(path: &Path, generation: u64, purpose: Purpose) -> Self {
        // Of a run of before, or damaged: time that is not known is not counted.
        let times: Times = files::read_document(path)
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default();
        let same = (times.generation, times.purpose.as_str()) == (generation, purpose.name());
        Self {
            earlier: if same { times.milliseconds } else { 0 },
            ..Self::new(path, generation, purpose)
        }
    }

    /// Milliseconds of earlier attempts.
    pub(super) const fn earlier(&self) -> u64 {
        self.earlier
    }

    /// Writes down what the games on disk have taken.
    pub(super) fn save(&self) -> Result<(), FileError> {
        let times = Times {
            generation: self.generation,
            purpose: self.purpose.name().into(),
            milliseconds: self.earlier + self.begin.elapsed().as_millis() as u64,
        };
        files::write_whole(&self.path, json(&times).as_bytes())
    }
}
