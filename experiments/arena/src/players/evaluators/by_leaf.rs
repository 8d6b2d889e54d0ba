//! An evaluator of leaves as what alpha-beta judges positions by: one evaluation for each position at the horizon.

use std::sync::{Arc, OnceLock};

use chase_engine::Game;
use chase_engine::alpha_beta;
use chase_engine::search::{Evaluations, Evaluator, Leaf};

/// Largest logit of a score: that of a network which is certain is far from the value of a proven win.
const MOST: f64 = 20.0;

/// Values of games by an evaluator of leaves, which gains nothing from the positions before.
pub(crate) struct ByLeaf<G: Game> {
    evaluator: Box<dyn Evaluator<G> + Send>,
    evaluations: Evaluations,
    actions: Vec<G::Action>,
    failure: Arc<OnceLock<String>>,
}

impl<G: Game> ByLeaf<G> {
    /// `failure` is set once the evaluator has failed; values are then 0.
    pub fn new(evaluator: Box<dyn Evaluator<G> + Send>, failure: Arc<OnceLock<String>>) -> Self {
        Self {
            evaluator,
            evaluations: Evaluations::new(),
            actions: Vec::new(),
            failure,
        }
    }
}

impl<G: Game> alpha_beta::Evaluator<G> for ByLeaf<G> {
    fn value(&mut self, game: &G) -> i32 {
        game.legal_actions(&mut self.actions);
        // The length limit alone has ended the game, and no network sees what would follow.
        if self.actions.is_empty() {
            return 0;
        }
        let leaf = Leaf {
            game,
            actions: &self.actions,
        };
        if let Err(error) = self.evaluations.fill(&mut *self.evaluator, &[leaf]) {
            _ = self.failure.set(error.to_string());
            return 0;
        }
        let evaluation = self.evaluations.iter().next().expect("one leaf has one evaluation");
        let score = evaluation.wdl.score();
        let logit = (score / (1.0 - score)).ln().clamp(-MOST, MOST);
        (1000.0 * logit).round() as i32
    }
}
