//! Agents that search: a tree for each game, and one evaluation of all their leaves at a time.

use chase_engine::Game;
use chase_engine::search::{Evaluations, Evaluator, Search, SearchParams};

use crate::agent::{Agent, AgentFailure, Decision};

/// Chooses what a search would play. The games of a batch are searched in lock-step, so that an evaluator sees one leaf
/// of each at once.
///
/// Trees are not kept from one decision to the next: an agent has no memory.
#[derive(Debug)]
pub struct SearchAgent<G: Game, E> {
    evaluator: E,
    params: SearchParams,
    searches: Vec<Search<G>>,
    evaluations: Evaluations,
}

impl<G: Game, E: Evaluator<G>> SearchAgent<G, E> {
    /// An agent that searches every position anew with these parameters.
    pub fn new(evaluator: E, params: SearchParams) -> Self {
        Self {
            evaluator,
            params,
            searches: Vec::new(),
            evaluations: Evaluations::new(),
        }
    }
}

impl<G: Game, E: Evaluator<G> + Send> Agent<G> for SearchAgent<G, E> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        let failure = |error: &dyn std::fmt::Display| AgentFailure(error.to_string());
        if self.searches.len() < decisions.len() {
            self.searches.resize_with(decisions.len(), Search::new);
        }
        let searches = &mut self.searches[..decisions.len()];
        for (search, decision) in searches.iter_mut().zip(decisions) {
            search.clear();
            search
                .start(decision.game, &self.params, decision.rng)
                .map_err(|error| failure(&error))?;
        }
        loop {
            let leaves: Vec<_> = searches.iter_mut().filter_map(Search::select).collect();
            if leaves.is_empty() {
                break;
            }
            self.evaluations.clear();
            self.evaluator
                .evaluate(&leaves, &mut self.evaluations)
                .map_err(|error| failure(&error))?;
            let waiting = searches.iter_mut().filter(|search| search.leaf().is_some());
            for (index, search) in waiting.enumerate() {
                let Some(evaluation) = self.evaluations.get(index) else {
                    return Err(AgentFailure("the evaluator left out a position".into()));
                };
                search.expand(evaluation).map_err(|error| failure(&error))?;
            }
        }
        let chosen = searches.iter().map(|search| search.result().best_action());
        let chosen: Option<Vec<_>> = chosen.collect();
        chosen.ok_or_else(|| AgentFailure("the search chose nothing".into()))
    }
}
