//! Planes, written one after another.

use ndarray::{ArrayViewMut2, ArrayViewMut3, Axis};

/// Planes, of which the first ones are written and the rest are zeros.
pub(super) struct Planes<'a> {
    planes: ArrayViewMut3<'a, f32>,
    written: usize,
}

impl<'a> Planes<'a> {
    /// None of these are written yet; all must be zero.
    pub(super) const fn new(planes: ArrayViewMut3<'a, f32>) -> Self {
        Self { planes, written: 0 }
    }

    /// The number of planes written.
    pub(super) const fn written(&self) -> usize {
        self.written
    }

    /// The next plane, to be written.
    pub(super) fn next(&mut self) -> ArrayViewMut2<'_, f32> {
        self.written += 1;
        self.planes.index_axis_mut(Axis(0), self.written - 1)
    }

    /// The next planes, to be written.
    pub(super) fn several(&mut self, count: usize) -> ArrayViewMut3<'_, f32> {
        let from = self.written;
        self.written += count;
        self.planes.slice_axis_mut(Axis(0), (from..from + count).into())
    }

    /// Writes a plane with 1 on some cells, by row and column.
    pub(super) fn cells(&mut self, cells: impl IntoIterator<Item = [usize; 2]>) {
        let mut plane = self.next();
        for cell in cells {
            plane[cell] = 1.0;
        }
    }

    /// Writes a plane with the same number on all cells.
    pub(super) fn constant(&mut self, value: f32) {
        self.next().fill(value);
    }
}
