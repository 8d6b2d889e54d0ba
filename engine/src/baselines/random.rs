//! The weakest baseline, and the zero of all ratings.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::Game;

/// Chooses uniformly among the legal actions.
#[derive(Clone, Debug)]
pub struct Random<G: Game> {
    actions: Vec<G::Action>,
}

impl<G: Game> Random<G> {
    /// A new player.
    pub const fn new() -> Self {
        Self { actions: Vec::new() }
    }

    /// The choice in a game that is not over.
    ///
    /// # Panics
    /// If the game is over.
    pub fn choose(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> G::Action {
        game.legal_actions(&mut self.actions);
        self.actions[rng.random_range(0..self.actions.len())]
    }
}

impl<G: Game> Default for Random<G> {
    fn default() -> Self {
        Self::new()
    }
}
