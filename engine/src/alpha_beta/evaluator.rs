//! Values of positions, as a search asks for them.

use crate::Game;

/// Judges the games of a line of play, which grows and shrinks at its end.
pub trait Evaluator<G: Game> {
    /// Nodes between two looks at the clock.
    // 512 take a third of a millisecond at the 1.4 million nodes per second of study 0060.
    #[inline]
    fn nodes_a_look(&self) -> u64 {
        512
    }

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

    /// The logit of the score, from 0 to 1 where a draw counts as half a win, that the player to move should expect of a game
    /// if its value is this. By default the unit of values is a thousandth of a logit.
    fn logit(&self, game: &G, value: i32) -> f64 {
        _ = game;
        f64::from(value) / 1000.0
    }
}

/// The probability that has a logit.
pub fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// A function of a game as an evaluator, which needs no line.
#[derive(Clone, Copy, Debug)]
pub struct ByGame<F>(pub F);

impl<G: Game, F: FnMut(&G) -> i32> Evaluator<G> for ByGame<F> {
    fn value(&mut self, game: &G) -> i32 {
        self.0(game)
    }
}
