//! Finished games, as self-play returns them.

use chase_engine::{Game, Outcome, Player, Wdl};
use serde::{Deserialize, Serialize};

/// Most plies of an opening line: a first action and its reply. Records keep the priors of these plies.
pub const LINE_PLIES: usize = 2;

/// The purpose of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// For training, with exploration.
    Selfplay,
    /// For statistics, without noise. Never trained on.
    Measurement,
}

impl Purpose {
    /// Name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selfplay => "selfplay",
            Self::Measurement => "measurement",
        }
    }
}

/// Provenance that the games of a group share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupOrigin {
    /// [`Game::name`].
    pub game: &'static str,
    /// Their generation.
    pub generation: u64,
    /// Their purpose.
    pub purpose: Purpose,
    /// Number of the group within the generation.
    pub group: u32,
    /// The checkpoint that played them.
    pub model: String,
    /// Seed of the run.
    pub run_seed: u64,
    /// The conventions that they were played under, as JSON of the section `[rules]`.
    pub rules: String,
    /// The planes that the network saw, as JSON.
    pub encoding: String,
    /// [`KindSettings::games_sha256`](crate::kinds::KindSettings::games_sha256) of the run.
    pub config_sha256: String,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord<G: Game> {
    /// Number of the game within its generation and purpose.
    pub index: u32,
    /// The first position.
    pub start: G,
    /// Random plies at the beginning; 0 in a game that the agent played from the start.
    pub random_plies: u32,
    /// The decision at each ply.
    pub plies: Vec<PlyRecord<G::Action>>,
    /// The result.
    pub outcome: Outcome,
    /// The reason for the end of the game.
    pub end_reason: String,
}

/// Reason that a game that becomes a record has an outcome; [`GameRecord::unfinished`] is for the others.
const OVER: &str = "the game of a record is over";

/// One decision of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyRecord<A> {
    /// The action played.
    pub action: A,
    /// The player who played it.
    pub player: Player,
    /// Simulations of the search; 0 at a random ply, and where only one action was legal.
    pub simulations: u32,
    /// The result that the search expects for this player; `None` where there was nothing to search.
    pub value: Option<Wdl>,
    /// Results of a full search; `None` after a fast one, or where there was nothing to search.
    pub policy: Option<PolicyRecord>,
}

/// Results of a full search for the legal actions; each list is in the order of [`Game::legal_actions`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyRecord {
    /// Policy index of each action.
    pub indices: Vec<u16>,
    /// Policy target: a probability for each action.
    pub target: Vec<f32>,
    /// Visits of each action.
    pub visits: Vec<u32>,
    /// The network's probability of each action at `search.policy_temperature`, without noise; only for the first
    /// [`LINE_PLIES`] of a game, else empty.
    pub priors: Vec<f32>,
    /// Relative frequency with which the row is drawn; 1 on average.
    pub weight: f32,
}

impl<G: Game> GameRecord<G> {
    /// The record of a game that has led from `start` to `end`.
    ///
    /// # Panics
    /// If the game is not over.
    pub fn new(index: u32, start: G, random_plies: u32, plies: Vec<PlyRecord<G::Action>>, end: &G) -> Self {
        let (outcome, reason) = end.end().expect(OVER);
        Self {
            index,
            start,
            random_plies,
            plies,
            outcome,
            end_reason: reason.to_owned(),
        }
    }

    /// The record of a game that has not ended yet; see [`selfplay::GroupGames`](crate::selfplay::GroupGames).
    pub fn unfinished(index: u32, start: G, random_plies: u32, plies: Vec<PlyRecord<G::Action>>) -> Self {
        Self {
            index,
            start,
            random_plies,
            plies,
            outcome: Outcome::Truncated,
            end_reason: "unfinished".to_owned(),
        }
    }

    /// Number of plies that are trained on.
    pub fn rows(&self) -> usize {
        self.plies.iter().filter(|ply| ply.policy.is_some()).count()
    }
}
