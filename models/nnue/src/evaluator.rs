//! A network as what alpha–beta search judges positions by.

use chase_engine::Chase;
use chase_engine::alpha_beta::{AlphaBeta, Evaluator};

use crate::{LOGIT, LineEvaluator};

/// Alpha–beta search with a network.
pub type Searcher<'a> = AlphaBeta<Chase, LineEvaluator<'a>>;

impl Evaluator<Chase> for LineEvaluator<'_> {
    fn begin(&mut self, game: &Chase) {
        LineEvaluator::begin(self, game.position());
    }

    #[inline]
    fn push(&mut self, game: &Chase) {
        LineEvaluator::push(self, game.position());
    }

    #[inline]
    fn pop(&mut self) {
        LineEvaluator::pop(self);
    }

    fn value(&mut self, _: &Chase) -> i32 {
        // Far from the value of a win.
        LineEvaluator::value(self).clamp(-100 * LOGIT, 100 * LOGIT)
    }
}
