//! Values of positions beyond the rules, for greedy play and alpha–beta.

use crate::{Game, Outcome, Player};

/// A game whose positions a hand-written heuristic may judge, so that greedy play and alpha–beta can play it without a
/// network. A game without one has an empty implementation.
pub trait Heuristic: Game {
    /// True if there is a heuristic. The other items must then be implemented; otherwise nobody calls them.
    const HAS_HEURISTIC: bool = false;

    /// Value of the position for `player`, below 10⁸ in magnitude. Never called for decided games.
    fn heuristic(&self, player: Player) -> i32 {
        _ = player;
        panic!("there is no heuristic for {}", Self::NAME)
    }

    /// The logit of the score that a player should expect of the game if a search finds this value for that player: the
    /// score is 1 / (1 + exp(−logit)), where a draw counts half. Both kinds of networks learn it from their first games.
    ///
    /// In proportion to the value, by a constant for each game that predicts results of alpha-beta with 600 nodes a ply
    /// best: `examples/heuristic_logits.rs` measures it. Deeper searches need a larger one, and shallower ones a smaller.
    fn logit(&self, value: i32) -> f64 {
        _ = value;
        panic!("there is no heuristic for {}", Self::NAME)
    }

    /// Material of a player minus the enemy's, in pieces.
    fn lead(&self, player: Player) -> i32 {
        _ = player;
        panic!("there is no heuristic for {}", Self::NAME)
    }

    /// True if a legal action wins at once for `player`, and the lead of `player` after it.
    fn worth_after(&self, action: Self::Action, player: Player) -> (bool, i32) {
        let mut next = self.clone();
        next.apply(action);
        (next.outcome() == Some(Outcome::Win(player)), next.lead(player))
    }
}
