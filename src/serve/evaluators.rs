//! Networks in memory, so that one is not loaded anew for every move.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use chase_arena::network_evaluator;
use chase_engine::Chase;
use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf};
use chase_models::Precision;
use chase_models::device::Device;
use chase_models::manifest::Manifest;
use chase_training::selfplay::NetworkEvaluator;

use super::refusal::Refusal;

/// Networks that are kept while nobody uses them.
const MOST_IDLE: usize = 8;

/// Lends evaluators of checkpoints. A network belongs to one search at a time; those that are not in use are kept, the
/// ones that were given back last.
#[derive(Debug)]
pub struct Evaluators {
    device: Device,
    /// The one that was given back last is the last.
    idle: Mutex<Vec<(Checkpoint, NetworkEvaluator<Chase>)>>,
}

/// A checkpoint by its content: the manifest has the hashes of all other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    folder: PathBuf,
    manifest: String,
}

/// An evaluator, which goes back when it is dropped.
#[derive(Debug)]
pub struct Lent {
    checkpoint: Checkpoint,
    /// `None` only while it is dropped.
    evaluator: Option<NetworkEvaluator<Chase>>,
    home: Arc<Evaluators>,
}

impl Checkpoint {
    /// The checkpoint in a folder, as it is now.
    ///
    /// # Errors
    /// If there is none (any more).
    pub fn of(folder: PathBuf) -> Result<Self, Refusal> {
        let manifest = Manifest::facts(&folder).map_err(|error| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            Refusal::missing(format!(
                "checkpoint {name} cannot be read; choose another one ({error})"
            ))
        })?;
        Ok(Self {
            folder,
            manifest: manifest.sha256,
        })
    }
}

impl Evaluators {
    pub const fn new(device: Device) -> Self {
        Self {
            device,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// An evaluator of a checkpoint: one that is in memory, or else a new one.
    ///
    /// # Errors
    /// If the checkpoint cannot be loaded or used.
    pub fn lend(self: &Arc<Self>, checkpoint: Checkpoint) -> Result<Lent, Refusal> {
        let kept = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let place = idle.iter().rposition(|(known, _)| *known == checkpoint);
            place.map(|place| idle.remove(place).1)
        };
        let evaluator = match kept {
            Some(evaluator) => evaluator,
            None => load(&checkpoint.folder, self.device)?,
        };
        Ok(Lent {
            checkpoint,
            evaluator: Some(evaluator),
            home: Arc::clone(self),
        })
    }
}

fn load(folder: &Path, device: Device) -> Result<NetworkEvaluator<Chase>, Refusal> {
    network_evaluator(folder, device, Precision::fastest(device)).map_err(Refusal::fault)
}

impl Drop for Lent {
    fn drop(&mut self) {
        let Some(evaluator) = self.evaluator.take() else {
            return;
        };
        let mut idle = self.home.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((self.checkpoint.clone(), evaluator));
        if idle.len() > MOST_IDLE {
            idle.remove(0);
        }
    }
}

impl Evaluator<Chase> for Lent {
    fn evaluate(&mut self, leaves: &[Leaf<'_, Chase>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        match &mut self.evaluator {
            Some(evaluator) => evaluator.evaluate(leaves, evaluations),
            None => Err(EvaluationError::Failed("the network was given back".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// The shipped network.
    fn shipped() -> Checkpoint {
        Checkpoint::of(chase_models::shipped::NAME.into()).unwrap()
    }

    #[test]
    fn networks_come_back_and_only_some_are_kept() {
        let home = Arc::new(Evaluators::new(Device::Cpu));
        let idle = || home.idle.lock().unwrap().len();
        let lend = || home.lend(shipped()).unwrap();
        drop(lend());
        assert_eq!(idle(), 1);
        // The one that is there is used; at the same time there must be another.
        let (one, other) = (lend(), lend());
        assert_eq!(idle(), 0);
        drop((one, other));
        assert_eq!(idle(), 2);
        let many: Vec<Lent> = (0..MOST_IDLE + 3).map(|_| lend()).collect();
        drop(many);
        assert_eq!(idle(), MOST_IDLE);
        // Another content at the same place is another network.
        let mut changed = shipped();
        changed.manifest.push('x');
        let lent = home.lend(changed).unwrap();
        assert_eq!(idle(), MOST_IDLE);
        drop(lent);
        assert_eq!(home.idle.lock().unwrap().last().unwrap().0.manifest.len(), 65);
    }
}
