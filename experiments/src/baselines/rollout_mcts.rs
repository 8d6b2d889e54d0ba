//! Monte-Carlo tree search as it was before networks: random games from the leaves.

use chase_engine::Game;
use chase_engine::search::{PuctParams, RolloutEvaluator, SearchParams, Strategy};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::agent::{Agent, AgentFailure, Decision};
use crate::search_agent::SearchAgent;

/// Plies after which a random game from a leaf is given up: twice the mean length of one.
const ROLLOUT_PLIES: u32 = 400;

/// Searches with as many random games as simulations, and the same prior for every action.
#[derive(Debug)]
pub struct RolloutMcts {
    params: SearchParams,
}

impl RolloutMcts {
    /// An agent with so many simulations a decision.
    pub fn new(simulations: u32) -> Self {
        Self {
            params: SearchParams {
                simulations,
                strategy: Strategy::Puct(PuctParams::default()),
                skip_forced: true,
            },
        }
    }
}

impl<G: Game> Agent<G> for RolloutMcts {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        // One at a time: the random games of a decision come from its own generator, whatever else is decided.
        let choose = |decision: &mut Decision<'_, G>| {
            let rollouts = RolloutEvaluator::new(1, ROLLOUT_PLIES, Xoshiro256PlusPlus::from_rng(decision.rng));
            let mut agent = SearchAgent::new(rollouts, self.params);
            agent.choose_batch(std::slice::from_mut(decision))
        };
        let chosen: Result<Vec<_>, _> = decisions.iter_mut().map(choose).collect();
        Ok(chosen?.into_iter().flatten().collect())
    }
}
