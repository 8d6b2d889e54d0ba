//! Agents that search: a tree for each game, and one evaluation of all their leaves at a time.

use std::time::{Duration, Instant};

use chase_engine::Game;
use chase_engine::search::{Evaluations, Evaluator, Search, SearchParams};

use crate::agent::{Agent, AgentFailure, Choice, Decision};

/// How an agent searches and chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// The search of one decision. With a limit of time its simulations are the most that are run.
    pub params: SearchParams,
    /// Time for one decision, of one core. Decisions then are searched one after the other, not in lock-step, so that
    /// each has all of its time; results depend on the machine.
    pub time: Option<Duration>,
    /// The temperature that actions are sampled with while the game has fewer plies than `temperature_plies`: how games
    /// of one agent differ without noise in its values. Later the best action is chosen.
    pub temperature: f32,
    /// Plies from the start of the game.
    pub temperature_plies: u32,
}

impl From<SearchParams> for SearchSettings {
    /// No limit of time, and the best action always.
    fn from(params: SearchParams) -> Self {
        Self {
            params,
            time: None,
            temperature: 0.0,
            temperature_plies: 0,
        }
    }
}

impl SearchSettings {
    pub(crate) fn temperature<G: Game>(&self, game: &G) -> f32 {
        if game.plies() < self.temperature_plies {
            self.temperature
        } else {
            0.0
        }
    }
}

/// Chooses what a search would play. The games of a batch are searched in lock-step, so that an evaluator sees one leaf
/// of each at once.
///
/// Trees are not kept from one decision to the next: an agent has no memory.
#[derive(Debug)]
pub struct SearchAgent<G: Game, E> {
    evaluator: E,
    settings: SearchSettings,
    searches: Vec<Search<G>>,
    evaluations: Evaluations,
}

impl<G: Game, E: Evaluator<G>> SearchAgent<G, E> {
    /// An agent that searches every position anew with these settings.
    pub fn new(evaluator: E, settings: impl Into<SearchSettings>) -> Self {
        Self {
            evaluator,
            settings: settings.into(),
            searches: Vec::new(),
            evaluations: Evaluations::new(),
        }
    }

    /// Searches all positions at once.
    fn judge_together(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let begin = Instant::now();
        if self.searches.len() < decisions.len() {
            self.searches.resize_with(decisions.len(), Search::new);
        }
        let searches = &mut self.searches[..decisions.len()];
        for (search, decision) in searches.iter_mut().zip(decisions.iter_mut()) {
            search.clear();
            search
                .start(decision.game, &self.settings.params, decision.rng)
                .map_err(failure)?;
        }
        loop {
            let leaves: Vec<_> = searches.iter_mut().filter_map(Search::select).collect();
            if leaves.is_empty() {
                break;
            }
            self.evaluations.clear();
            self.evaluator
                .evaluate(&leaves, &mut self.evaluations)
                .map_err(failure)?;
            let waiting = searches.iter_mut().filter(|search| search.leaf().is_some());
            for (index, search) in waiting.enumerate() {
                let Some(evaluation) = self.evaluations.get(index) else {
                    return Err(AgentFailure("the evaluator left out a position".into()));
                };
                search.expand(evaluation).map_err(failure)?;
            }
            // Every root is evaluated by now, so that there is something to play.
            if self.settings.time.is_some_and(|time| begin.elapsed() >= time) {
                break;
            }
        }
        let chosen = searches.iter().zip(decisions).map(|(search, decision)| {
            let temperature = self.settings.temperature(decision.game);
            let result = search.result();
            let action = result.sample_action(temperature, decision.rng)?;
            let expects = result.wdl();
            Some(Choice { action, expects })
        });
        let chosen: Option<Vec<_>> = chosen.collect();
        chosen.ok_or_else(|| AgentFailure("the search chose nothing".into()))
    }
}

fn failure(error: impl std::fmt::Display) -> AgentFailure {
    AgentFailure(error.to_string())
}

impl<G: Game, E: Evaluator<G> + Send> Agent<G> for SearchAgent<G, E> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        let choices = self.judge_batch(decisions)?.into_iter();
        Ok(choices.map(|choice| choice.action).collect())
    }

    fn judge_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        if self.settings.time.is_none() {
            return self.judge_together(decisions);
        }
        let mut choices = Vec::with_capacity(decisions.len());
        for decision in decisions.chunks_mut(1) {
            choices.extend(self.judge_together(decision)?);
        }
        Ok(choices)
    }
}
