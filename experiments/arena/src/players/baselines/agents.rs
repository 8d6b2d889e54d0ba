//! The baselines as agents.

use std::time::Instant;

use chase_baselines::{AlphaBeta, Greedy, Heuristic, Random, Rollouts};
use chase_engine::Game;

use crate::players::agent::{Agent, AgentFailure, Choice, Decision, actions, one_by_one};
use crate::players::effort::Effort;

impl<G: Game> Agent<G> for Random<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        one_by_one(decisions, |game, rng| self.choose(game, rng))
    }
}

impl<G: Game, H: Heuristic<G>> Agent<G> for Greedy<G, H> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        one_by_one(decisions, |game, rng| self.choose(game, rng))
    }
}

impl<G: Game, H: Heuristic<G>> Agent<G> for AlphaBeta<G, H> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        self.judge_batch(decisions).map(actions)
    }

    fn judge_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let choices = decisions.iter_mut().map(|decision| {
            let begin = Instant::now();
            let found = self.search(decision.game, decision.rng);
            let effort = Effort::of_search(found.depth as usize, found.nodes);
            Choice {
                effort: effort.timed(self.limits().time, begin),
                ..Choice::from(found.action)
            }
        });
        Ok(choices.collect())
    }
}

impl<G: Game> Agent<G> for Rollouts<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        self.judge_batch(decisions).map(actions)
    }

    fn judge_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let choices = decisions.iter_mut().map(|decision| {
            let found = self.search(decision.game, decision.rng);
            let found = found.map_err(|error| AgentFailure(error.to_string()))?;
            Ok(Choice {
                effort: Effort::of_search(found.line, found.simulations),
                ..Choice::from(found.action)
            })
        });
        choices.collect()
    }
}
