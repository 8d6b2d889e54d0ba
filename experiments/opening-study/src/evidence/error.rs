//! The error of evidence.

use chase_arena::games::ReplayError;
use chase_arena::{AgentFailure, PlayerError};
use chase_cluster::ClusterError;
use chase_engine::search::EvaluationError;
use chase_training::store::files::FileError;

/// Error returned when games, forks or searches cannot be made or used.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// The plan of searches is empty, or asks for the same search twice.
    #[error("search: {0}")]
    Searches(String),
    /// A player does not exist, or its network cannot be used.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player fails during a game.
    #[error("{player} cannot continue: {failure}")]
    Agent {
        /// Name of the player.
        player: String,
        /// The agent's reason.
        failure: AgentFailure,
    },
    /// A player cannot search.
    #[error("{player} cannot search: {error}")]
    Evaluation {
        /// Name of the player.
        player: String,
        /// The evaluator's reason.
        error: EvaluationError,
    },
    /// A player repeats one game.
    #[error(
        "{player} played {distinct} different games out of {games} from one position: expected randomness in its \
         first plies, such as games.temperature for a network or blunders for a baseline"
    )]
    SameGames {
        /// Name of the player.
        player: String,
        /// Number of different games.
        distinct: usize,
        /// Number of games from one position.
        games: usize,
    },
    /// A stored game is invalid.
    #[error("stored games: {0}")]
    Replay(#[from] ReplayError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The workers of a cluster cannot work.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The study was stopped; finished work is kept.
    #[error("stopped; the same command continues from here")]
    Stopped,
}

impl EvidenceError {
    /// True if the study was stopped and can be resumed.
    pub(crate) const fn is_stop(&self) -> bool {
        matches!(self, Self::Stopped)
    }
}
