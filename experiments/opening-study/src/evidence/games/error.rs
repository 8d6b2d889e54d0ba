//! Errors of games.

use chase_cluster::ClusterError;
use chase_training::config::Problem;
use chase_training::files::FileError;

use super::store::StoreError;
use chase_arena::AgentFailure;
use chase_arena::PlayerError;
use chase_arena::games::ReplayError;

/// Error returned when the games cannot be played or used.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The configuration has values out of range.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Config(Vec<Problem>),
    /// The player does not exist.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player fails during a game.
    #[error("{player} cannot continue: {failure}")]
    Agent {
        /// The player.
        player: String,
        /// Its reason.
        failure: AgentFailure,
    },
    /// A player repeats one game.
    #[error(
        "{player} played {distinct} different games out of {games} from one position: expected chance in its first plies, \
         such as games.temperature for a network or blunders for a baseline"
    )]
    SameGames {
        /// The player.
        player: String,
        /// Number of different games.
        distinct: usize,
        /// Number of games.
        games: usize,
    },
    /// A stored game is invalid.
    #[error("stored games: {0}")]
    Replay(#[from] ReplayError),
    /// Files cannot be written or used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The workers of a cluster cannot play.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// The study was stopped; finished games are kept.
    #[error("stopped; the same command continues from here")]
    Stopped,
}

impl From<FileError> for GamesError {
    fn from(error: FileError) -> Self {
        Self::Store(error.into())
    }
}
