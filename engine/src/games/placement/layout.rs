//! Rows of cells and their names.

/// The most cells of a board: one bit each in a set.
pub(super) const MOST_CELLS: usize = 128;
/// The most rows of a board.
const MOST_ROWS: usize = 16;

/// The rows of a board: where each begins, and the letters of its cells.
#[derive(Debug)]
pub struct Layout {
    rows: usize,
    /// The letters from one cell of a row to the next.
    step: usize,
    /// The index of the first cell of each row, and at last the number of cells.
    starts: [u8; MOST_ROWS + 1],
    /// The letter of the first cell of each row.
    letters: [u8; MOST_ROWS],
    row_of: [u8; MOST_CELLS],
}

impl Layout {
    /// A hexagon. Letters count half cells, so that the middle of a cell is at its letter.
    pub(super) const fn hexagon(side: usize) -> Self {
        let mut letters = [0; MOST_ROWS];
        let mut lengths = [0; MOST_ROWS];
        let rows = 2 * side - 1;
        let mut row = 0;
        while row < rows {
            letters[row] = (side - 1).abs_diff(row) as u8;
            lengths[row] = rows - (side - 1).abs_diff(row);
            row += 1;
        }
        Self::new(rows, 2, letters, lengths)
    }

    pub(super) const fn square(side: usize) -> Self {
        Self::new(side, 1, [0; MOST_ROWS], [side; MOST_ROWS])
    }

    const fn new(rows: usize, step: usize, letters: [u8; MOST_ROWS], lengths: [usize; MOST_ROWS]) -> Self {
        let mut starts = [0; MOST_ROWS + 1];
        let mut row_of = [0; MOST_CELLS];
        let mut index = 0;
        let mut row = 0;
        while row < rows {
            starts[row] = index as u8;
            let end = index + lengths[row];
            while index < end {
                row_of[index] = row as u8;
                index += 1;
            }
            row += 1;
        }
        starts[rows] = index as u8;
        Self {
            rows,
            step,
            starts,
            letters,
            row_of,
        }
    }

    /// The cell of a row and a letter.
    pub(super) const fn index(&self, row: usize, letter: usize) -> Option<usize> {
        if row >= self.rows || letter < self.letters[row] as usize {
            return None;
        }
        let (start, end) = (self.starts[row] as usize, self.starts[row + 1] as usize);
        let right = letter - self.letters[row] as usize;
        if right.is_multiple_of(self.step) && right / self.step < end - start {
            Some(start + right / self.step)
        } else {
            None
        }
    }

    pub(super) const fn row(&self, index: usize) -> usize {
        self.row_of[index] as usize
    }

    pub(super) const fn letter(&self, index: usize) -> usize {
        let row = self.row(index);
        self.letters[row] as usize + self.step * (index - self.starts[row] as usize)
    }

    /// The column of a cell in an array of as many columns as rows, in which a step to the right is one to the right,
    /// and on a hexagon a step down and left is one down.
    pub(super) const fn column(&self, index: usize) -> usize {
        match self.step {
            1 => self.letter(index),
            _ => (self.letter(index) + self.row(index) - self.rows / 2) / 2,
        }
    }

    /// The cells of a row, by their indices.
    pub(super) fn cells(&self, row: usize) -> std::ops::Range<usize> {
        usize::from(self.starts[row])..usize::from(self.starts[row + 1])
    }
}
