//! Probabilities of win, draw and loss.

use std::ops::Neg;

use crate::Value;

/// Probabilities that a game is won, drawn and lost, for one player: by convention the player to act.
///
/// `-wdl` is the opponent's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// Probability of a win, in `[0, 1]`.
    pub win: f32,
    /// Probability of a draw, in `[0, 1]`.
    pub draw: f32,
    /// Probability of a loss, in `[0, 1]`.
    pub loss: f32,
}

impl Wdl {
    /// A certain win.
    pub const WIN: Self = Self::new(1.0, 0.0, 0.0);
    /// A certain draw.
    pub const DRAW: Self = Self::new(0.0, 1.0, 0.0);
    /// A certain loss.
    pub const LOSS: Self = Self::new(0.0, 0.0, 1.0);

    /// The three probabilities in the order of their letters.
    pub const fn new(win: f32, draw: f32, loss: f32) -> Self {
        Self { win, draw, loss }
    }

    /// The expected result, `win − loss`.
    pub const fn value(self) -> Value {
        Value(self.win - self.loss)
    }

    /// The expected score of the same player: 1 for a win, ½ for a draw, 0 for a loss. The opponent's is 1 minus this.
    pub const fn score(self) -> f64 {
        self.win as f64 + 0.5 * self.draw as f64
    }
}

/// In the order win, draw, loss, as in networks and files.
impl From<[f32; 3]> for Wdl {
    fn from([win, draw, loss]: [f32; 3]) -> Self {
        Self::new(win, draw, loss)
    }
}

impl From<Wdl> for [f32; 3] {
    fn from(Wdl { win, draw, loss }: Wdl) -> Self {
        [win, draw, loss]
    }
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(self.loss, self.draw, self.win)
    }
}
