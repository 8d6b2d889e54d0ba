//! Agents that search with a network of the second family.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use chase_engine::alpha_beta::{Limits, Request};
use chase_engine::{Game, Wdl};

use super::chance::Chance;
use super::search::LineSearch;
use crate::players::agent::{Agent, AgentFailure, Choice, Decision, actions};
use crate::players::effort::Effort;

/// An agent that searches each decision by itself, from an empty table.
pub struct NnueAgent<G: Game> {
    search: LineSearch<G>,
    limits: Limits,
    chance: Chance,
    stop: Arc<AtomicBool>,
}

impl<G: Game> NnueAgent<G> {
    /// Creates an agent with these limits for each decision.
    pub fn new(search: LineSearch<G>, limits: Limits, chance: Chance) -> Self {
        Self {
            search,
            limits,
            chance,
            stop: Arc::default(),
        }
    }
}

impl<G: Game> Agent<G> for NnueAgent<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        self.judge_batch(decisions).map(actions)
    }

    fn judge_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let mut legal = Vec::new();
        let choices = decisions.iter_mut().map(|decision| {
            decision.game.legal_actions(&mut legal);
            if let [only] = legal[..] {
                return Choice::from(only);
            }
            let begin = Instant::now();
            let mut bonus = self.chance.bonuses(decision.game, decision.rng);
            let request = Request::new(self.limits).with_bonus(&mut bonus).stopped_by(&self.stop);
            let found = self.search.search(decision.game, request, &mut |_| ()).swap_remove(0);
            let win = found.score as f32;
            Choice {
                action: found.action,
                // The network does not tell draws from wins and losses.
                expects: Some(Wdl::new(win, 0.0, 1.0 - win)),
                effort: Effort::of_search(found.depth as usize, found.nodes).timed(self.limits.time, begin),
            }
        });
        Ok(choices.collect())
    }

    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        self.stop = Arc::clone(stop);
    }
}
