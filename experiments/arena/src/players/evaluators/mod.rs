//! What judges positions, as each kind of search asks: leaves of a tree at a time, or the games of a line of play.

mod by_leaf;
mod by_value;
mod residual;
mod rollouts;
pub(crate) mod updatable;

use std::path::Path;
use std::sync::Arc;

use chase_engine::alpha_beta::ByHeuristic;
use chase_engine::search::{Evaluator, UniformEvaluator};
use chase_engine::{Game, Playable};
use chase_models::Precision;

use super::contestant::{Place, PlayerFault, need_heuristic};
use super::spec::{EvaluatorSpec, SearchSpec};

pub(crate) use by_leaf::ByLeaf;
use by_value::ByValue;
pub(crate) use residual::FromDisk;
pub use residual::{LoadError, network_contestant, network_evaluator, network_evaluators};
use rollouts::Rollouts;
pub(crate) use rollouts::seeded;
pub use updatable::{NnueError, evaluators as updatable_evaluators};

/// A function that returns new evaluators of leaves, for one agent each.
pub type MakeEvaluator<G> = Arc<dyn Fn() -> Result<Box<dyn Evaluator<G> + Send>, String> + Send + Sync>;

/// Where residual networks come from.
pub trait Networks<G: Game> {
    /// Evaluators with the network of a checkpoint. Those that are `cached` may remember their evaluations, so that the
    /// last digits of one depend on those before.
    ///
    /// # Errors
    /// If it cannot be loaded or used.
    fn evaluators(
        &self,
        checkpoint: &Path,
        precision: Precision,
        cached: bool,
    ) -> Result<MakeEvaluator<G>, PlayerFault>;
}

/// No residual networks: where players have none.
#[derive(Clone, Copy, Debug)]
pub struct NoNetworks;

impl<G: Game> Networks<G> for NoNetworks {
    fn evaluators(&self, checkpoint: &Path, _: Precision, _: bool) -> Result<MakeEvaluator<G>, PlayerFault> {
        unreachable!("{} is a player without residual networks here", checkpoint.display())
    }
}

/// The evaluators of a player's leaves.
pub(super) fn of_leaves<G: Playable>(spec: &SearchSpec, place: &Place<'_, G>) -> Result<MakeEvaluator<G>, PlayerFault> {
    Ok(match &spec.evaluator {
        EvaluatorSpec::Residual { .. } => spec.residual_evaluators(place)?,
        EvaluatorSpec::Updatable { path } => {
            let make = updatable::evaluators::<G>(path, place.game)?;
            Arc::new(move || Ok(Box::new(ByValue::new(make()))))
        }
        EvaluatorSpec::Heuristic => {
            need_heuristic::<G>()?;
            Arc::new(|| Ok(Box::new(ByValue::new(ByHeuristic))))
        }
        EvaluatorSpec::Rollouts { games } => {
            let games = *games;
            Arc::new(move || Ok(Box::new(Rollouts { games })))
        }
        EvaluatorSpec::Uniform => Arc::new(|| Ok(Box::new(UniformEvaluator))),
    })
}
