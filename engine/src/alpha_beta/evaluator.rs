//! Values of positions, as a search asks for them.

use crate::Game;

/// Judges the games of a line of play, which grows and shrinks at its end.
///
/// A function of a game is an evaluator that needs no line.
pub trait Evaluator<G: Game> {
    /// Begins a line with a game.
    fn begin(&mut self, game: &G) {
        _ = game;
    }

    /// Continues the line by a ply.
    fn push(&mut self, game: &G) {
        _ = game;
    }

    /// Goes back by a ply.
    fn pop(&mut self) {}

    /// The value of the last game of the line, which is `game`, for its player to move: below 10⁸ in magnitude. The game
    /// is not over, or only the length limit has ended it.
    ///
    /// The unit is the evaluator's own. Futility margins and aspiration windows ([`Pruning`](super::Pruning)) suppose
    /// thousandths of a logit of the expected score.
    fn value(&mut self, game: &G) -> i32;
}

impl<G: Game, F: FnMut(&G) -> i32> Evaluator<G> for F {
    fn value(&mut self, game: &G) -> i32 {
        self(game)
    }
}
