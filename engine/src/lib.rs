//! Rules of the board game Chase, the [`Game`] trait, and tree search over it.

pub mod chase;
pub mod conformance;
mod connect_four;
mod game;
mod outcome;
mod player;
pub mod search;
pub mod seed;
mod wdl;

pub use chase::Chase;
pub use connect_four::ConnectFour;
pub use game::Game;
pub use outcome::{Outcome, Value};
pub use player::{ByPlayer, Player};
pub use wdl::Wdl;
