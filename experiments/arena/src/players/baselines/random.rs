//! The weakest baseline, and the zero of all ratings.

use chase_engine::Game;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::players::agent::{Agent, AgentFailure, Decision, one_by_one};

/// Chooses uniformly among the legal actions.
#[derive(Clone, Debug)]
pub struct Random<G: Game> {
    actions: Vec<G::Action>,
}

impl<G: Game> Random<G> {
    /// A new agent.
    pub const fn new() -> Self {
        Self { actions: Vec::new() }
    }

    pub(super) fn one(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> G::Action {
        game.legal_actions(&mut self.actions);
        self.actions[rng.random_range(0..self.actions.len())]
    }
}

impl<G: Game> Default for Random<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Agent<G> for Random<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        one_by_one(decisions, |game, rng| self.one(game, rng))
    }
}
