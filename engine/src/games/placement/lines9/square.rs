//! Boards of square cells.

use crate::games::placement::board::{Board, sealed::Sealed};
use crate::games::placement::cell::Cell;
use crate::games::placement::layout::Layout;
use crate::scene::CellShape;

/// A square with this many cells on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square<const SIDE: usize>;

/// The directions along which lines are: right, down, and the two diagonals down, each as rows and letters of a step.
pub(super) const AXES: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl<const SIDE: usize> Sealed for Square<SIDE> {}

impl<const SIDE: usize> Board for Square<SIDE> {
    const ROWS: usize = SIDE;
    const CELLS: usize = SIDE * SIDE;
    const SHAPE: CellShape = CellShape::Square;
    const TURNS: u8 = 4;
    const LAYOUT: &'static Layout = &Layout::square(SIDE);

    fn turned(index: usize) -> usize {
        let (row, letter) = (index / SIDE, index % SIDE);
        (SIDE - 1 - letter) * SIDE + row
    }

    fn mirrored(index: usize) -> usize {
        index / SIDE * SIDE + (SIDE - 1 - index % SIDE)
    }
}

impl<const SIDE: usize> Cell<Square<SIDE>> {
    /// The cells after this one, a step each, until the edge.
    #[inline]
    pub(super) fn towards(self, down: isize, right: isize) -> impl Iterator<Item = Self> {
        let (mut row, mut letter) = (self.row(), self.letter());
        std::iter::from_fn(move || {
            row = row.wrapping_add_signed(down);
            letter = letter.wrapping_add_signed(right);
            (row < SIDE && letter < SIDE).then(|| Self::of(row * SIDE + letter))
        })
    }
}
