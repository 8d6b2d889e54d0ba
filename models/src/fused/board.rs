//! Numbers on a board, as the kernel reads them.

use super::arithmetic::Arithmetic;

/// Channels of a board come in multiples of this.
// 32 channels in bfloat16 fill one register of 512 bits, and in 32 bits two: no group is left half empty.
pub(super) const CHANNELS: usize = 32;

/// 16 units of 32 bits: a number each, or a pair in bfloat16 with the first in the low half. As large and aligned as a
/// register of 512 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Line(pub [u32; 16]);

/// A board's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub rows: usize,
    pub columns: usize,
    /// True if the last column is adjacent to the first.
    pub wrap: bool,
    /// True if the last row is adjacent to the first.
    pub wrap_rows: bool,
}

impl Size {
    pub const fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// The row that lies this many rows away; `None` beyond the edge.
    pub const fn row(self, row: usize, rows: isize) -> Option<usize> {
        match row.checked_add_signed(rows) {
            Some(row) if row < self.rows => Some(row),
            _ if self.wrap_rows => Some((row + self.rows).wrapping_add_signed(rows) % self.rows),
            _ => None,
        }
    }

    /// Places of a row: one more on either side, for the neighbours of the outer columns.
    const fn slots(self) -> usize {
        self.columns + 2
    }

    /// The place of a column, or of the one this many columns (−1 to 1) from it.
    pub const fn slot(self, row: usize, column: usize, columns: isize) -> usize {
        (row * self.slots() + column + 1).wrapping_add_signed(columns)
    }
}

/// Channels of every cell: `[rows, columns + 2, units]`. The outer columns are zero, or copies on a cylinder.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub size: Size,
    /// Units of a cell; whole lines, but for planes.
    pub units: usize,
    pub lines: Vec<Line>,
}

impl Board {
    pub fn new(size: Size, units: usize) -> Self {
        let all = size.rows * size.slots() * units;
        Self {
            size,
            units,
            lines: vec![Line::default(); all.div_ceil(16)],
        }
    }

    /// A board of zeros, with a multiple of [`CHANNELS`].
    pub fn of_channels(size: Size, channels: usize, arithmetic: Arithmetic) -> Self {
        debug_assert!(channels.is_multiple_of(CHANNELS), "{channels} channels");
        Self::new(size, channels / arithmetic.channels_of_unit())
    }

    /// True if it has these cells, with this many units each.
    pub fn fits(&self, size: Size, units: usize) -> bool {
        self.size == size && self.units == units
    }

    /// All units, by slot.
    #[inline(always)]
    #[allow(unsafe_code, reason = "lines are read as what they consist of")]
    pub const fn numbers(&self) -> &[u32] {
        // SAFETY: a line is 16 numbers without padding.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), 16 * self.lines.len()) }
    }

    pub const fn lines_of_cell(&self) -> usize {
        self.units / 16
    }

    /// Index of the first line of a cell.
    pub const fn line(&self, row: usize, column: usize) -> usize {
        self.size.slot(row, column, 0) * self.lines_of_cell()
    }

    /// A unit, by its index among all.
    pub fn unit_mut(&mut self, index: usize) -> &mut u32 {
        &mut self.lines[index / 16].0[index % 16]
    }

    /// Copies lines of an outer column to the other side of a cylinder.
    #[inline(always)]
    pub fn wrap_around(&mut self, row: usize, column: usize, first: usize, count: usize) {
        let (size, lines) = (self.size, self.lines_of_cell());
        if !size.wrap {
            return;
        }
        let from = self.line(row, column) + first;
        if column == 0 {
            let to = size.slot(row, size.columns - 1, 1) * lines + first;
            self.lines.copy_within(from..from + count, to);
        }
        if column == size.columns - 1 {
            let to = size.slot(row, 0, -1) * lines + first;
            self.lines.copy_within(from..from + count, to);
        }
    }
}
