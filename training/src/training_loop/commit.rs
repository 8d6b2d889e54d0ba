//! How a generation becomes final.

use std::fs;

use chase_models::checkpoint;
use chase_models::manifest::{Manifest, Origin, Progress};

use super::{Training, TrainingError, checkpoint_name};
use crate::files::FileError;
use crate::trainable::Trainable;

impl<G: Trainable> Training<G> {
    /// Saves the learner and the state: from here on the generation is final.
    pub(super) fn commit(&mut self) -> Result<(), TrainingError> {
        let generation = self.state.generation;
        let folder = self.run.checkpoints().join(checkpoint_name(generation));
        if folder.exists() {
            // Of a generation that never became final.
            fs::remove_dir_all(&folder).map_err(FileError::of("remove", &folder))?;
        }
        let progress = Progress {
            steps: self.learner.steps(),
            samples: self.state.samples,
            games: self.state.games,
        };
        let origin = Origin {
            parent: generation.checked_sub(1).map(checkpoint_name),
            ..self.origin.clone()
        };
        let manifest = Manifest::new::<G>(&self.encoding, &self.config.network, progress, origin)
            .map_err(|error| TrainingError::Setup(error.to_string()))?;
        checkpoint::save(&folder, manifest, self.learner.average(), &self.learner.state())?;
        self.write_state()?;
        self.prune_checkpoints()
    }

    /// Writes the state, with the sum of all figures so far.
    pub(super) fn write_state(&mut self) -> Result<(), TrainingError> {
        self.state.metrics = self.metrics.written();
        Ok(self.state.write(&self.run.state())?)
    }

    /// Removes checkpoints that the configuration does not keep.
    pub(super) fn prune_checkpoints(&self) -> Result<(), TrainingError> {
        let keep = &self.config.checkpoints;
        // The next generation's games are played with the oldest of these.
        let last = keep.keep_last.max(1 + self.config.selfplay.ahead);
        let folder = self.run.checkpoints();
        let doomed = folder.join(".removed.tmp");
        let remove = || fs::remove_dir_all(&doomed).map_err(FileError::of("remove", &doomed));
        if doomed.symlink_metadata().is_ok() {
            remove()?;
        }
        for entry in fs::read_dir(&folder).map_err(FileError::of("read", &folder))? {
            let name = entry.map_err(FileError::of("read", &folder))?.file_name();
            let number = name
                .to_str()
                .and_then(|name| name.strip_prefix("gen-")?.parse::<u64>().ok());
            let Some(generation) = number else { continue };
            let newest = generation + last > self.state.generation;
            let milestone = keep.keep_every > 0 && generation.is_multiple_of(keep.keep_every);
            let to_be_evaluated = self.state.failed_evaluations.contains(&generation);
            if !newest && !milestone && !to_be_evaluated {
                // Under another name first, so that no half of a checkpoint is ever taken for a whole one.
                let old = folder.join(&name);
                fs::rename(&old, &doomed).map_err(FileError::of("remove", &old))?;
                remove()?;
            }
        }
        Ok(())
    }
}
