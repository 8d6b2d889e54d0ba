//! The checkpoints of a run: where they lie, and which are kept.

use std::fs;
use std::path::PathBuf;

use super::files::{self, FileError};
use super::run_dir::{CHECKPOINTS, RunDir};
use crate::config::CheckpointConfig;
use crate::replay::shard::{folder_generation, generation_folder};

impl RunDir {
    /// The folder of all checkpoints, which hold networks and optimizer states.
    pub fn checkpoints(&self) -> PathBuf {
        self.path().join(CHECKPOINTS)
    }

    /// The folder of the checkpoint of a generation.
    pub fn checkpoint(&self, generation: u64) -> PathBuf {
        self.checkpoints().join(generation_folder(generation))
    }

    /// Makes room for the checkpoint of a generation, and returns its folder. One that is there belongs to an attempt that never
    /// became final.
    pub(crate) fn new_checkpoint(&self, generation: u64) -> Result<PathBuf, FileError> {
        let folder = self.checkpoint(generation);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(FileError::of("remove", &folder))?;
        }
        Ok(folder)
    }

    /// Removes the checkpoints that `keep` does not keep when that of generation `newest` is the last final one, but for the
    /// generations `also`. Newer ones stay: they were never final, and are replaced when their generation is done again.
    pub(crate) fn prune_checkpoints(
        &self,
        keep: &CheckpointConfig,
        newest: u64,
        also: &[u64],
    ) -> Result<(), FileError> {
        let folder = self.checkpoints();
        let doomed = folder.join(".removed.tmp");
        let remove = || fs::remove_dir_all(&doomed).map_err(FileError::of("remove", &doomed));
        if doomed.exists() {
            remove()?;
        }
        for name in files::names(&folder)? {
            let Some(generation) = folder_generation(&name) else {
                continue;
            };
            let is_recent = generation + keep.keep_last > newest;
            let is_milestone = keep.keep_every > 0 && generation.is_multiple_of(keep.keep_every);
            if !is_recent && !is_milestone && !also.contains(&generation) {
                // Under another name first, so that no half of a checkpoint is ever taken for a whole one.
                let old = folder.join(&name);
                fs::rename(&old, &doomed).map_err(FileError::of("remove", &old))?;
                remove()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn newest_ones_milestones_and_those_still_needed_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::begin(directory.path(), &[], &[]).unwrap();
        // The last one was never final; an earlier removal was killed half-way.
        for folder in (0..=6).map(|generation| run.checkpoint(generation)) {
            fs::create_dir_all(folder).unwrap();
        }
        for other in [".removed.tmp", "notes"] {
            fs::create_dir(run.checkpoints().join(other)).unwrap();
        }
        let keep = CheckpointConfig {
            keep_last: 2,
            keep_every: 4,
        };
        run.prune_checkpoints(&keep, 5, &[1]).unwrap();
        let mut left = files::names(&run.checkpoints()).unwrap();
        left.sort();
        let kept = [0, 1, 4, 5, 6].map(generation_folder);
        assert_eq!(left, [&kept[..], &["notes".to_owned()]].concat());
    }
}
