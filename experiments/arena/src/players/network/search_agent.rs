//! Agents that search: a tree for each game, and one evaluation of all their leaves at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chase_engine::Game;
use chase_engine::search::{self, Evaluations, Evaluator, Search, SearchParams, Stop, Strategy};
use rand::rngs::Xoshiro256PlusPlus;

use super::game_tree::GameTrees;
use crate::players::agent::{Agent, AgentFailure, Choice, Decision, actions};
use crate::players::effort::Effort;

/// Settings of an agent's search and choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// The search for one decision. With a time limit, its simulations are an upper limit.
    pub params: SearchParams,
    /// Time limit of one decision, on one core. Decisions are then searched one after the other, not in lock-step, so
    /// that each has its full time, and begin with the tree of the last search of the same game; results depend on the
    /// machine.
    pub time: Option<Duration>,
    /// The temperature of the choice while the game has fewer plies than `temperature_plies`: it makes games of one
    /// agent differ without noise in its values. Later the best action is chosen.
    pub temperature: f32,
    /// Number of plies, from the start of the game, with the temperature.
    pub temperature_plies: u32,
}

impl From<SearchParams> for SearchSettings {
    /// No time limit, and always the best action.
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

    fn choice<G: Game>(
        &self,
        search: &Search<G>,
        game: &G,
        rng: &mut Xoshiro256PlusPlus,
        begin: Instant,
    ) -> Result<Choice<G::Action>, AgentFailure> {
        let result = search.result();
        let action = result.sample_action(self.temperature(game), rng);
        Ok(Choice {
            action: action.ok_or_else(|| AgentFailure("the search chose nothing".into()))?,
            expects: result.wdl(),
            effort: Effort::of_search(result.principal_variation().len(), search.simulations()).timed(self.time, begin),
        })
    }
}

/// Simulations between two readings of the clock if no leaf needs an evaluation, as in positions that are nearly
/// proven.
const CHUNK: u32 = 1024;

/// Chooses the action that a search prefers. The games of a batch are searched in lock-step, so that an evaluator gets
/// a leaf of each at once.
///
/// Trees are not kept from one decision to the next, since an agent has no memory. The exception is a time limit, with
/// which choices need not be reproducible.
#[derive(Debug)]
pub struct SearchAgent<G: Game, E> {
    evaluator: E,
    settings: SearchSettings,
    searches: Vec<Search<G>>,
    trees: GameTrees<G>,
    evaluations: Evaluations,
    /// Set to cut searches short.
    stop: Arc<AtomicBool>,
}

impl<G: Game, E: Evaluator<G>> SearchAgent<G, E> {
    /// Creates an agent that searches with these settings.
    pub fn new(evaluator: E, settings: impl Into<SearchSettings>) -> Self {
        Self {
            evaluator,
            settings: settings.into(),
            searches: Vec::new(),
            trees: GameTrees::default(),
            evaluations: Evaluations::new(),
            stop: Arc::default(),
        }
    }

    /// Searches all positions in lock-step.
    fn judge_together(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let begin = Instant::now();
        if self.searches.len() < decisions.len() {
            self.searches.resize_with(decisions.len(), Search::new);
        }
        let mut searches: Vec<_> = self.searches[..decisions.len()].iter_mut().collect();
        for (search, decision) in searches.iter_mut().zip(decisions.iter_mut()) {
            search.clear();
            search
                .start(decision.game, &self.settings.params, decision.rng)
                .map_err(failure)?;
        }
        // The first step evaluates the roots, so that an action can be chosen.
        while search::step(&mut searches, &mut self.evaluator, &mut self.evaluations).map_err(failure)? > 0
            && !self.stop.load(Ordering::Relaxed)
        {}
        let choices = searches.iter().zip(decisions);
        choices
            .map(|(search, decision)| self.settings.choice(search, decision.game, decision.rng, begin))
            .collect()
    }

    /// Searches one position for some time, beginning with the tree of its game.
    fn judge_for(&mut self, time: Duration, decision: &mut Decision<'_, G>) -> Result<Choice<G::Action>, AgentFailure> {
        let begin = Instant::now();
        let most = self.settings.params.simulations;
        let search = self.trees.search(decision);
        let params = SearchParams {
            simulations: match self.settings.params.strategy {
                Strategy::Puct(_) => most.min(CHUNK),
                // Sequential halving cannot be divided into chunks.
                Strategy::Gumbel(_) => most,
            },
            ..self.settings.params
        };
        search.start(decision.game, &params, decision.rng).map_err(failure)?;
        loop {
            let leaves = search::step(&mut [&mut *search], &mut self.evaluator, &mut self.evaluations);
            if leaves.map_err(failure)? == 0 {
                let left = most - search.simulations();
                if search.stop() != Some(Stop::Simulations) || left == 0 {
                    break;
                }
                search.extend(left.min(CHUNK));
            }
            // The root has been evaluated by now, so that an action can be chosen.
            if begin.elapsed() >= time || self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        self.settings.choice(search, decision.game, decision.rng, begin)
    }
}

fn failure(error: impl std::fmt::Display) -> AgentFailure {
    AgentFailure(error.to_string())
}

impl<G: Game, E: Evaluator<G> + Send> Agent<G> for SearchAgent<G, E> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        self.judge_batch(decisions).map(actions)
    }

    fn judge_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        match self.settings.time {
            None => self.judge_together(decisions),
            Some(time) => decisions
                .iter_mut()
                .map(|decision| self.judge_for(time, decision))
                .collect(),
        }
    }

    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        self.stop = Arc::clone(stop);
    }
}
