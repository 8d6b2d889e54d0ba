//! Alpha-beta search as players and analyses use it, whatever judges positions.

use std::sync::Arc;

use chase_engine::Chase;
use chase_engine::alpha_beta::{AlphaBeta, Evaluator};
use chase_nnue::{Kernel, LineEvaluator, Network};

/// Alpha-beta search with any evaluator.
pub type LineSearch<G> = AlphaBeta<G, Box<dyn Evaluator<G> + Send>>;

/// A function that returns an evaluator with a network.
pub type MakeNnueEvaluator<G> = fn(Arc<Network>) -> Box<dyn Evaluator<G> + Send>;

/// The evaluator for Chase, as a [`MakeNnueEvaluator`].
pub fn nnue_evaluator(network: Arc<Network>) -> Box<dyn Evaluator<Chase> + Send> {
    Box::new(LineEvaluator::shared(network, Kernel::best()))
}
