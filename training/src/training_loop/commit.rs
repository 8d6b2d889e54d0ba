//! The commit of a generation, which makes it final.

use std::path::Path;

use chase_models::checkpoint;
use chase_models::manifest::{FileFacts, Manifest, NetworkOrigin, TrainingProgress};

use super::{Training, TrainingError, checkpoint_name};
use crate::learner::Learner;
use crate::sources;
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
        let folder = self.run.new_checkpoint(generation)?;
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
        let (state, keep) = (&self.state, &self.config.checkpoints);
        Ok(self
            .run
            .prune_checkpoints(keep, state.generation, &state.failed_evaluations)?)
    }
}
