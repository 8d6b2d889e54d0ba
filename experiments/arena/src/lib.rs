//! Strength of players, and analysis of positions: players, matches, tournaments, evaluations, analyses, and the files
//! of games and runs that they read and write.
//!
//! | module | subject |
//! |---|---|
//! | [`players`] | random and greedy play, evaluators with a search, external programs; [`PlayerSpec`] describes each as a short text |
//! | [`games`] | finished games, as they are stored |
//! | [`mod@matches`] | pairs of games with colours swapped |
//! | [`tournament`] | any number of players, games that survive an interruption, standings |
//! | [`remote`] | games that other machines play |
//! | [`evaluation`] | a network against a yardstick of baselines |
//! | [`solved`] | the share of proved wins and gains that a player finds |
//! | [`analysis`] | analyses of positions by search |
//! | [`explorer`] | games, indexed by position |
//! | [`ugi`], [`engine`] | the Universal Game Interface, and players behind it |
//! | [`runs`] | the files of a training run, and its page |
//! | [`connect_four`] | comparison of agents with perfect play in a solved game |
//!
//! # Example
//!
//! ```
//! use chase_arena::{Match, Openings, PlayerSpec};
//! use chase_engine::Chase;
//! use chase_engine::chase::Rules;
//! use chase_models::device::Device;
//!
//! let player = |text: &str| text.parse::<PlayerSpec>().expect("a player").contestant(Device::Cpu).expect("usable");
//! let conditions = Match::<Chase> {
//!     rules: Rules::default(),
//!     openings: Openings::Random { plies: 4 },
//!     seed: 7,
//!     max_plies: 400,
//!     pairs_at_once: 1,
//! };
//! let result = conditions.play([&player("greedy"), &player("random")], 0..2, &|_| ()).expect("played");
//! assert_eq!(result.pairs.len(), 2);
//! ```

use std::sync::{Mutex, MutexGuard, PoisonError};

pub mod analysis;
pub mod connect_four;
pub mod engine;
pub mod evaluation;
pub mod explorer;
pub mod games;
pub mod matches;
pub mod players;
pub mod remote;
mod report_files;
pub mod runs;
pub mod solved;
pub mod tournament;
pub mod ugi;

pub use evaluation::{
    EvaluationCost, EvaluationReport, NetworkEvaluation, NetworkReport, OpponentReport, Rated, Yardstick, is_stop,
};
pub use games::GameResult;
pub use matches::{Match, MatchError, MatchEvent, MatchResult, Openings, PairResult};
pub use players::{
    Agent, AgentFailure, Chance, Choice, ChoiceOrForfeit, Contestant, Decision, Effort, Efforts, EvaluatorSpec,
    Forfeit, Keep, LADDER, LEVELS, Level, MakeEvaluator, NetworkSpec, Networks, NoNetworks, PlayerError, PlayerSpec,
    SearchKind, SearchLimits, SearchSettings, SearchSpec, SearchTask, Searched, SpecError, TreeAgent, Unit, Usage,
    network_contestant, network_evaluator, network_evaluators, updatable_evaluators,
};

/// Locks, even if a thread panicked meanwhile: none leaves inconsistent data behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
