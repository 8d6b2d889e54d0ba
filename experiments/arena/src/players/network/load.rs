//! Networks of checkpoints, as players and evaluators.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use chase_engine::Game;
use chase_models::checkpoint::Checkpoint;
use chase_models::device::Device;
use chase_models::fused::{self, Use};
use chase_models::inference::InferenceError;
use chase_models::manifest::{CheckpointError, Manifest};
use chase_models::{InferenceNetwork, Precision};
use chase_training::selfplay::NetworkEvaluator;
use chase_training::trainable::Trainable;

use super::search_agent::{SearchAgent, SearchSettings};
use crate::players::agent::{Agent, AgentFailure, Contestant, Decision};

/// Error returned when the network of a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is the failure of the part it names")]
pub enum LoadError {
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Inference(#[from] InferenceError),
}

/// Number of positions whose evaluations a player caches, about 40 MB: more than a search of ten seconds visits.
pub(crate) const CACHED_POSITIONS: NonZeroUsize = NonZeroUsize::new(1 << 17).expect("not 0");

/// Creates a contestant of this name from a network that searches, for the game with this [`Game::name`].
///
/// # Errors
/// If the checkpoint cannot be loaded or used.
pub fn network_contestant<G: Trainable>(
    game: &str,
    name: &str,
    checkpoint: &Path,
    device: Device,
    precision: Precision,
    settings: impl Into<SearchSettings>,
) -> Result<Contestant<G>, LoadError> {
    let settings = settings.into();
    let Checkpoint { network, encoding, .. } = Checkpoint::<G>::load_for(game, checkpoint, device)?;
    // The first use shows if it works here; later ones are the same.
    InferenceNetwork::new(&network, device, precision)?;
    // Tensors may move between threads but not be shared.
    let network = Mutex::new(network);
    Ok(Contestant::new(name, move || {
        let network = network.lock().unwrap_or_else(PoisonError::into_inner);
        match InferenceNetwork::new(&network, device, precision) {
            Ok(network) => {
                let evaluator = NetworkEvaluator::<G>::new(network, encoding.clone());
                let evaluator = match settings.time {
                    // With a time limit, choices need not be reproducible.
                    Some(_) => evaluator.with_cache(CACHED_POSITIONS),
                    None => evaluator,
                };
                Box::new(SearchAgent::new(evaluator, settings))
            }
            Err(error) => Box::new(Broken(error.to_string())),
        }
    }))
}

/// The faster precision of this program's kernel for the network of a checkpoint on a device of this machine; `None` where a
/// single search does best with libtorch.
pub(crate) fn fused_precision(checkpoint: &Path, device: Device) -> Option<Precision> {
    // A damaged manifest is reported by the code that loads the network.
    let manifest = Manifest::read(checkpoint).ok()?;
    fused::fastest(&manifest.architecture, device, Use::OneSearch)
}

/// Creates the evaluator of a checkpoint for the game with this [`Game::name`].
///
/// # Errors
/// If the checkpoint cannot be loaded or used.
pub fn network_evaluator<G: Trainable>(
    game: &str,
    checkpoint: &Path,
    device: Device,
    precision: Precision,
) -> Result<NetworkEvaluator<G>, LoadError> {
    let Checkpoint { network, encoding, .. } = Checkpoint::<G>::load_for(game, checkpoint, device)?;
    let network = InferenceNetwork::new(&network, device, precision)?;
    Ok(NetworkEvaluator::new(network, encoding))
}

/// Stands for an agent that could not be created.
struct Broken(String);

impl<G: Game> Agent<G> for Broken {
    fn choose_batch(&mut self, _: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        Err(AgentFailure(self.0.clone()))
    }
}
