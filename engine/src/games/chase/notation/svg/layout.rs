//! Places of cells on paper.

use super::super::course::{Leg, Step};
use super::{Labels, SvgOptions};
use crate::chase::Cell;
use crate::chase::cell::SIDE;

/// Places in user units, in which a cell is 40 wide; x to the right, y down, whichever way the board is turned.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Turned by 180°.
    pub flip: bool,
}

const HALF_CELL: f64 = 20.0;
/// From row to row: a cell is 46.2 high, and rows overlap by a quarter.
const ROW: f64 = 34.65;
/// Once around the cylinder.
const AROUND: f64 = 2.0 * HALF_CELL * SIDE as f64;

impl Layout {
    /// Left, top, width and height of the board with its ghost cells: half a cell beyond the cells proper of each row,
    /// and a little, so that the lines of whole ghost cells are not cut.
    pub const BOARD: [f64; 4] = [-21.0, -24.0, 422.0, 325.2];

    /// Left, top, width and height of the picture.
    pub fn view(options: &SvgOptions) -> [f64; 4] {
        let [mut x, mut y, mut width, mut height] = Self::BOARD;
        let (side, end) = if options.labels == Labels::None {
            (4.0, 4.0)
        } else {
            (18.0, 18.0)
        };
        x -= side;
        width += 2.0 * side;
        y -= end;
        height += 2.0 * end;
        if options.caption {
            height += 36.0;
        }
        [x, y, width, height]
    }

    /// The middle of a cell.
    pub fn centre(self, cell: Cell) -> [f64; 2] {
        self.copy(cell, 0)
    }

    /// The middle of the copy of a cell `turns` times around the cylinder to the east.
    pub fn copy(self, cell: Cell, turns: i32) -> [f64; 2] {
        let shift = if cell.row().is_multiple_of(2) { 2.0 } else { 1.0 };
        let x = HALF_CELL * (2.0 * cell.column() as f64 + shift) + AROUND * f64::from(turns);
        let y = ROW * (SIDE - 1 - cell.row()) as f64;
        if self.flip { [380.0 - x, 8.0 * ROW - y] } else { [x, y] }
    }

    /// The corners of the way of a die whose first cell is `turns` times around the cylinder to the east, and for each
    /// whether it is on the board, not on a ghost cell or further out.
    pub fn way(self, leg: &Leg, turns: i32) -> Vec<([f64; 2], bool)> {
        let sign = if self.flip { -1.0 } else { 1.0 };
        let mut row = leg.from.row() as i32;
        let mut half_columns = 2 * leg.from.column() as i32 + 18 * turns + i32::from(row % 2 == 0);
        let mut at = self.copy(leg.from, turns);
        let real = |row: i32, half_columns: i32| {
            let first = i32::from(row % 2 == 0);
            (first..first + 2 * SIDE as i32).contains(&half_columns)
        };
        let mut way = vec![(at, real(row, half_columns))];
        for step in &leg.steps {
            let Step {
                half_columns: dx,
                rows: dy,
            } = *step;
            at[0] += sign * HALF_CELL * f64::from(dx);
            at[1] -= sign * ROW * f64::from(dy);
            half_columns += dx;
            row += dy;
            way.push((at, real(row, half_columns)));
        }
        way
    }
}

/// A coordinate with at most two digits after the point, as short as can be.
pub(super) fn number(value: f64) -> String {
    let hundredths = (value * 100.0).round();
    // Without this, what rounds to nothing would be written as -0.
    format!("{}", if hundredths == 0.0 { 0.0 } else { hundredths / 100.0 })
}
