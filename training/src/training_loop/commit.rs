//! The commit of a generation, which makes it final.

use chase_models::manifest::{FileFacts, NetworkOrigin};

use super::{Training, TrainingError};
use crate::kinds::{Kind, KindSettings};
use crate::learner::LearnError;
use crate::replay::shard;
use crate::sources;

/// The origin of the checkpoints of a run with this `config.toml`, without their parent.
pub(super) fn origin(config: &[u8]) -> NetworkOrigin {
    NetworkOrigin {
        config: Some(FileFacts::of(config).sha256),
        git: sources::stated().map(ToString::to_string),
        parent: None,
    }
}

impl<K: Kind> Training<K> {
    /// Saves the learner and the state: from here on the generation is final.
    pub(super) fn commit(&mut self) -> Result<(), TrainingError> {
        let generation = self.state.generation;
        self.run.expect_in_place()?;
        // No run could continue from a network that cannot play.
        if !self.kind.is_sound(&self.rules)? {
            return Err(LearnError::Unsound { generation }.into());
        }
        let folder = self.run.new_checkpoint(generation)?;
        let origin = NetworkOrigin {
            parent: generation.checked_sub(1).map(shard::generation_folder),
            ..self.origin.clone()
        };
        self.kind.save(&folder, &self.state, origin)?;
        self.state.write(&self.run.state())?;
        self.prune_checkpoints()
    }

    /// Removes checkpoints that the settings do not keep.
    pub(super) fn prune_checkpoints(&self) -> Result<(), TrainingError> {
        let (state, keep) = (&self.state, self.settings.sections().checkpoints);
        Ok(self
            .run
            .prune_checkpoints(keep, state.generation, &state.failed_evaluations)?)
    }
}
