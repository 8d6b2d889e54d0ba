//! What a search asks for.

use chase_engine::chase::Action;

use super::found::WIN;

/// Larger than any value, and safe to negate.
pub(super) const INFINITY: i32 = 2 * WIN;

/// An action at the root, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub action: Action,
    /// What is added to its value in comparisons.
    pub bonus: i32,
    /// Its value, `-INFINITY` before there is one.
    pub value: i32,
    /// Plies of the last search that found it best and was not broken off.
    pub depth: u32,
    /// The line that begins with it.
    pub line: Vec<Action>,
}

impl Candidate {
    pub fn new(action: Action, bonus: i32) -> Self {
        Self {
            action,
            bonus,
            value: -INFINITY,
            depth: 0,
            line: vec![action],
        }
    }
}

/// The request for a value: the plies left, and the window that values of interest lie in.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub depth: u32,
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// The window of the other player.
    pub const fn turned(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
            ..self
        }
    }

    /// The window, before `bonus` is added, of what is compared with it.
    pub const fn without(self, bonus: i32) -> Self {
        Self {
            alpha: self.alpha - bonus,
            beta: self.beta - bonus,
            ..self
        }
    }

    /// True if it asks only if the value is above a number.
    pub const fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }
}
