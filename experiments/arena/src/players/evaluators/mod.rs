//! What judges positions, as each kind of search asks: leaves of a tree at a time, or the games of a line of play.

mod by_leaf;
mod by_value;
mod rollouts;

use std::path::Path;
use std::sync::Arc;

use chase_engine::alpha_beta::ByHeuristic;
use chase_engine::search::{Evaluator, UniformEvaluator};
use chase_engine::{Game, Playable};
use chase_models::Precision;

use super::contestant::{Place, need_heuristic};
use super::networks;
use super::spec::{EvaluatorSpec, SearchSpec};

pub(crate) use by_leaf::ByLeaf;
pub(crate) use by_value::ByValue;
use rollouts::Rollouts;
pub(crate) use rollouts::seeded;

/// A function that returns new evaluators of leaves, for one agent each.
pub type MakeEvaluator<G> = Arc<dyn Fn() -> Result<Box<dyn Evaluator<G> + Send>, String> + Send + Sync>;

/// Where residual networks come from.
pub trait Networks<G: Game> {
    /// Evaluators with the network of a checkpoint. Those that are `cached` may remember their evaluations, so that the
    /// last digits of one depend on those before.
    ///
    /// # Errors
    /// If it cannot be loaded or used.
    fn evaluators(&self, checkpoint: &Path, precision: Precision, cached: bool) -> anyhow::Result<MakeEvaluator<G>>;
}

/// No residual networks: where players have none.
#[derive(Clone, Copy, Debug)]
pub struct NoNetworks;

impl<G: Game> Networks<G> for NoNetworks {
    fn evaluators(&self, checkpoint: &Path, _: Precision, _: bool) -> anyhow::Result<MakeEvaluator<G>> {
        unreachable!("{} is a player without residual networks here", checkpoint.display())
    }
}

/// The evaluators of a player's leaves.
pub(super) fn of_leaves<G: Playable>(spec: &SearchSpec, place: &Place<'_, G>) -> anyhow::Result<MakeEvaluator<G>> {
    Ok(match &spec.evaluator {
        EvaluatorSpec::Network(network) => networks::leaves(network, spec, place)?,
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
