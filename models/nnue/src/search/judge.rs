//! Values of positions, as a search asks for them.

use chase_engine::chase::Position;

use crate::{Evaluator, LOGIT};

/// Judges the positions of a line of play, which grows and shrinks at its end.
pub trait Judge {
    /// Begins a line with a position.
    fn begin(&mut self, position: &Position);

    /// Continues the line.
    fn push(&mut self, position: &Position);

    /// Goes back by one position.
    fn pop(&mut self);

    /// The value of the last position for its player to move, in thousandths of a logit of the expected score, below a million in
    /// magnitude.
    fn value(&mut self) -> i32;
}

impl Judge for Evaluator<'_> {
    fn begin(&mut self, position: &Position) {
        Evaluator::begin(self, position);
    }

    #[inline]
    fn push(&mut self, position: &Position) {
        Evaluator::push(self, position);
    }

    #[inline]
    fn pop(&mut self) {
        Evaluator::pop(self);
    }

    fn value(&mut self) -> i32 {
        // Far from the value of a win.
        Evaluator::value(self).clamp(-100 * LOGIT, 100 * LOGIT)
    }
}

/// Judges by dice alone: a die more is worth a logit. A yardstick for searches and tests.
#[derive(Clone, Debug, Default)]
pub struct Dice {
    line: Vec<i32>,
}

impl Judge for Dice {
    fn begin(&mut self, position: &Position) {
        self.line.clear();
        self.push(position);
    }

    fn push(&mut self, position: &Position) {
        let player = position.to_move();
        let [own, enemy] = [player, !player].map(|player| position.dice(player).count() as i32);
        self.line.push(LOGIT * (own - enemy));
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn value(&mut self) -> i32 {
        self.line.last().copied().unwrap_or(0)
    }
}
