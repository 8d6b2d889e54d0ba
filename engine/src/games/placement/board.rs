//! Boards: cells in rows, and the ways to turn them.

use std::fmt::Debug;
use std::hash::Hash;

use super::layout::Layout;
use crate::scene::CellShape;

/// A set of cells: bit `index` is the cell of this index.
pub(super) type Set = u128;

/// A board, as a type without values: cells of different boards cannot be confused.
pub trait Board: sealed::Sealed + Copy + Debug + Eq + Hash + Ord + Send + Sync + 'static {
    /// Rows, and cells of the longest row.
    const ROWS: usize;
    /// Cells of the board.
    const CELLS: usize;
    /// The shape of the cells.
    const SHAPE: CellShape;
    /// The number of turns after which the board is where it was.
    const TURNS: u8;
    /// The rows of cells.
    const LAYOUT: &'static Layout;

    /// The image of a cell, both by index, when the board is turned counterclockwise by one of [`Board::TURNS`].
    fn turned(index: usize) -> usize;

    /// The image of a cell, both by index, when the board is reflected.
    fn mirrored(index: usize) -> usize;
}

/// All cells of a board.
pub(super) const fn full<B: Board>() -> Set {
    (1 << B::CELLS) - 1
}

pub(super) mod sealed {
    pub trait Sealed {}
}
