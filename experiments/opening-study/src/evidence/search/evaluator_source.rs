//! Source of the evaluators of searches.

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use chase_engine::Chase;
use chase_engine::search::{EvaluationError, Evaluator};
use chase_models::checkpoint::Checkpoint;
use chase_models::device::Device;
use chase_models::{InferenceNetwork, Manifest, Precision};
use chase_training::selfplay::NetworkEvaluator;

use chase_arena::LoadError;

type Make = dyn Fn() -> Result<Box<dyn Evaluator<Chase> + Send>, EvaluationError> + Send + Sync;

/// Makes evaluators that all judge alike, one for each thread.
pub struct EvaluatorSource(Box<Make>);

impl EvaluatorSource {
    /// A source of evaluators from `make`, which is called on the thread that uses them.
    pub fn new<E: Evaluator<Chase> + Send + 'static>(make: impl Fn() -> E + Send + Sync + 'static) -> Self {
        Self(Box::new(move || Ok(Box::new(make()))))
    }

    /// A source of evaluators that use the network of a checkpoint, and its manifest.
    ///
    /// # Errors
    /// If the checkpoint cannot be loaded or used.
    pub fn network(checkpoint: &Path, device: Device, precision: Precision) -> Result<(Self, Manifest), LoadError> {
        let Checkpoint {
            network,
            encoding,
            manifest,
        } = Checkpoint::<Chase>::load(checkpoint, device)?;
        // The first use shows if it works here; later ones are the same.
        InferenceNetwork::new(&network, device, precision)?;
        // Tensors may move between threads but not be shared.
        let network = Mutex::new(network);
        let source = Self(Box::new(move || {
            let network = network.lock().unwrap_or_else(PoisonError::into_inner);
            let network = InferenceNetwork::new(&network, device, precision);
            let network = network.map_err(|error| EvaluationError::Failed(error.to_string()))?;
            Ok(Box::new(NetworkEvaluator::<Chase>::new(network, encoding)))
        }));
        Ok((source, manifest))
    }

    /// A new evaluator.
    ///
    /// # Errors
    /// If it cannot be created on this thread.
    pub fn evaluator(&self) -> Result<Box<dyn Evaluator<Chase> + Send>, EvaluationError> {
        (self.0)()
    }
}

impl fmt::Debug for EvaluatorSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EvaluatorSource")
    }
}
