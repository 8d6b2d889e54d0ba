//! Connect Four is solved: how near does an agent come to perfect play?

mod proof;

pub use chase_engine::connect_four::Solver;
pub use proof::{Agreement, FirstPlayerGames, Graded, Mistake, Share, choices, first_player_games, graded_positions};
