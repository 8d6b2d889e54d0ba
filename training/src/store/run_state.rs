//! The state of a run: the one file whose replacement makes a generation final.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::files::{self, FileError};
use super::run_dir::{RunDir, RunDirError};
use super::serialised::pretty_json;
use crate::replay::shard::ShardId;

/// Counters of a run after a finished generation. With the checkpoint, the shards that it names, and the
/// [unfinished games](crate::replay::unfinished) next to them if there are any, this determines everything that follows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    /// Finished generations.
    pub generation: u64,
    /// The generation whose measurement and evaluation, if due, are done.
    pub reported: Option<u64>,
    /// Parts that were not due then, or failed.
    pub omitted: Omitted,
    /// Generations whose evaluation was due and failed, oldest first: made up for as soon as one succeeds. Their
    /// checkpoints are kept until then.
    pub failed_evaluations: Vec<u64>,
    /// Finished self-play games.
    pub games: u64,
    /// Rows played that can be trained on.
    pub rows: u64,
    /// Rows that the learner used, counted as often as it used them.
    pub samples: u64,
    /// Milliseconds of work, interruptions not counted.
    pub milliseconds: u64,
    /// Milliseconds that the last generation took.
    pub last_milliseconds: u64,
    /// The generation after which a new network began to learn the games of another run; see
    /// [`Training::refit`](crate::training_loop::Training::refit).
    pub refit_from: Option<u64>,
    /// The step from which the learning rate warms up again, after more time was given to a run whose rate had fallen.
    pub warm_up_from: u64,
    /// Files of games that the last generation has left to the next one.
    pub unfinished: u64,
    /// Shards that the window reaches back to, oldest first.
    pub shards: Vec<ShardId>,
}

/// Parts of a generation's report that were not due or failed. They are made up for if it turns out to be the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Omitted {
    /// Games to be counted.
    pub measurement: bool,
    /// Matches against baselines.
    pub evaluation: bool,
}

impl RunState {
    /// The state of a run; `None` if the run was interrupted before its first.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged, or is missing where finished generations are.
    pub fn of(run: &RunDir) -> Result<Option<Self>, RunDirError> {
        let path = run.state();
        let state = Self::read(&path)?;
        if state.is_none()
            && let Some(found) = run.of_finished_generations()?
        {
            return Err(RunDirError::NoState { path, found });
        }
        Ok(state)
    }

    /// Reads the state of a run; `None` if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn read(path: &Path) -> Result<Option<Self>, FileError> {
        match files::read_json(path) {
            Err(error) if error.is_absent() => Ok(None),
            read => read.map(Some),
        }
    }

    /// Replaces the state of a run.
    ///
    /// # Errors
    /// If the file cannot be written; the old state then stands.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        files::write_whole(path, pretty_json(self).as_bytes())
    }

    /// True if the newest generation has been reported on, even if parts were omitted.
    pub fn is_reported(&self) -> bool {
        self.reported == Some(self.generation)
    }

    /// True if all games of the newest generation's measurement are counted.
    pub fn measured(&self) -> bool {
        self.is_reported() && !self.omitted.measurement
    }

    /// True if the newest generation has been evaluated.
    pub fn evaluated(&self) -> bool {
        self.is_reported() && !self.omitted.evaluation
    }

    /// Forgets shards that a window of `rows` rows does not reach back to.
    pub fn trim_shards(&mut self, rows: u64) {
        let mut newer: u64 = 0;
        let needed = self.shards.iter().rev().take_while(|shard| {
            let needed = newer < rows;
            newer += shard.rows;
            needed
        });
        let forgotten = self.shards.len() - needed.count();
        self.shards.drain(..forgotten);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn shards_are_kept_as_far_as_the_window_reaches() {
        let shard = |rows| ShardId {
            name: format!("{rows}"),
            games: 1,
            rows,
        };
        let mut state = RunState {
            shards: [5, 10, 20, 30].map(shard).into(),
            ..RunState::default()
        };
        state.trim_shards(51);
        assert_eq!(state.shards.len(), 3);
        state.trim_shards(50);
        assert_eq!(state.shards.len(), 2);
        state.trim_shards(1);
        assert_eq!(state.shards, [shard(30)]);
    }

    #[test]
    fn a_state_reads_back_and_a_damaged_one_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        assert_eq!(RunState::read(&path).unwrap(), None);
        let state = RunState {
            generation: 3,
            reported: Some(2),
            omitted: Omitted {
                measurement: true,
                evaluation: false,
            },
            rows: 123,
            ..RunState::default()
        };
        state.write(&path).unwrap();
        assert_eq!(RunState::read(&path).unwrap(), Some(state));
        std::fs::write(&path, "{\"generation\": 3").unwrap();
        assert!(
            RunState::read(&path)
                .unwrap_err()
                .to_string()
                .contains("state.json is damaged")
        );
    }
}
