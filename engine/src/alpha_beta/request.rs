//! Requests to a search, and the actions that it found.

use std::sync::atomic::AtomicBool;

use rand::rngs::Xoshiro256PlusPlus;

use super::settings::Limits;
use super::value::{WIN, is_proven};

/// A search of one position: its limits, and what else it should heed.
pub struct Request<'a, A> {
    pub(super) limits: Limits,
    pub(super) lines: usize,
    pub(super) shuffle: Option<&'a mut Xoshiro256PlusPlus>,
    pub(super) bonus: Option<&'a mut dyn FnMut(A) -> i32>,
    pub(super) stop: Option<&'a AtomicBool>,
}

impl<'a, A> Request<'a, A> {
    /// The best action within these limits.
    pub const fn new(limits: Limits) -> Self {
        Self {
            limits,
            lines: 1,
            shuffle: None,
            bonus: None,
            stop: None,
        }
    }

    /// The `lines` best actions, or all if there are fewer, each with its own value and line.
    ///
    /// Each is found by a search that excludes those before it, so N lines take about N times as long as one. With
    /// several lines, a depth that was broken off is discarded.
    #[must_use]
    pub const fn lines(self, lines: usize) -> Self {
        Self { lines, ..self }
    }

    /// A generator decides which of several equally good actions is found.
    #[must_use]
    pub const fn shuffled(self, rng: &'a mut Xoshiro256PlusPlus) -> Self {
        Self {
            shuffle: Some(rng),
            ..self
        }
    }

    /// Actions of the first position are compared by their values plus a `bonus` for each. The value that is found is
    /// without the bonus.
    ///
    /// With bonuses drawn from Gumbel's distribution, times a temperature, the choice is a draw from the softmax of the
    /// values at this temperature, though no value is computed but those that are near the best (Gumbel-max).
    #[must_use]
    pub const fn with_bonus(self, bonus: &'a mut dyn FnMut(A) -> i32) -> Self {
        Self {
            bonus: Some(bonus),
            ..self
        }
    }

    /// The search ends soon after `stop` is set.
    #[must_use]
    pub const fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self {
            stop: Some(stop),
            ..self
        }
    }
}

impl<A> From<&Limits> for Request<'_, A> {
    /// The best action within these limits.
    fn from(limits: &Limits) -> Self {
        Self::new(*limits)
    }
}

/// Sees the best actions after each depth.
pub type Watch<'a, A> = dyn FnMut(&[Found<A>]) + 'a;

/// An action that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<A> {
    /// The action that the line begins with.
    pub action: A,
    /// Its value for the player to move, in the evaluator's unit; ±[`WIN`] with the plies until then taken from its
    /// magnitude, where the end of the game is proven.
    pub value: i32,
    /// The score that the player to move should expect, from 0 to 1 where a draw counts as half a win.
    pub score: f64,
    /// Plies of the last search that was not broken off.
    pub depth: u32,
    /// Nodes visited by the whole search.
    pub nodes: u64,
    /// The line that both players follow, beginning with the action. It ends where a stored result decided.
    pub line: Vec<A>,
}

impl<A> Found<A> {
    /// Plies until the proven win of the player to move, negative for a proven loss; `None` if neither is proven.
    pub const fn plies_to_win(&self) -> Option<i32> {
        if is_proven(self.value) {
            Some((WIN - self.value.abs()) * self.value.signum())
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::PROVEN;
    use super::*;

    #[test]
    fn a_proven_end_is_told_in_plies() {
        let plies = |value| {
            let found = Found {
                action: (),
                value,
                score: 0.5,
                depth: 1,
                nodes: 1,
                line: Vec::new(),
            };
            found.plies_to_win()
        };
        assert_eq!([WIN - 3, 4 - WIN].map(plies), [Some(3), Some(-4)]);
        assert_eq!([0, 100_000_000, PROVEN, -PROVEN].map(plies), [None; 4]);
    }
}
