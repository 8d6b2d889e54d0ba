//! One ply of thought.

use chase_engine::chase::Action;
use chase_engine::{Chase, Game, Player};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::players::agent::{Agent, AgentFailure, Decision, one_by_one};

/// Wins at once if it can; otherwise takes the action that leaves it with the most dice in comparison with the enemy.
/// Ties are broken uniformly at random.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    best: Vec<Action>,
}

impl Greedy {
    /// A new agent.
    pub const fn new() -> Self {
        Self { best: Vec::new() }
    }

    fn one(&mut self, game: &Chase, rng: &mut Xoshiro256PlusPlus) -> Action {
        let player = game.to_move();
        let mut most = None;
        game.position().for_each_action(|action| {
            let worth = worth_after(game, action, player);
            if most.is_none_or(|most| worth > most) {
                most = Some(worth);
                self.best.clear();
            }
            if most == Some(worth) {
                self.best.push(action);
            }
        });
        self.best[rng.random_range(0..self.best.len())]
    }
}

/// Whether the action wins, then the lead in dice.
fn worth_after(game: &Chase, action: Action, player: Player) -> (bool, i32) {
    let mut next = *game.position();
    next.play_unchecked(action);
    let wins = next.decision().is_some_and(|(winner, _)| winner == player);
    (wins, super::heuristic::lead(&next, player))
}

impl Agent<Chase> for Greedy {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, Chase>]) -> Result<Vec<Action>, AgentFailure> {
        one_by_one(decisions, |game, rng| self.one(game, rng))
    }
}
