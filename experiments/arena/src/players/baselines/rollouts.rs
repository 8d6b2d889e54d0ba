//! Tree search that judges positions by playing on at random, free of hand-made knowledge: what a search is worth without
//! a network.

use chase_engine::Game;
use chase_engine::search::{PuctParams, RolloutEvaluator, Search, SearchParams, Strategy};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::players::agent::{Agent, AgentFailure, Choice, Decision, actions};
use crate::players::effort::Effort;

/// Plies after which a random game is given up, half a win for either side. Random games of Chase rarely get so far.
const ROLLOUT_PLIES: u32 = 1000;

/// Monte Carlo tree search: PUCT with equal priors, each leaf valued by the results of random games.
#[derive(Debug)]
pub struct Rollouts<G: Game> {
    search: Search<G>,
    params: SearchParams,
    rollouts: u32,
}

impl<G: Game> Rollouts<G> {
    /// An agent that runs `simulations` simulations a decision, with `rollouts` random games (at least one) each.
    ///
    /// It fails to choose if `c_puct`, the weight of exploration, is not a number above 0.
    pub fn new(simulations: u32, rollouts: u32, c_puct: f32) -> Self {
        let puct = PuctParams {
            c_puct,
            ..PuctParams::default()
        };
        Self {
            search: Search::new(),
            params: SearchParams {
                simulations,
                strategy: Strategy::Puct(puct),
                ..SearchParams::default()
            },
            rollouts,
        }
    }

    fn one(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> Result<Choice<G::Action>, AgentFailure> {
        let mut evaluator = RolloutEvaluator::new(self.rollouts, ROLLOUT_PLIES, Xoshiro256PlusPlus::from_rng(rng));
        self.search.clear();
        let failure = |error: &dyn std::fmt::Display| AgentFailure(error.to_string());
        self.search
            .start(game, &self.params, rng)
            .map_err(|error| failure(&error))?;
        self.search.run(&mut evaluator).map_err(|error| failure(&error))?;
        let result = self.search.result();
        let best = result.best_action();
        let best = best.ok_or_else(|| failure(&"there is nothing to choose in a game that is over"))?;
        Ok(Choice {
            effort: Effort::of_search(result.principal_variation().len(), self.search.simulations()),
            ..Choice::from(best)
        })
    }
}

impl<G: Game> Agent<G> for Rollouts<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        self.judge_batch(decisions).map(actions)
    }

    fn judge_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let chosen = decisions
            .iter_mut()
            .map(|decision| self.one(decision.game, decision.rng));
        chosen.collect()
    }
}
