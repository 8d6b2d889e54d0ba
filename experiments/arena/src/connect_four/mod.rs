//! Connect Four is solved: how near does an agent come to perfect play?

mod proof;
mod solver;

pub use proof::{Agreement, FirstPlayerGames, Graded, Mistake, Share, choices, first_player_games, graded_positions};
pub use solver::Solver;
