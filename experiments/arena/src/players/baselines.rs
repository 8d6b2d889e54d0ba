//! Random and greedy play as agents, and the ladder of baselines.

use chase_engine::baselines::{Greedy, Random};
use chase_engine::{Game, Heuristic};

use super::agent::{Agent, AgentFailure, Choice, Decision};

/// Baselines from random play upwards, each a rung above the one before, close enough to lose a game in some dozens to
/// the one below: together with the games they play among themselves, a scale on which every strength has a neighbour.
///
/// No game between them takes more than about a tenth of a second on one core. From the bottom to the top there are
/// about 2800 Elo.
pub const LADDER: [&str; 9] = [
    "random",
    "greedy:blunders=0.9",
    "greedy:blunders=0.7",
    "greedy",
    "alpha-beta:depth=1,blunders=0.3",
    "alpha-beta:depth=1,blunders=0.1",
    "alpha-beta:depth=1",
    "alpha-beta:depth=2",
    "alpha-beta:depth=3",
];

impl<G: Game> Agent<G> for Random<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let chosen = decisions
            .iter_mut()
            .map(|decision| self.choose(decision.game, decision.rng).into());
        Ok(chosen.collect())
    }
}

impl<G: Heuristic> Agent<G> for Greedy<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let chosen = decisions
            .iter_mut()
            .map(|decision| self.choose(decision.game, decision.rng).into());
        Ok(chosen.collect())
    }
}
