//! Numbers on a board, as the kernel reads them.

/// Numbers of a line of memory: 32 in bfloat16.
pub(super) const LINE_CHANNELS: usize = 32;

/// 32 numbers in bfloat16, in pairs: the first in the low half. As large and aligned as a register of 512 bits.
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

    /// The row that lies so many rows away; `None` beyond the edge.
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

    /// The place of a column, or of the one that lies so many columns (−1 to 1) from it.
    pub const fn slot(self, row: usize, column: usize, columns: isize) -> usize {
        (row * self.slots() + column + 1).wrapping_add_signed(columns)
    }
}

/// Channels of every cell in bfloat16: `[rows, columns + 2, pairs]`, two channels a pair. The outer columns are zero, or
/// copies on a cylinder.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub size: Size,
    pub pairs: usize,
    pub lines: Vec<Line>,
}

impl Board {
    /// A board of zeros, with a number of pairs.
    pub fn new(size: Size, pairs: usize) -> Self {
        let numbers = size.rows * size.slots() * pairs;
        Self {
            size,
            pairs,
            lines: vec![Line::default(); numbers.div_ceil(16)],
        }
    }

    /// A board of zeros, with whole lines of channels.
    pub fn of_channels(size: Size, channels: usize) -> Self {
        debug_assert!(channels.is_multiple_of(LINE_CHANNELS), "{channels} channels");
        Self::new(size, channels / 2)
    }

    /// True if it has these cells, with so many pairs of channels.
    pub fn fits(&self, size: Size, pairs: usize) -> bool {
        self.size == size && self.pairs == pairs
    }

    /// Lines of a cell.
    pub const fn blocks(&self) -> usize {
        2 * self.pairs / LINE_CHANNELS
    }

    /// Index of a line of a cell.
    pub const fn line(&self, row: usize, column: usize, block: usize) -> usize {
        self.size.slot(row, column, 0) * self.blocks() + block
    }

    /// A pair, by its index among all.
    pub fn pair_mut(&mut self, index: usize) -> &mut u32 {
        &mut self.lines[index / 16].0[index % 16]
    }

    /// Copies a line of an outer column to the other side of a cylinder.
    #[inline]
    pub fn wrap_around(&mut self, row: usize, column: usize, block: usize) {
        let (size, blocks) = (self.size, self.blocks());
        if !size.wrap {
            return;
        }
        let line = self.lines[self.line(row, column, block)];
        if column == 0 {
            self.lines[size.slot(row, size.columns - 1, 1) * blocks + block] = line;
        }
        if column == size.columns - 1 {
            self.lines[size.slot(row, 0, -1) * blocks + block] = line;
        }
    }
}

/// The bits of a number in bfloat16, rounded to the nearest, and to even between two.
pub(super) const fn rounded(number: f32) -> u32 {
    let bits = number.to_bits();
    if number.is_nan() {
        return 0x7fc0;
    }
    (bits + 0x7fff + ((bits >> 16) & 1)) >> 16
}

/// Two numbers in bfloat16, the first in the low half.
pub(super) const fn pair(first: f32, second: f32) -> u32 {
    rounded(first) | (rounded(second) << 16)
}
