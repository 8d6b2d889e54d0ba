//! The heuristic of a game as what alpha–beta search judges positions by.

use super::Evaluator;
use crate::Heuristic;

/// The heuristic of a game as the evaluator of [alpha–beta search](crate::alpha_beta): fixed rules of thought. The game must
/// [have one](Heuristic::HAS_HEURISTIC).
///
/// Many actions are equally good for a heuristic, so that the choice among them should be left to a generator
/// ([`Request::shuffled`](super::Request::shuffled)). With [`Settings::PLAIN`](super::Settings::PLAIN) a stored result is used
/// only for the depth it was found at: a search of fixed depth without quiescence has the value of plain minimax.
#[derive(Clone, Copy, Debug)]
pub struct ByHeuristic;

impl<G: Heuristic> Evaluator<G> for ByHeuristic {
    fn value(&mut self, game: &G) -> i32 {
        game.heuristic(game.to_move())
    }

    fn logit(&self, game: &G, value: i32) -> f64 {
        game.logit(value)
    }
}
