//! An agent that searches for a study.

use chase_engine::search::{PuctParams, Strategy};
use chase_models::device::Device;

use super::evaluator_source::EvaluatorSource;
use chase_arena::{PlayerError, PlayerSpec, SearchSpec, Usage};

/// An agent whose searches evaluate positions.
#[derive(Debug)]
pub struct Searcher {
    /// Its name in every output.
    pub name: String,
    /// The training run that it comes from. Agents of one run are not independent of each other: the last one
    /// represents the run.
    pub run: String,
    /// SHA-256 of its weights; `None` without a network.
    pub weights: Option<String>,
    /// Its evaluators.
    pub source: EvaluatorSource,
    /// The strategy of its searches. It should have no noise, which would make values random.
    pub strategy: Strategy,
}

impl Searcher {
    /// An agent without a network, for example one that plays random playouts.
    pub fn new(name: impl Into<String>, source: EvaluatorSource) -> Self {
        let name = name.into();
        Self {
            run: name.clone(),
            name,
            weights: None,
            source,
            strategy: Strategy::Puct(PuctParams::default()),
        }
    }

    /// The network of a player; the player's simulations and temperature do not matter here. `run` is the network's
    /// training run.
    ///
    /// # Errors
    /// If its network cannot be loaded or used.
    ///
    /// # Panics
    /// If it is no tree search with a residual network.
    pub fn network(spec: &SearchSpec, run: impl Into<String>, device: Device) -> Result<Self, PlayerError> {
        let player = PlayerSpec::from(spec.clone());
        let checkpoint = spec.checkpoint().map_err(|fault| player.unusable(fault))?;
        let checkpoint = checkpoint.expect("a residual network");
        // Its searches share batches, as in a match without a limit of time.
        let untimed = spec.as_judge(Default::default());
        let (precision, _) = untimed.precision(&checkpoint, device, Usage::Match);
        let loaded = EvaluatorSource::network(&checkpoint, device, precision);
        let (source, manifest) = loaded.map_err(|error| player.unusable(error.into()))?;
        Ok(Self {
            name: player.to_string(),
            run: run.into(),
            weights: manifest.weights_sha256(),
            source,
            strategy: spec.params().expect("a tree search").strategy,
        })
    }
}
