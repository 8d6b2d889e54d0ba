//! An agent that searches for a study.

use std::fmt;

use chase_engine::search::{EvaluationError, Evaluator, PuctParams, Strategy};
use chase_engine::{Chase, Game};
use chase_models::device::Device;

use chase_arena::{MakeEvaluator, PlayerError, PlayerSpec, SearchSpec, Usage, network_evaluators};

/// An agent whose searches evaluate positions.
pub struct Searcher {
    /// Its name in every output.
    pub name: String,
    /// The training run that it comes from. Agents of one run are not independent of each other: the last one
    /// represents the run.
    pub run: String,
    /// SHA-256 of its weights; `None` without a network.
    pub weights: Option<String>,
    /// Makes its evaluators, which all judge alike, one for each thread.
    pub evaluators: MakeEvaluator<Chase>,
    /// The strategy of its searches. It should have no noise, which would make values random.
    pub strategy: Strategy,
}

impl Searcher {
    /// An agent without a network, for example one that plays random playouts.
    pub fn new(name: impl Into<String>, evaluators: MakeEvaluator<Chase>) -> Self {
        let name = name.into();
        Self {
            run: name.clone(),
            name,
            weights: None,
            evaluators,
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
        let network = spec.evaluator.network().expect("a residual network");
        let checkpoint = network.checkpoint().map_err(|fault| player.unusable(fault))?;
        // Its searches share batches, as in a match without a limit of time.
        let untimed = spec.as_judge(Default::default());
        let (precision, _) = untimed.precision(&checkpoint, device, Usage::Match);
        let evaluators = network_evaluators(Chase::NAME, &checkpoint, device, precision, false);
        Ok(Self {
            name: player.to_string(),
            run: run.into(),
            weights: player.weights_sha256()?,
            evaluators: evaluators.map_err(|error| player.unusable(error.into()))?,
            strategy: spec.params().expect("a tree search").strategy,
        })
    }

    /// A new evaluator.
    ///
    /// # Errors
    /// If it cannot be created on this thread.
    pub fn evaluator(&self) -> Result<Box<dyn Evaluator<Chase> + Send>, EvaluationError> {
        (self.evaluators)().map_err(EvaluationError::Failed)
    }
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
