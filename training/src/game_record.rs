//! Games as self-play hands them on.

use chase_engine::{Game, Outcome, Player};

/// Plies of an opening line at most: a first action and its reply. Records keep the priors of these plies.
pub const LINE_PLIES: usize = 2;

/// The purpose of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Purpose {
    /// To be learned from: with exploration.
    Selfplay,
    /// To be counted: without noise. Never learned from.
    Measurement,
}

impl Purpose {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Selfplay => "selfplay",
            Self::Measurement => "measurement",
        }
    }
}

/// What the games of a group have in common: where they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The generation that they belong to.
    pub generation: u64,
    /// Their purpose.
    pub purpose: Purpose,
    /// Number of the group within the generation.
    pub group: u32,
    /// The checkpoint that played them.
    pub model: String,
    /// Seed of the run.
    pub run_seed: u64,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord<G: Game> {
    /// Number of the game within its generation and purpose.
    pub index: u32,
    /// The first position.
    pub start: G,
    /// Plies at the beginning that were drawn at random; 0 in a game that the agent played from the start.
    pub random_plies: u32,
    /// What was decided at each ply.
    pub plies: Vec<PlyRecord<G::Action>>,
    /// The result.
    pub outcome: Outcome,
    /// The reason for the end of the game.
    pub end_reason: String,
}

/// One decision of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyRecord<A> {
    /// What was played.
    pub action: A,
    /// The player who played it.
    pub player: Player,
    /// Simulations of the search; 0 at a random ply, and where only one action was legal.
    pub simulations: u32,
    /// Win, draw and loss for this player, as the search expects them; `None` where there was nothing to search.
    pub value: Option<[f32; 3]>,
    /// What a full search found; `None` after a fast one, or where there was nothing to search.
    pub policy: Option<PolicyRecord>,
}

/// What a full search says about the legal actions; each list in the order of [`Game::legal_actions`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyRecord {
    /// Policy index of each action.
    pub indices: Vec<u16>,
    /// What the network is to learn: a probability for each.
    pub target: Vec<f32>,
    /// Visits of each.
    pub visits: Vec<u32>,
    /// The network's probability of each at `search.policy_temperature`, without noise; only for the first
    /// [`LINE_PLIES`] of a game, else empty.
    pub priors: Vec<f32>,
    /// How often the row is to be drawn in comparison to others; 1 on average.
    pub weight: f32,
}

impl<G: Game> GameRecord<G> {
    /// Number of plies that are trained on.
    pub fn rows(&self) -> usize {
        self.plies.iter().filter(|ply| ply.policy.is_some()).count()
    }
}
