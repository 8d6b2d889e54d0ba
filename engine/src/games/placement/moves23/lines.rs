//! Lines, and the moves that they have.

use super::Cell;
use crate::games::placement::board::Set;
use crate::games::placement::cell::each;
use crate::games::placement::hexagon::Direction;

/// A whole run of two or more stones, seen in a direction.
#[derive(Clone, Copy)]
pub(super) struct Line {
    front: Cell,
    rear: Cell,
    length: u32,
    direction: Direction,
}

impl Line {
    /// The line of a player whose last stone, seen in a direction, is on a cell.
    pub(super) fn from_rear(rear: Cell, direction: Direction, own: Set) -> Option<Self> {
        let is_own = |cell: &Cell| own & cell.bit() != 0;
        if !is_own(&rear) || rear.next(direction.opposite()).as_ref().is_some_and(is_own) {
            return None;
        }
        let (mut front, mut length) = (rear, 1);
        while let Some(next) = front.next(direction).filter(is_own) {
            front = next;
            length += 1;
        }
        (length > 1).then_some(Self {
            front,
            rear,
            length,
            direction,
        })
    }

    /// The line of a player whose first stone, seen in a direction, is on a cell, if it is not at the edge.
    #[inline]
    fn from_front(front: Cell, direction: Direction, own: Set) -> Option<Self> {
        let ahead = front.next(direction)?;
        let (mut rear, mut length) = (front, 1);
        while let Some(next) = rear.next(direction.opposite())
            && own & next.bit() != 0
        {
            rear = next;
            length += 1;
        }
        (length > 1 && own & ahead.bit() == 0).then_some(Self {
            front,
            rear,
            length,
            direction,
        })
    }

    /// Calls a function with the cell of the front stone after each move of the line: those over empty cells, the
    /// shortest first, then the one that kills.
    #[inline]
    pub(super) fn for_each_move(self, own: Set, enemy: Set, mut act: impl FnMut(Cell)) {
        let mut front = self.front;
        for moved in 0..self.length {
            let Some(next) = front.next(self.direction) else {
                return;
            };
            if own & next.bit() != 0 {
                return;
            }
            if enemy & next.bit() != 0 {
                let kills = self.kills(next, enemy).min(self.length - moved);
                for _ in 0..kills {
                    front = front.next(self.direction).expect("what is killed stands on the board");
                }
                if kills > 0 {
                    act(front);
                }
                return;
            }
            front = next;
            act(front);
        }
    }

    /// The number of stones that the line may kill in a run of the enemy that it meets, before any limit for the way.
    #[inline]
    fn kills(self, met: Cell, enemy: Set) -> u32 {
        let mut run = 0;
        let mut at = Some(met);
        while let Some(cell) = at.filter(|cell| run < self.length && enemy & cell.bit() != 0) {
            run += 1;
            at = cell.next(self.direction);
        }
        run.min(self.length - run)
    }

    /// The stones of the line.
    pub(super) const fn length(self) -> u32 {
        self.length
    }

    /// The cells of the line's stones when its front stone is on `front`.
    #[inline]
    pub(super) fn cells_behind(self, front: Cell) -> Set {
        let mut cells = 0;
        let mut at = Some(front);
        for _ in 0..self.length {
            let cell = at.expect("behind its front stone the line has room for all others");
            cells |= cell.bit();
            at = cell.next(self.direction.opposite());
        }
        cells
    }

    /// The cells of the line.
    #[inline]
    pub(super) fn cells(self) -> Set {
        self.cells_behind(self.front)
    }
}

/// Calls a function with the cells of the rear stone before and of the front stone after each line move of a player.
#[inline]
pub(super) fn for_each_line_move(own: Set, enemy: Set, mut act: impl FnMut(Cell, Cell)) {
    for direction in Direction::ALL {
        for front in each(own) {
            if let Some(line) = Line::from_front(front, direction, own) {
                line.for_each_move(own, enemy, |front| act(line.rear, front));
            }
        }
    }
}
