//! Forks: one position of a study's game, two ways to continue, and both played to the end.
//!
//! The worth of a kind of action cannot be read off games in which it was played: a player who can choose it may be
//! ahead already. So a turn at which it could be played is drawn from each of many games, searches choose the best
//! action of the kind and the best rival, and the same player plays both continuations against itself, with the same
//! randomness. The difference of their results is the worth of the action *there*, for its mover. A control of quiet
//! moves ([`ForkKind::Quiet`]) shows the effect of this construction itself: an action chosen from few scores less than
//! one chosen from many.
//!
//! Finished work is on disk: a killed study can be resumed, with the same result as an uninterrupted one.

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
