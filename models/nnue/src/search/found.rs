//! The result of a search.

use chase_engine::chase::Action;

use crate::LOGIT;

/// The value of a game won at once; one won n plies later is worth n less.
pub const WIN: i32 = 1_000_000;
/// Values beyond this are wins, whose distance in plies is what they lack to [`WIN`].
pub(super) const PROVEN: i32 = WIN - 1000;

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The action to play.
    pub action: Action,
    /// Its value for the player to move, in thousandths of a logit of the expected score; ±[`WIN`] with the plies until
    /// then taken from its magnitude, where the end of the game is proven.
    pub value: i32,
    /// Plies of the last search that was not broken off.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The line that both players follow, beginning with the action.
    pub line: Vec<Action>,
}

impl Found {
    /// Plies until the proven win of the player to move, negative for a proven loss; `None` if neither is proven.
    pub const fn plies_to_win(&self) -> Option<i32> {
        if self.value.abs() > PROVEN {
            Some((WIN - self.value.abs()) * self.value.signum())
        } else {
            None
        }
    }

    /// Expected score of the player to move, from 0 to 1: a draw counts as half a win.
    pub fn score(&self) -> f64 {
        score(self.value)
    }
}

/// The expected score, from 0 to 1, that a value stands for.
pub fn score(value: i32) -> f64 {
    if value.abs() > PROVEN {
        return if value > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f64::from(value) / f64::from(LOGIT)).exp())
}
