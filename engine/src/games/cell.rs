//! Cells of the 8 × 8 board, and sets of them.

use std::fmt;

/// Files, and ranks, of the board.
pub const SIDE: usize = 8;
/// Cells of the board.
pub const CELLS: usize = SIDE * SIDE;

/// A cell, `a1` to `h8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// All cells: a1, b1, … h1, a2, … h8.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CELLS as u8).map(Self)
    }

    /// The cell of a file and a rank, both from 0.
    ///
    /// # Panics
    /// If there is no such cell.
    pub const fn new(file: usize, rank: usize) -> Self {
        assert!(file < SIDE && rank < SIDE, "a cell of the board");
        Self((rank * SIDE + file) as u8)
    }

    /// Rank · 8 + file, both from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, from 0 for a.
    #[inline]
    pub const fn file(self) -> usize {
        self.index() % SIDE
    }

    /// The rank, from 0 for the first.
    #[inline]
    pub const fn rank(self) -> usize {
        self.index() / SIDE
    }

    /// True if this is a dark cell, as a1 is.
    pub const fn is_dark(self) -> bool {
        (self.file() + self.rank()).is_multiple_of(2)
    }

    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The cell of a text like `c3`.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(Self::new(usize::from(file - b'a'), usize::from(rank - b'1')))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = (b'a' + self.file() as u8, self.rank() + 1);
        write!(f, "{}{rank}", char::from(file))
    }
}

/// The only cell of a set of one; of more, the first in the order of [`Cell::all`].
#[inline]
pub(crate) const fn first(cells: u64) -> Cell {
    debug_assert!(cells != 0);
    Cell(cells.trailing_zeros() as u8 % CELLS as u8)
}

/// The cells of a set, in the order of [`Cell::all`].
#[inline]
pub(crate) fn each(mut cells: u64) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        (cells != 0).then(|| {
            let cell = first(cells);
            cells &= cells - 1;
            cell
        })
    })
}
