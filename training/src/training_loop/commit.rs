//! The commit of a generation, which makes it final.

use std::fs;
use std::path::Path;

use chase_models::checkpoint;
use chase_models::manifest::{FileFacts, Manifest, NetworkOrigin, TrainingProgress};

use super::{Training, TrainingError, checkpoint_name};
use crate::learner::Learner;
use crate::replay::shard;
use crate::sources;
use crate::store::files::{self, FileError};
use crate::store::run_state::RunState;
use crate::trainable::Trainable;

/// The origin of the checkpoints of a run with this `config.toml`, without their parent.
pub(super) fn origin(config: &[u8]) -> NetworkOrigin {
    NetworkOrigin {
        config: Some(FileFacts::of(config).sha256),
        git: sources::stated().map(ToString::to_string),
        parent: None,
    }
}

/// Saves the learner as the checkpoint of a state.
pub(super) fn save<G: Trainable>(
    folder: &Path,
    learner: &Learner,
    encoding: &G::Encoding,
    state: &RunState,
    origin: NetworkOrigin,
) -> Result<(), TrainingError> {
    let progress = TrainingProgress {
        steps: learner.steps(),
        samples: state.samples,
        games: state.games,
    };
    let manifest = Manifest::new::<G>(encoding, learner.average().architecture(), progress, origin)
        .map_err(|error| TrainingError::Setup(error.to_string()))?;
    checkpoint::save(folder, manifest, learner.average(), &learner.state())?;
    Ok(())
}

impl<G: Trainable> Training<G> {
    /// Saves the learner and the state: from here on the generation is final.
    pub(super) fn commit(&mut self) -> Result<(), TrainingError> {
        let generation = self.state.generation;
        let folder = self.run.checkpoints().join(checkpoint_name(generation));
        if folder.exists() {
            // Of a generation that never became final.
            fs::remove_dir_all(&folder).map_err(FileError::of("remove", &folder))?;
        }
        let origin = NetworkOrigin {
            parent: generation.checked_sub(1).map(checkpoint_name),
            ..self.origin.clone()
        };
        save::<G>(&folder, &self.learner, &self.encoding, &self.state, origin)?;
        self.state.write(&self.run.state())?;
        self.prune_checkpoints()
    }

    /// Removes checkpoints that the configuration does not keep.
    pub(super) fn prune_checkpoints(&self) -> Result<(), TrainingError> {
        let keep = &self.config.checkpoints;
        let folder = self.run.checkpoints();
        let doomed = folder.join(".removed.tmp");
        let remove = || fs::remove_dir_all(&doomed).map_err(FileError::of("remove", &doomed));
        if doomed.exists() {
            remove()?;
        }
        for name in files::names(&folder)? {
            let Some(generation) = shard::folder_generation(&name) else {
                continue;
            };
            let newest = generation + keep.keep_last > self.state.generation;
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
