//! The games, a module each: what a new game adds to the engine stands here.

mod board_text;
mod cell;
pub mod chase;
pub mod chess;
pub mod connect_four;
pub mod conventions;
pub mod draughts;
mod history;
mod limits;
pub mod placement;
pub mod registry;
