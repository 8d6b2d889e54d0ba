//! Values of positions, as a search asks for them.

use chase_engine::chase::Position;

use crate::{LOGIT, LineEvaluator};

/// Judges the positions of a line of play, which grows and shrinks at its end.
pub trait Judge {
    /// Begins a line with a position.
    fn begin(&mut self, position: &Position);

    /// Continues the line.
    fn push(&mut self, position: &Position);

    /// Goes back by one position.
    fn pop(&mut self);

    /// The value of the last position for its player to move, in thousandths of a logit of the expected score, below a
    /// million in magnitude.
    fn value(&mut self) -> i32;
}

impl Judge for LineEvaluator<'_> {
    fn begin(&mut self, position: &Position) {
        LineEvaluator::begin(self, position);
    }

    #[inline]
    fn push(&mut self, position: &Position) {
        LineEvaluator::push(self, position);
    }

    #[inline]
    fn pop(&mut self) {
        LineEvaluator::pop(self);
    }

    fn value(&mut self) -> i32 {
        // Far from the value of a win.
        LineEvaluator::value(self).clamp(-100 * LOGIT, 100 * LOGIT)
    }
}

/// Judges each position by itself, with a function that gives its value for the player to move. A yardstick for
/// searches and tests.
#[derive(Clone, Debug)]
pub struct ByPosition {
    value: fn(&Position) -> i32,
    line: Vec<i32>,
}

impl ByPosition {
    /// A judge with this function.
    pub const fn new(value: fn(&Position) -> i32) -> Self {
        Self {
            value,
            line: Vec::new(),
        }
    }
}

/// The value of dice alone: a die more is worth a logit.
pub fn dice(position: &Position) -> i32 {
    LOGIT * position.lead(position.to_move())
}

impl Judge for ByPosition {
    fn begin(&mut self, position: &Position) {
        self.line.clear();
        self.push(position);
    }

    fn push(&mut self, position: &Position) {
        self.line.push((self.value)(position));
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn value(&mut self) -> i32 {
        *self.line.last().expect("a line was begun")
    }
}
