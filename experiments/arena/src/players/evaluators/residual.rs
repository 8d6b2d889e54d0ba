//! Residual networks from their checkpoints.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use chase_engine::{Game, Playable};
use chase_models::checkpoint::Checkpoint;
use chase_models::device::Device;
use chase_models::fused::{self, Use};
use chase_models::inference::InferenceError;
use chase_models::manifest::{CheckpointError, Manifest};
use chase_models::{InferenceNetwork, Precision};
use chase_training::selfplay::NetworkEvaluator;

use super::{MakeEvaluator, Networks};
use crate::players::agent::Contestant;
use crate::players::contestant::{Place, PlayerFault, Usage};
use crate::players::searches::{SearchSettings, TreeAgent};
use crate::players::spec::{EvaluatorSpec, SearchSpec};

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
const CACHED_POSITIONS: NonZeroUsize = NonZeroUsize::new(1 << 17).expect("not 0");

/// Networks of checkpoints on the disk, for the game with this [`Game::name`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct FromDisk<'a> {
    pub game: &'a str,
    pub device: Device,
}

impl<G: Playable> Networks<G> for FromDisk<'_> {
    fn evaluators(
        &self,
        checkpoint: &Path,
        precision: Precision,
        cached: bool,
    ) -> Result<MakeEvaluator<G>, PlayerFault> {
        Ok(network_evaluators(
            self.game,
            checkpoint,
            self.device,
            precision,
            cached,
        )?)
    }
}

/// Makes evaluators with the network of a checkpoint, for the game with this [`Game::name`]; those that are `cached`
/// remember their evaluations.
///
/// # Errors
/// If the checkpoint cannot be loaded or used.
pub fn network_evaluators<G: Playable>(
    game: &str,
    checkpoint: &Path,
    device: Device,
    precision: Precision,
    cached: bool,
) -> Result<MakeEvaluator<G>, LoadError> {
    let Checkpoint { network, encoding, .. } = Checkpoint::<G>::load_for(game, checkpoint, device)?;
    // The first use shows if it works here; later ones are the same.
    InferenceNetwork::new(&network, device, precision)?;
    // Tensors may move between threads but not be shared.
    let network = Mutex::new(network);
    Ok(Arc::new(move || {
        let network = network.lock().unwrap_or_else(PoisonError::into_inner);
        let network = InferenceNetwork::new(&network, device, precision).map_err(|error| error.to_string())?;
        let evaluator = NetworkEvaluator::<G>::new(network, encoding.clone());
        Ok(Box::new(match cached {
            true => evaluator.with_cache(CACHED_POSITIONS),
            false => evaluator,
        }))
    }))
}

/// Creates a contestant of this name from a network with a tree search, for the game with this [`Game::name`].
///
/// # Errors
/// If the checkpoint cannot be loaded or used.
pub fn network_contestant<G: Playable>(
    game: &str,
    name: &str,
    checkpoint: &Path,
    device: Device,
    precision: Precision,
    settings: impl Into<SearchSettings>,
) -> Result<Contestant<G>, LoadError> {
    let settings = settings.into();
    let make = network_evaluators::<G>(game, checkpoint, device, precision, settings.limits.time.is_some())?;
    Ok(Contestant::new(name, move || TreeAgent::made(make(), settings)))
}

/// Creates the evaluator of a checkpoint for the game with this [`Game::name`].
///
/// # Errors
/// If the checkpoint cannot be loaded or used.
pub fn network_evaluator<G: Playable>(
    game: &str,
    checkpoint: &Path,
    device: Device,
    precision: Precision,
) -> Result<NetworkEvaluator<G>, LoadError> {
    let Checkpoint { network, encoding, .. } = Checkpoint::<G>::load_for(game, checkpoint, device)?;
    let network = InferenceNetwork::new(&network, device, precision)?;
    Ok(NetworkEvaluator::new(network, encoding))
}

/// The faster precision of this program's kernel for the network of a checkpoint on a device of this machine; `None` where a
/// single search does best with libtorch.
fn fused_precision(checkpoint: &Path, device: Device) -> Option<Precision> {
    // A damaged manifest is reported by the code that loads the network.
    let manifest = Manifest::read(checkpoint).ok()?;
    fused::fastest(&manifest.architecture, device, Use::OneSearch)
}

impl SearchSpec {
    /// Arithmetic of its residual network from this checkpoint, and the leaves of a tree at a time that are fastest with it.
    ///
    /// Where one game is played at a time, that is the kernel of this program if it can evaluate the network: it gains
    /// nothing by batches, and each leaf of a batch is chosen without knowing the others' values.
    pub fn precision(&self, checkpoint: &Path, device: Device, usage: Usage) -> (Precision, u32) {
        let given = match &self.evaluator {
            EvaluatorSpec::Residual { precision, .. } => *precision,
            _ => None,
        };
        // Batches go across games.
        if usage == Usage::Match && self.limits.time.is_none() {
            return (given.unwrap_or_else(|| Precision::fastest(device)), 1);
        }
        let batch = self.batch.unwrap_or(Self::BATCH) as usize;
        let precision = given.or_else(|| fused_precision(checkpoint, device));
        let precision = precision.unwrap_or_else(|| Precision::fastest_for(device, batch));
        (precision, if precision.is_fused() { 1 } else { Self::BATCH })
    }

    /// Evaluators with its residual network.
    pub(crate) fn residual_evaluators<G: Game>(&self, place: &Place<'_, G>) -> Result<MakeEvaluator<G>, PlayerFault> {
        let checkpoint = self.checkpoint()?.expect("a residual network has a checkpoint");
        let (precision, _) = self.precision(&checkpoint, place.device, place.usage);
        let cached = place.usage == Usage::Game || self.limits.time.is_some();
        place.networks.evaluators(&checkpoint, precision, cached)
    }
}

#[cfg(test)]
mod tests {
    use chase_models::Architecture;

    use super::*;
    use crate::players::PlayerSpec;

    #[test]
    fn a_player_of_one_game_at_a_time_has_the_fastest_precision_of_the_machine() {
        let here = |text: &str, usage| {
            let player: PlayerSpec = text.parse().expect("a player");
            let path = player.path().expect("a network").to_owned();
            let (precision, leaves) = player
                .search()
                .expect("it searches")
                .precision(&path, Device::Cpu, usage);
            (precision, leaves)
        };
        let fastest = fused::fastest(&Architecture::default(), Device::Cpu, Use::OneSearch);
        let alone = fastest.map_or(
            (
                Precision::fastest_for(Device::Cpu, SearchSpec::BATCH as usize),
                SearchSpec::BATCH,
            ),
            |fused| (fused, 1),
        );
        assert_eq!(here("agent-71,ms=5", Usage::Match), alone);
        assert_eq!(here("agent-71", Usage::Game), alone);
        assert_eq!(here("agent-71", Usage::Match), (Precision::fastest(Device::Cpu), 1));
        assert_eq!(
            here("agent-71,ms=5,precision=f32", Usage::Match),
            (Precision::F32, SearchSpec::BATCH)
        );
        assert_eq!(here("agent-71,ms=5,precision=fused", Usage::Match).1, 1);
    }
}
