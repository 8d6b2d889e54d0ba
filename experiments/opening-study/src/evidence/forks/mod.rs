//! Forks: one position of a study's game, two ways to continue and a control, and all played to the end.
//!
//! The worth of a kind of action cannot be read off games in which it was played: a player who can choose it may be
//! ahead already. So a turn at which it could be played is drawn from each of many games, searches choose the best
//! action of the kind and the best rival, and the same player plays both continuations against itself, with the same
//! randomness. The difference of their results is the worth of the action *there*, for its mover. An action chosen from
//! few scores less than one chosen from many, whatever they are. So there is a control, chosen from equally few quiet
//! moves of the same position: if the kind of an action does not matter, the two score alike. [`ForkKind::Quiet`] is
//! the placebo, which shows that they do.
//!
//! Finished work is on disk: a killed study can be resumed, with the same result as an uninterrupted one.

mod config;
mod draw;
mod fork;
mod gather;
mod job;
mod kind;
mod table;
mod turn;

pub use config::ForksConfig;
pub use fork::{Choice, Fork, Playout};
pub use gather::ForkPlan;
pub(crate) use job::ForksFile;
pub use kind::{ForkKind, Way};
pub(crate) use turn::TurnObserver;
pub use turn::{DrawnTurn, ForkTurn, GameTurns};
