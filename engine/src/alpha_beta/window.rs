//! The depth and the window of a request for a value.

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
        self.beta == self.alpha + 1
    }
}
