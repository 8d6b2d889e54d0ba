//! One ply of thought.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::{Game, Heuristic};

/// Wins at once if it can; otherwise takes the action that leaves it with the most material in comparison with the
/// enemy: in Chase the most dice. Ties are broken uniformly at random.
#[derive(Clone, Debug)]
pub struct Greedy<G: Game> {
    legal: Vec<G::Action>,
    best: Vec<G::Action>,
}

impl<G: Heuristic> Greedy<G> {
    /// A new player of a game that [has a heuristic](Heuristic::HAS_HEURISTIC), which counts material as that does.
    pub const fn new() -> Self {
        Self {
            legal: Vec::new(),
            best: Vec::new(),
        }
    }

    /// The choice in a game that is not over.
    ///
    /// # Panics
    /// If the game is over.
    pub fn choose(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> G::Action {
        let player = game.to_move();
        let mut most = None;
        game.legal_actions(&mut self.legal);
        for &action in &self.legal {
            let worth = game.worth_after(action, player);
            if most.is_none_or(|most| worth > most) {
                most = Some(worth);
                self.best.clear();
            }
            if most == Some(worth) {
                self.best.push(action);
            }
        }
        self.best[rng.random_range(0..self.best.len())]
    }
}

impl<G: Heuristic> Default for Greedy<G> {
    fn default() -> Self {
        Self::new()
    }
}
