//! Positions whose actions are compared, and the results of the searches for each action.

use chase_engine::chase::{Action, Position, Rules};
use chase_engine::{Chase, Game, Outcome, Player};
use chase_training::store::gather::FileContent;
use chase_training::store::serialised::pretty_json;
use serde::{Deserialize, Serialize};

use crate::evidence::strategy::StoredStrategy;

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
    /// The branch after some legal actions from the initial position.
    pub fn after(prefix: &[Action], rules: &Rules) -> Self {
        let mut game = Chase::new(rules);
        prefix.iter().for_each(|&action| game.apply(action));
        Self::at(prefix.to_vec(), game)
    }

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
    /// The score of the branch's own position, searched with the same budget.
    pub score: Option<f64>,
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
    /// The strategy of the search.
    pub search: StoredStrategy,
    /// The conventions of the game.
    pub rules: String,
    /// The seed.
    pub seed: u64,
    /// The actions that lead to the branch, in exact form.
    pub prefix: Vec<String>,
}

/// Results of searches for a continuation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRecord {
    /// The action in exact form.
    pub action: String,
    /// Other actions with the same result.
    pub same: Vec<String>,
    /// The action in article form.
    pub text: String,
    /// White's score by a search of the position after it; `None` if the game is truncated there.
    pub score: Option<f64>,
    /// Probability of a draw by the same search.
    pub draw: Option<f64>,
    /// White's score by the evaluator alone, without a search.
    pub opinion: Option<f64>,
    /// `white`, `black` or `draw` if the search proved the result of perfect play.
    pub proven: Option<String>,
    /// The evaluator's probability of the action, at the temperature of `search`.
    pub prior: f64,
    /// Visits of the action in the search of the branch's own position.
    pub visits: u32,
    /// White's score of the action in that search; `None` without visits.
    pub root_score: Option<f64>,
}

impl BranchRecord {
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

    /// The best continuation for a player.
    pub fn best_for(&self, player: Player) -> Option<&LineRecord> {
        let scored = self.lines.iter().filter(|line| line.score.is_some());
        // The first of equals.
        scored.fold(None, |best: Option<&LineRecord>, line| match best {
            Some(best) if score_for(player, best) >= score_for(player, line) => Some(best),
            _ => Some(line),
        })
    }
}

impl FileContent for BranchRecord {
    fn text(&self) -> String {
        pretty_json(self) + "\n"
    }

    fn parse(text: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(text).map_err(|error| format!("it is no record of searches: {error}"))
    }
}

/// The score of a player; a line without one ranks last.
pub fn score_for(player: Player, line: &LineRecord) -> f64 {
    line.score.map_or(f64::NEG_INFINITY, |score| match player {
        Player::White => score,
        Player::Black => 1.0 - score,
    })
}

/// The action in article form, or in exact form if a whole row shifts, since that is long in article form.
pub fn action_text(position: &Position, action: Action) -> String {
    let text = position.article_text(action);
    if text.len() > 16 { action.to_string() } else { text }
}

/// [`Outcome::name`] of a proof.
pub fn proof_text(outcome: Option<Outcome>) -> Option<String> {
    outcome.map(|outcome| outcome.name().to_owned())
}
