//! Forks: one position of a game of the study, two ways to go on, and both played to their ends.
//!
//! What a kind of action is worth cannot be read off games in which it was played: who can choose it may be ahead already. So
//! a turn at which it could be played is drawn from each of many games, searches choose the best action of the kind and the
//! best of what stands against it, and the same player plays both games that follow against itself, with the same chance. The
//! difference of their results is what the action is worth *there*, for its mover. A control of quiet moves
//! ([`ForkKind::Quiet`]) tells what this construction gives where nothing is special: an action chosen from few scores less than
//! one chosen from many.
//!
//! What is finished is on disk: a study that was killed goes on, and ends as if it had not been.

mod config;
mod draw;
mod error;
mod fork;
mod gather;
mod kind;
mod table;
mod turn;

pub use config::ForksConfig;
pub use error::ForksError;
pub use fork::{Choice, Fork, PlayoutPair};
pub use gather::{ForkPlan, ForksFinished};
pub use kind::{ForkKind, LARGER, Way};
pub(crate) use turn::TurnObserver;
pub use turn::{DrawnTurn, GameTurns, Turn};
