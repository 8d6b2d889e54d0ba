//! The 81 cells and their names.

use std::fmt;
use std::str::FromStr;

/// Cells in a row, and rows on the board.
pub const SIDE: usize = 9;
/// Cells on the board.
pub const CELLS: usize = SIDE * SIDE;

/// A cell of the board, `A1` to `I9`.
///
/// Rows are lettered from White's home row `A` at the bottom to Black's home row `I`; columns are numbered from the
/// left. The index counts along row A first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The Chamber, E5, on which no die ever rests.
    pub const CHAMBER: Self = Self(40);

    /// The cell with this index, row by row from `A1`; `None` if there is none.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < CELLS { Some(Self(index as u8)) } else { None }
    }

    /// As [`Cell::from_index`], for an index that the caller knows to be below [`CELLS`].
    #[inline]
    pub(crate) const fn new_unchecked(index: u8) -> Self {
        debug_assert!((index as usize) < CELLS);
        Self(index)
    }

    /// The cell in a row (0 is A) and a column (0 is column 1); the column may be any number and wraps around.
    pub(crate) const fn wrapped(row: usize, column: isize) -> Self {
        Self((row * SIDE) as u8 + column.rem_euclid(SIDE as isize) as u8)
    }

    /// All cells in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..CELLS as u8).map(Self)
    }

    /// The index, 0 to 80, row by row from `A1`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, 0 for A to 8 for I.
    #[inline]
    pub const fn row(self) -> usize {
        self.index() / SIDE
    }

    /// The column, 0 to 8 from the left.
    #[inline]
    pub const fn column(self) -> usize {
        self.index() % SIDE
    }

    /// The column in axial coordinates, 0 to 8, in which every row has the same six neighbour offsets.
    ///
    /// With `(r, q)` for row and axial column modulo 9, the neighbours are E `(r, q+1)`, W `(r, q−1)`,
    /// NE `(r+1, q)`, NW `(r+1, q−1)`, SE `(r−1, q+1)` and SW `(r−1, q)`.
    #[inline]
    pub const fn axial_column(self) -> usize {
        (self.column() + SIDE - self.row().div_ceil(2)) % SIDE
    }

    /// Index in an array of shape `[row, axial column]`, 0 to 80.
    #[inline]
    pub const fn axial_index(self) -> usize {
        self.row() * SIDE + self.axial_column()
    }

    /// True if the cell is on row A or I, where moving dice ricochet.
    pub const fn is_edge(self) -> bool {
        self.row() == 0 || self.row() == SIDE - 1
    }

    /// The cell after the board is turned by 180°: rows A and I change places, and so on.
    #[inline]
    pub const fn rotated(self) -> Self {
        Self::wrapped(SIDE - 1 - self.row(), self.opposite_column())
    }

    /// The cell in the mirror that keeps A5, E5 and I5: see [`Direction::mirrored`](super::Direction::mirrored).
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self::wrapped(self.row(), self.opposite_column())
    }

    /// The column on the other side of A5, E5 and I5, to be wrapped around.
    const fn opposite_column(self) -> isize {
        // Odd rows lie half a cell to the left, so their columns turn about another axis.
        let turned = if self.row().is_multiple_of(2) { 8 } else { 9 };
        turned - self.column() as isize
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = char::from(b'A' + self.row() as u8);
        write!(f, "{row}{}", self.column() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Error returned for a text that is not the name of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a cell from A1 to I9")]
pub struct CellError;

impl FromStr for Cell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Self, CellError> {
        match text.as_bytes() {
            &[row @ b'A'..=b'I', column @ b'1'..=b'9'] => Ok(Self((row - b'A') * SIDE as u8 + column - b'1')),
            _ => Err(CellError),
        }
    }
}
