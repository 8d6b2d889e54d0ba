//! Positions whose actions are compared, and the results of the searches for each action.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use chase_engine::chase::{Action, Rules};
use chase_engine::search::EvaluationError;
use chase_engine::{Chase, Game, Player};
use chase_training::store::gather::FileContent;
use chase_training::store::serialised::pretty_json;
use serde::{Deserialize, Serialize};

use crate::evidence::judge::Judge;

/// A position reached by a few actions, and its continuations, where actions with equal results are merged.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The actions that lead to it; none for the initial position.
    pub prefix: Vec<Action>,
    /// The game after them.
    pub game: Chase,
    /// The continuations.
    pub continuations: Vec<Continuation>,
}

/// Legal actions with the same result.
#[derive(Clone, Debug)]
pub struct Continuation {
    /// The actions, in the order of [`Game::legal_actions`]; the first one names them.
    pub actions: Vec<Action>,
    /// The game after any of them.
    pub game: Chase,
}

impl Branch {
    /// The branch after some actions from the initial position; `None` if they are not legal.
    pub fn playable(prefix: &[Action], rules: &Rules) -> Option<Self> {
        let mut game = Chase::new(rules);
        for &action in prefix {
            game.is_legal(action).then(|| game.apply(action))?;
        }
        Some(Self::at(prefix.to_vec(), game))
    }

    /// The branch at a game that these actions have reached.
    pub fn at(prefix: Vec<Action>, game: Chase) -> Self {
        let mut continuations: Vec<Continuation> = Vec::new();
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        for action in actions {
            let mut next = game.clone();
            next.apply(action);
            match continuations
                .iter_mut()
                .find(|known| known.game.position() == next.position())
            {
                Some(known) => known.actions.push(action),
                None => continuations.push(Continuation {
                    actions: vec![action],
                    game: next,
                }),
            }
        }
        Self {
            prefix,
            game,
            continuations,
        }
    }

    /// The actions that lead here, in exact form.
    pub fn prefix_text(&self) -> Vec<String> {
        self.prefix.iter().map(Action::to_string).collect()
    }
}

/// Results of one agent's searches of a branch with one budget. All scores are White's expected score, from 0 to 1,
/// with 0.5 for a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchRecord {
    /// Everything that the numbers depend on.
    pub origin: BranchOrigin,
    /// Every distinct continuation.
    pub lines: Vec<LineRecord>,
}

/// Everything that the numbers of a [`BranchRecord`] depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchOrigin {
    /// Name of the agent.
    pub agent: String,
    /// SHA-256 of its weights; `None` without a network.
    pub weights: Option<String>,
    /// Simulations of every search.
    pub simulations: u32,
    /// Every option of the agent's search with its effective value.
    pub settings: BTreeMap<String, String>,
    /// The conventions of the game.
    pub rules: String,
    /// The seed.
    pub seed: u64,
    /// The actions that lead to the branch, in exact form.
    pub prefix: Vec<String>,
}

/// The result of the search of a continuation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRecord {
    /// The action in exact form.
    pub action: String,
    /// Other actions with the same result.
    pub same: Vec<String>,
    /// White's score by a search of the position after it; `None` if the game is truncated there.
    pub score: Option<f64>,
}

impl BranchRecord {
    /// Searches a branch, with the simulations and the seed of the origin; `None` if it was stopped.
    ///
    /// # Errors
    /// If the network cannot evaluate.
    pub(super) fn of(
        judge: &Judge,
        branch: &Branch,
        origin: BranchOrigin,
        stop: &AtomicBool,
    ) -> Result<Option<Self>, EvaluationError> {
        let after = branch.continuations.iter().map(|next| next.game.clone());
        let (simulations, seed) = (Some(origin.simulations), origin.seed);
        let scores = judge.white_scores(&after.collect::<Vec<_>>(), simulations, seed, stop)?;
        let line = |(next, score): (&Continuation, Option<f64>)| LineRecord {
            action: next.actions[0].to_string(),
            same: next.actions[1..].iter().map(Action::to_string).collect(),
            score,
        };
        Ok(scores.map(|scores| Self {
            lines: branch.continuations.iter().zip(scores).map(line).collect(),
            origin,
        }))
    }

    /// The record of an action, found by its name or by that of another action with the same result.
    pub fn line(&self, action: Action) -> Option<&LineRecord> {
        let name = action.to_string();
        let is = |line: &&LineRecord| line.action == name || line.same.contains(&name);
        self.lines.iter().find(is)
    }

    /// Checks that it has this origin.
    pub(super) fn is_of(&self, origin: &BranchOrigin) -> Result<(), String> {
        match &self.origin == origin {
            true => Ok(()),
            false => Err(format!(
                "it is the record of another branch, agent or budget: {:?}, expected {origin:?}; give another folder, or remove it",
                self.origin
            )),
        }
    }
}

impl FileContent for BranchRecord {
    fn text(&self) -> String {
        pretty_json(self) + "\n"
    }

    fn parse(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map_err(|error| format!("it is not a record of searches: {error}"))
    }
}

/// The score of a player; a line without one ranks last.
pub fn score_for(player: Player, line: &LineRecord) -> f64 {
    line.score.map_or(f64::NEG_INFINITY, |score| player.score(score))
}
