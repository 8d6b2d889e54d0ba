//! Planes, written one after another, and counters as numbers on them.

use std::num::NonZeroU32;

use ndarray::{ArrayViewMut2, ArrayViewMut3, Axis};

/// Planes, of which the first ones are written and the rest are zeros.
pub(crate) struct Planes<'a> {
    planes: ArrayViewMut3<'a, f32>,
    written: usize,
}

impl<'a> Planes<'a> {
    /// None of these are written yet; all must be zero.
    pub(crate) const fn new(planes: ArrayViewMut3<'a, f32>) -> Self {
        Self { planes, written: 0 }
    }

    /// The first ones are written already; all others must be zero.
    pub(crate) const fn behind(written: usize, planes: ArrayViewMut3<'a, f32>) -> Self {
        Self { planes, written }
    }

    /// The planes not yet written.
    pub(crate) fn rest(self) -> ArrayViewMut3<'a, f32> {
        self.planes.split_at(Axis(0), self.written).1
    }

    /// The number of planes written.
    pub(crate) const fn written(&self) -> usize {
        self.written
    }

    /// The next plane, to be written.
    pub(crate) fn next(&mut self) -> ArrayViewMut2<'_, f32> {
        self.written += 1;
        self.planes.index_axis_mut(Axis(0), self.written - 1)
    }

    /// The next planes, to be written.
    pub(crate) fn several(&mut self, count: usize) -> ArrayViewMut3<'_, f32> {
        let from = self.written;
        self.written += count;
        self.planes.slice_axis_mut(Axis(0), (from..from + count).into())
    }

    /// Writes a plane with 1 on some cells, by row and column.
    pub(crate) fn cells(&mut self, cells: impl IntoIterator<Item = [usize; 2]>) {
        let mut plane = self.next();
        for cell in cells {
            plane[cell] = 1.0;
        }
    }

    /// Writes a plane with the same number on all cells.
    pub(crate) fn constant(&mut self, value: f32) {
        self.next().fill(value);
    }
}

/// Fraction of a limit, at most 1 (a position set up by hand may exceed the limit).
pub(crate) fn fraction(count: u32, limit: u32) -> f32 {
    if count >= limit {
        1.0
    } else {
        count as f32 / limit as f32
    }
}

/// Fraction of a limit; 0 if the limit is switched off.
pub(crate) fn fraction_of(count: u32, limit: Option<NonZeroU32>) -> f32 {
    limit.map_or(0.0, |limit| fraction(count, limit.get()))
}

/// Earlier occurrences of a position, as a fraction of those that make a draw; 0 where none do, or the first already
/// does.
pub(crate) fn repetition(occurrences: u32, limit: Option<NonZeroU32>) -> f32 {
    let earlier = occurrences.saturating_sub(1);
    limit.map_or(0.0, |limit| fraction(earlier, limit.get() - 1))
}
