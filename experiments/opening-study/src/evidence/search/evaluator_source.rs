//! Where the evaluators of searches come from.

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use chase_engine::Chase;
use chase_engine::search::{EvaluationError, Evaluator};
use chase_models::checkpoint::Checkpoint;
use chase_models::device::Device;
use chase_models::{InferenceNetwork, Precision};
use chase_training::selfplay::NetworkEvaluator;

use chase_arena::LoadError;

type Make = dyn Fn() -> Result<Box<dyn Evaluator<Chase> + Send>, EvaluationError> + Send + Sync;

/// Evaluators that all judge alike, one for each thread.
pub struct EvaluatorSource(Box<Make>);

impl EvaluatorSource {
    /// Evaluators made by `make`, on the thread that uses them.
    pub fn new<E: Evaluator<Chase> + Send + 'static>(make: impl Fn() -> E + Send + Sync + 'static) -> Self {
        Self(Box::new(move || Ok(Box::new(make()))))
    }

    /// Evaluators that ask the network of a checkpoint.
    ///
    /// # Errors
    /// If the checkpoint cannot be loaded or used.
    pub fn network(checkpoint: &Path, device: Device, precision: Precision) -> Result<Self, LoadError> {
        let Checkpoint { network, encoding, .. } = Checkpoint::<Chase>::load(checkpoint, device)?;
        // The first use tells whether it works here; later ones differ in nothing.
        InferenceNetwork::new(&network, device, precision)?;
        // Tensors may change threads but not be shared between them.
        let network = Mutex::new(network);
        Ok(Self(Box::new(move || {
            let network = network.lock().unwrap_or_else(PoisonError::into_inner);
            let network = InferenceNetwork::new(&network, device, precision);
            let network = network.map_err(|error| EvaluationError::Failed(error.to_string()))?;
            Ok(Box::new(NetworkEvaluator::<Chase>::new(network, encoding)))
        })))
    }

    /// A new evaluator.
    ///
    /// # Errors
    /// If it cannot be made on this thread.
    pub fn evaluator(&self) -> Result<Box<dyn Evaluator<Chase> + Send>, EvaluationError> {
        (self.0)()
    }
}

impl fmt::Debug for EvaluatorSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EvaluatorSource")
    }
}
