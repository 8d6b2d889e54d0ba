//! A hand-written heuristic as what alpha–beta search judges positions by.

use chase_engine::Game;
use chase_engine::alpha_beta::Evaluator;

use crate::heuristic::Heuristic;

/// A heuristic as the evaluator of [alpha–beta search](chase_engine::alpha_beta): fixed rules of thought.
///
/// Many actions are equally good for a heuristic, so that the choice among them should be left to a generator
/// ([`Request::shuffled`](chase_engine::alpha_beta::Request::shuffled)). With
/// [`Settings::PLAIN`](chase_engine::alpha_beta::Settings::PLAIN) a stored result is used only for the depth it was found at:
/// the value of a search of fixed depth without quiescence is that of plain minimax.
#[derive(Clone, Debug)]
pub struct ByHeuristic<H>(pub H);

impl<G: Game, H: Heuristic<G>> Evaluator<G> for ByHeuristic<H> {
    fn value(&mut self, game: &G) -> i32 {
        self.0.evaluate(game, game.to_move())
    }

    fn logit(&self, game: &G, value: i32) -> f64 {
        self.0.logit(game, value)
    }
}
