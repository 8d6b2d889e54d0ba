//! The heuristic of each game: a module each.

mod chase;
mod connect_four;
mod draughts;
mod placement;

pub use chase::ChaseHeuristic;
pub use draughts::DraughtsHeuristic;
