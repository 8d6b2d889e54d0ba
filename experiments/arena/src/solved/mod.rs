//! A yardstick without opponents: positions with a forced win or gain of dice, proved by search, and the share of them
//! that a player solves.
//!
//! [`SolvedPosition::reference`] is a set of positions from games of agents and baselines. It measures how well a
//! player sees forced results within a few turns, however it was trained; not how well it plays where nothing is
//! forced, which is most of the game.

mod find;
mod position;
mod trial;

pub use find::solve;
pub use position::{DICE_TURNS, ForcedResult, SolvedPosition, WIN_TURNS};
pub use trial::{Trial, TrialKind, TrialPart};
