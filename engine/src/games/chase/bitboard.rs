//! Sets of cells.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use super::Cell;
use super::cell::CELLS;

/// A set of cells; the cell with index `i` is bit `i`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No cell.
    pub const EMPTY: Self = Self(0);
    /// All 81 cells.
    pub const ALL: Self = Self((1 << CELLS) - 1);
    /// The Chamber alone.
    pub const CHAMBER: Self = Self::from_cell(Cell::CHAMBER);

    /// The set of one cell.
    #[inline]
    pub const fn from_cell(cell: Cell) -> Self {
        Self(1 << cell.index())
    }

    /// Bit `i` is the cell with index `i`.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set whose [`bits`](Self::bits) these are; those beyond the 81 cells are left out.
    #[inline]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Number of cells.
    #[inline]
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if there is no cell in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the cell is in the set.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        // Which half to look at is a plain load of eight bytes, where shifting a u128 takes five instructions.
        let half = if cell.index() < 64 {
            self.0 as u64
        } else {
            (self.0 >> 64) as u64
        };
        half >> (cell.index() % 64) & 1 != 0
    }

    /// True if the sets have a cell in common.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set if a condition holds, else no cell; without a branch.
    #[inline]
    #[must_use]
    pub const fn only_if(self, condition: bool) -> Self {
        Self(self.0 & (condition as u128).wrapping_neg())
    }

    /// The set with `cell`.
    #[inline]
    #[must_use]
    pub const fn with(self, cell: Cell) -> Self {
        Self(self.0 | Self::from_cell(cell).0)
    }

    /// The set without `cell`.
    #[inline]
    #[must_use]
    pub const fn without(self, cell: Cell) -> Self {
        Self(self.0 & !Self::from_cell(cell).0)
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    /// The cells that are in one set but not in the other.
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for Bitboard {
    type Output = Self;
    /// The cells of the board that are not in the set.
    #[inline]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl FromIterator<Cell> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl IntoIterator for Bitboard {
    type Item = Cell;
    type IntoIter = Cells;
    #[inline]
    fn into_iter(self) -> Cells {
        Cells(self.0)
    }
}

/// The cells of a [`Bitboard`] in the order of their indices.
#[derive(Clone, Debug)]
pub struct Cells(u128);

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        if self.0 == 0 {
            return None;
        }
        let cell = Cell::new_unchecked(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
