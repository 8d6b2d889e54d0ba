//! One ply of thought.

use chase_engine::Game;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::heuristic::Heuristic;

/// Wins at once if it can; otherwise takes the action that leaves it with the most material in comparison with the
/// enemy: in Chase the most dice. Ties are broken uniformly at random.
#[derive(Clone, Debug)]
pub struct Greedy<G: Game, H> {
    heuristic: H,
    legal: Vec<G::Action>,
    best: Vec<G::Action>,
}

impl<G: Game, H: Heuristic<G>> Greedy<G, H> {
    /// A new player, which counts material as `heuristic` does.
    pub const fn new(heuristic: H) -> Self {
        Self {
            heuristic,
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
            let worth = self.heuristic.worth_after(game, action, player);
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
