//! Whole games of searches, in lock-step.

use std::collections::VecDeque;
use std::sync::Arc;

use chase_engine::search::{SearchParams, Strategy};
use chase_engine::{Encode, Outcome, Player, Wdl, seed};
use pyo3::exceptions::PyValueError;
use pyo3::{PyResult, Python};
use rand::rngs::Xoshiro256PlusPlus;

use crate::evaluate::{Evaluate, Lane, step};
use crate::ruled::Ruled;

/// Settings of self-play.
pub struct Plan {
    /// Number of games. All of them are played to their end: to stop when this many are finished would favour short
    /// games.
    pub games: u64,
    /// Number of games at a time.
    pub parallel: usize,
    pub params: SearchParams,
    /// Of the choice among visited actions, with PUCT. Gumbel's choice has its noise already.
    pub temperature: f32,
    /// Plies after which the best action is played.
    pub temperature_plies: u32,
    /// True if the subtree of the action played is kept.
    pub reuse: bool,
    /// Plies after which a game is stopped without a result.
    pub max_plies: u32,
    pub seed: u64,
    pub threads: usize,
    pub evaluate: Evaluate,
}

/// One ply of a game that was played.
#[derive(Clone, Debug)]
pub struct PlayedPly {
    pub player: Player,
    /// As policy index.
    pub action: u32,
    pub text: String,
    /// Policy indices of the legal actions, and the strategy's target on them.
    pub legal: Vec<u32>,
    pub policy: Vec<f32>,
    /// For `player`; `None` if nothing was evaluated.
    pub wdl: Option<Wdl>,
    pub simulations: u32,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    pub index: u64,
    /// The position that it began from, if it was drawn.
    pub start: Option<String>,
    pub plies: Vec<PlayedPly>,
    pub outcome: Outcome,
    pub reason: &'static str,
}

/// Games being played.
pub trait AnySelfPlay: Send + Sync {
    /// The next game that is over; `None` after the last.
    ///
    /// # Errors
    /// If the evaluator fails; the next call asks it again.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Played>>;
}

struct Slot<G: Encode> {
    index: u64,
    /// The position that was drawn.
    start: Option<String>,
    game: G,
    rng: Xoshiro256PlusPlus,
    lane: Lane<G>,
    plies: Vec<PlayedPly>,
}

/// Games of one kind being played.
pub struct SelfPlay<G: Encode> {
    ruled: Arc<Ruled<G>>,
    plan: Plan,
    slots: Vec<Slot<G>>,
    /// The index of the next game to begin.
    begun: u64,
    finished: VecDeque<Played>,
}

impl<G: Encode> SelfPlay<G> {
    /// # Errors
    /// If a parameter of the search is out of its range.
    pub fn new(ruled: Arc<Ruled<G>>, plan: Plan) -> Result<Self, String> {
        plan.params.validate().map_err(|error| error.to_string())?;
        Ok(Self {
            ruled,
            plan,
            slots: Vec::new(),
            begun: 0,
            finished: VecDeque::new(),
        })
    }

    /// Begins games until as many are played as may be.
    fn fill(&mut self) -> PyResult<()> {
        while self.slots.len() < self.plan.parallel && self.begun < self.plan.games {
            let place = [self.plan.seed, self.begun];
            let mut rng = seed::named("python self-play", &place);
            let game = G::start(&self.ruled.rules, &mut rng);
            let mut slot = Slot {
                index: self.begun,
                start: G::begins_at_random(&self.ruled.rules).then(|| game.position_text()),
                game,
                rng,
                lane: Lane::new(seed::named("python rollouts", &place)),
                plies: Vec::new(),
            };
            slot.search(&self.plan)?;
            self.slots.push(slot);
            self.begun += 1;
        }
        Ok(())
    }

    /// Plays where searches are over.
    fn play(&mut self) -> PyResult<()> {
        let mut kept = Vec::with_capacity(self.slots.len());
        for mut slot in std::mem::take(&mut self.slots) {
            while slot.lane.search.stop().is_some() && slot.end(&self.plan).is_none() {
                slot.play(&self.plan);
                slot.search(&self.plan)?;
            }
            match slot.end(&self.plan) {
                Some((outcome, reason)) => self.finished.push_back(Played {
                    index: slot.index,
                    start: slot.start,
                    plies: slot.plies,
                    outcome,
                    reason,
                }),
                None => kept.push(slot),
            }
        }
        self.slots = kept;
        Ok(())
    }
}

impl<G: Encode> Slot<G> {
    fn end(&self, plan: &Plan) -> Option<(Outcome, &'static str)> {
        let is_long = self.plies.len() >= plan.max_plies as usize;
        let limit = is_long.then_some((Outcome::Truncated, "ply limit"));
        self.game.end().or(limit)
    }

    /// Begins the search of the present position.
    fn search(&mut self, plan: &Plan) -> PyResult<()> {
        let started = self.lane.search.start(&self.game, &plan.params, &mut self.rng);
        started.map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Plays what the search chose.
    fn play(&mut self, plan: &Plan) {
        let search = &mut self.lane.search;
        let result = search.result();
        let early = (self.plies.len() as u64) < u64::from(plan.temperature_plies);
        let action = match plan.params.strategy {
            Strategy::Puct(_) if early => result.sample_action(plan.temperature, &mut self.rng),
            _ => result.best_action(),
        };
        let Some(action) = action else { return };
        let mut policy = Vec::new();
        result.policy_target(&mut policy);
        let game = &mut self.game;
        self.plies.push(PlayedPly {
            player: game.to_move(),
            action: game.policy_index(action) as u32,
            text: game.action_text(action),
            legal: result
                .actions()
                .iter()
                .map(|&action| game.policy_index(action) as u32)
                .collect(),
            policy,
            wdl: result.wdl(),
            simulations: search.simulations(),
        });
        if plan.reuse {
            search.advance(action);
        } else {
            search.clear();
        }
        game.apply(action);
    }
}

impl<G: Encode> AnySelfPlay for SelfPlay<G> {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Played>> {
        loop {
            self.fill()?;
            if let Some(played) = self.finished.pop_front() {
                return Ok(Some(played));
            }
            if self.slots.is_empty() {
                return Ok(None);
            }
            let mut lanes: Vec<&mut Lane<G>> = self.slots.iter_mut().map(|slot| &mut slot.lane).collect();
            step(
                py,
                &mut lanes,
                &self.plan.evaluate,
                &self.ruled.encoding,
                self.plan.threads,
            )?;
            self.play()?;
        }
    }
}
