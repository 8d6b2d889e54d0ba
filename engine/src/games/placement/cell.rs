//! Cells of a board, and sets of them.

use std::fmt;
use std::marker::PhantomData;

use super::board::{Board, Set};

/// A cell of a board, in the order of texts: rows from the top, each from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell<B: Board>(u8, PhantomData<B>);

impl<B: Board> Cell<B> {
    /// All cells, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..B::CELLS).map(Self::of)
    }

    /// The cell of a row and a letter, both from 0; `None` if there is none.
    pub fn new(row: usize, letter: usize) -> Option<Self> {
        B::LAYOUT.index(row, letter).map(Self::of)
    }

    pub(super) fn of(index: usize) -> Self {
        Self(index as u8, PhantomData)
    }

    /// The number of the cell, from 0 for the first of the first row.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The row from the top, from 0: in texts the number, which begins with 1.
    #[inline]
    pub fn row(self) -> usize {
        B::LAYOUT.row(self.index())
    }

    /// The letter, from 0 for a.
    #[inline]
    pub fn letter(self) -> usize {
        B::LAYOUT.letter(self.index())
    }

    /// The place of the cell in a plane of [`Board::ROWS`] × [`Board::ROWS`], row by row from the bottom. On a hexagon
    /// these are axial coordinates, as in Chase: the neighbours in the row above are in the same column and in the one
    /// before, and two corners of the plane have no cells.
    #[inline]
    pub fn plane_index(self) -> usize {
        (B::ROWS - 1 - self.row()) * B::ROWS + B::LAYOUT.column(self.index())
    }

    #[inline]
    pub(super) fn bit(self) -> Set {
        1 << self.0
    }

    /// The cell of a text like `f6`.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let mut characters = text.chars();
        let letter = characters.next().filter(char::is_ascii_lowercase)?;
        let digits = characters.as_str();
        let is_plain = digits.starts_with(|first: char| matches!(first, '1'..='9'));
        let row: usize = digits.parse().ok().filter(|_| is_plain)?;
        Self::new(row - 1, letter as usize - 'a' as usize)
    }
}

impl<B: Board> fmt::Display for Cell<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.letter() as u8), self.row() + 1)
    }
}

/// The first cell of a set that is not empty.
#[inline]
pub(super) fn first<B: Board>(cells: Set) -> Cell<B> {
    debug_assert!(cells != 0);
    Cell::of(cells.trailing_zeros() as usize)
}

/// The cells of a set in their order.
#[inline]
pub(super) fn each<B: Board>(mut cells: Set) -> impl Iterator<Item = Cell<B>> {
    std::iter::from_fn(move || {
        (cells != 0).then(|| {
            let cell = first(cells);
            cells &= cells - 1;
            cell
        })
    })
}
