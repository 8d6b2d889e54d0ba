//! Rules of the board game Chase, the [`Game`] trait, and tree search over it.

pub mod conformance;
mod game;
mod games;
mod outcome;
mod player;
pub mod search;
pub mod seed;
mod wdl;

pub use game::Game;
pub use games::chase::Chase;
pub use games::connect_four::ConnectFour;
pub use games::{chase, connect_four};
pub use outcome::{Outcome, Value};
pub use player::{ByPlayer, Player};
pub use wdl::Wdl;
