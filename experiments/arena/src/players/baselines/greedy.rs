//! One ply of thought.

use chase_engine::Game;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::Heuristic;
use crate::players::agent::{Agent, AgentFailure, Decision, one_by_one};

/// Wins at once if it can; otherwise takes the action that leaves it with the most material in comparison with the enemy: in
/// Chase the most dice. Ties are broken uniformly at random.
#[derive(Clone, Debug)]
pub struct Greedy<G: Game, H> {
    heuristic: H,
    legal: Vec<G::Action>,
    best: Vec<G::Action>,
}

impl<G: Game, H: Heuristic<G>> Greedy<G, H> {
    /// A new agent, which counts material as `heuristic` does.
    pub const fn new(heuristic: H) -> Self {
        Self {
            heuristic,
            legal: Vec::new(),
            best: Vec::new(),
        }
    }

    fn one(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> G::Action {
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

impl<G: Game, H: Heuristic<G>> Agent<G> for Greedy<G, H> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        one_by_one(decisions, |game, rng| self.one(game, rng))
    }
}
