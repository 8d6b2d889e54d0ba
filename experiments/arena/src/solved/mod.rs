//! A yardstick that needs no opponent: positions in which a win or a gain of dice is forced, proved by search, and how often a
//! player finds it.
//!
//! [`SolvedPosition::reference`] is a set of positions from games of agents and baselines. It tells how well a player sees what is
//! forced within a few turns, whoever taught it; not how well it plays where nothing is forced, which is most of the game.

mod find;
mod position;
mod trial;

pub use find::solve;
pub use position::{DICE_TURNS, Forced, SolvedPosition, SolvedPositionError, WIN_TURNS};
pub use trial::{Trial, TrialError, TrialKind, TrialPart};
