//! Comparison of agents with perfect play in Connect Four, which is solved.

mod proof;

pub use chase_engine::connect_four::Solver;
pub use proof::{Agreement, FirstPlayerGames, Mistake, first_player_games, graded_positions};

/// A test position of Connect Four.
pub type Graded = crate::evaluation::Graded<chase_engine::ConnectFour>;
