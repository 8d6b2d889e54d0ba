//! Values of positions beyond the rules, for greedy play and alpha–beta.

use chase_engine::{Game, Outcome, Player};

/// A hand-written judgement of positions.
pub trait Heuristic<G: Game>: Send {
    /// Value of the position for `player`, below 10⁸ in magnitude. Never called for decided games.
    fn evaluate(&self, game: &G, player: Player) -> i32;

    /// The logit of the score that a player should expect of the game if a search finds this value for that player: the
    /// score is 1 / (1 + exp(−logit)), where a draw counts half. Both kinds of networks learn it from their first games.
    ///
    /// In proportion to the value, by a constant for each game that predicts results of alpha-beta with 600 nodes a ply
    /// best: `examples/heuristic_logits.rs` measures it. Deeper searches need a larger one, and shallower ones a smaller.
    fn logit(&self, game: &G, value: i32) -> f64;

    /// Material of a player minus that of the enemy, in pieces.
    fn lead(&self, game: &G, player: Player) -> i32;

    /// True if a legal action wins at once for `player`, and the lead of `player` after it.
    fn worth_after(&self, game: &G, action: G::Action, player: Player) -> (bool, i32) {
        let mut next = game.clone();
        next.apply(action);
        (next.outcome() == Some(Outcome::Win(player)), self.lead(&next, player))
    }
}

/// A game that the baselines play. Every game of the engine's list is one.
pub trait Judged: Game {
    /// The hand-written judgement of the game; [`NoHeuristic`] where there is none.
    type Heuristic: Heuristic<Self> + Clone + Sync + 'static;

    /// The judgement; `None` where there is none, so that neither greedy play nor alpha–beta can play the game.
    fn heuristic() -> Option<Self::Heuristic>;
}

/// The judgement of a game for which there is none.
#[derive(Clone, Copy, Debug)]
pub enum NoHeuristic {}

impl<G: Game> Heuristic<G> for NoHeuristic {
    fn evaluate(&self, _: &G, _: Player) -> i32 {
        match *self {}
    }

    fn logit(&self, _: &G, _: i32) -> f64 {
        match *self {}
    }

    fn lead(&self, _: &G, _: Player) -> i32 {
        match *self {}
    }
}
