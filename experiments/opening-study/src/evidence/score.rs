//! Scores of games.

use chase_engine::{Outcome, Player};

/// Score of the first player: 0, 0.5 or 1; `None` for a truncated game.
pub fn score(outcome: Outcome) -> Option<f64> {
    Some(f64::midpoint(f64::from(outcome.value_for(Player::White)?.0), 1.0))
}
