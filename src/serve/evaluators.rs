//! Networks in memory, so that none is loaded for every move.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use chase_arena::{MakeEvaluator, Networks, network_evaluator};
use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf};
use chase_engine::{GameName, Playable};
use chase_models::Precision;
use chase_models::device::Device;
use chase_models::manifest::Manifest;
use chase_training::selfplay::NetworkEvaluator;

use super::refusal::Refusal;

/// Most idle networks that are kept.
const MOST_IDLE: usize = 8;

/// Lends evaluators of checkpoints. A network belongs to one search at a time; the most recently returned ones are
/// kept.
#[derive(Debug)]
pub struct Evaluators {
    device: Device,
    /// Sorted by time of return, latest last.
    idle: Mutex<Vec<Idle>>,
}

/// An evaluator that no one uses.
#[derive(Debug)]
struct Idle {
    checkpoint: ServedCheckpoint,
    precision: Precision,
    /// A [`NetworkEvaluator`] of the type of the checkpoint's game.
    evaluator: Box<dyn Any + Send>,
}

/// A checkpoint, identified by its content: the manifest has the hashes of all other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedCheckpoint {
    game: GameName,
    pub folder: PathBuf,
    manifest: String,
}

/// A borrowed evaluator, which is returned when dropped.
#[derive(Debug)]
pub struct Lent<G: Playable> {
    checkpoint: ServedCheckpoint,
    precision: Precision,
    /// `None` only while it is dropped.
    evaluator: Option<Box<NetworkEvaluator<G>>>,
    home: Arc<Evaluators>,
}

impl ServedCheckpoint {
    /// The current checkpoint in a folder, of a network for `game`.
    ///
    /// # Errors
    /// If there is none (any more).
    pub fn of(folder: PathBuf, game: GameName) -> Result<Self, Refusal> {
        let manifest = Manifest::facts(&folder).map_err(|error| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            Refusal::missing(format!(
                "checkpoint {name} cannot be read; choose another one ({error})"
            ))
        })?;
        Ok(Self {
            game,
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

    pub const fn device(&self) -> Device {
        self.device
    }

    /// Lends an evaluator of a checkpoint in a precision: one in memory, or else a new one.
    ///
    /// # Errors
    /// If the checkpoint cannot be loaded or used.
    pub fn lend<G: Playable>(
        self: &Arc<Self>,
        checkpoint: ServedCheckpoint,
        precision: Precision,
    ) -> Result<Lent<G>, Refusal> {
        let kept = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let place = idle
                .iter()
                .rposition(|idle| idle.checkpoint == checkpoint && idle.precision == precision);
            place.map(|place| idle.remove(place).evaluator)
        };
        let evaluator = match kept.and_then(|kept| kept.downcast().ok()) {
            Some(evaluator) => evaluator,
            None => {
                let (game, folder) = (checkpoint.game.name(), &checkpoint.folder);
                Box::new(network_evaluator(game, folder, self.device, precision).map_err(Refusal::fault)?)
            }
        };
        Ok(Lent {
            checkpoint,
            precision,
            evaluator: Some(evaluator),
            home: Arc::clone(self),
        })
    }
}

/// The networks in memory as where those of players come from.
pub struct NetworksInMemory<'a> {
    pub game: GameName,
    pub evaluators: &'a Arc<Evaluators>,
}

impl<G: Playable> Networks<G> for NetworksInMemory<'_> {
    fn evaluators(&self, folder: &Path, precision: Precision, _: bool) -> anyhow::Result<MakeEvaluator<G>> {
        let checkpoint = ServedCheckpoint::of(folder.to_owned(), self.game);
        let checkpoint = checkpoint.map_err(|refusal| anyhow::anyhow!(refusal.to_string()))?;
        let home = Arc::clone(self.evaluators);
        Ok(Arc::new(move || {
            let lent = home.lend::<G>(checkpoint.clone(), precision);
            Ok(Box::new(lent.map_err(|refusal| refusal.to_string())?))
        }))
    }
}

impl<G: Playable> Drop for Lent<G> {
    fn drop(&mut self) {
        let Some(evaluator) = self.evaluator.take() else {
            return;
        };
        let mut idle = self.home.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(Idle {
            checkpoint: self.checkpoint.clone(),
            precision: self.precision,
            evaluator,
        });
        if idle.len() > MOST_IDLE {
            idle.remove(0);
        }
    }
}

impl<G: Playable> Evaluator<G> for Lent<G> {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        match &mut self.evaluator {
            Some(evaluator) => evaluator.evaluate(leaves, evaluations),
            None => Err(EvaluationError::Failed("the network was given back".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::Chase;

    use super::*;

    /// The shipped network.
    fn shipped() -> ServedCheckpoint {
        ServedCheckpoint::of(chase_models::shipped::NAME.into(), GameName::Chase).unwrap()
    }

    #[test]
    fn networks_come_back_and_only_some_are_kept() {
        let home = Arc::new(Evaluators::new(Device::Cpu));
        let idle = || home.idle.lock().unwrap().len();
        let lend = || home.lend::<Chase>(shipped(), Precision::F32).unwrap();
        drop(lend());
        assert_eq!(idle(), 1);
        // The idle one is used; a second one is needed at the same time.
        let (one, other) = (lend(), lend());
        assert_eq!(idle(), 0);
        drop((one, other));
        assert_eq!(idle(), 2);
        let many: Vec<Lent<Chase>> = (0..MOST_IDLE + 3).map(|_| lend()).collect();
        drop(many);
        assert_eq!(idle(), MOST_IDLE);
        // Other content at the same path is another network.
        let mut changed = shipped();
        changed.manifest.push('x');
        let lent = home.lend::<Chase>(changed, Precision::F32).unwrap();
        assert_eq!(idle(), MOST_IDLE);
        drop(lent);
        assert_eq!(home.idle.lock().unwrap().last().unwrap().checkpoint.manifest.len(), 65);
    }
}
