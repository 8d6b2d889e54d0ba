//! The seven shapes of groups of four.

use super::{Cell, Field};
use crate::games::placement::board::Set;
use crate::games::placement::cell::{each, first};
use crate::games::placement::hexagon::Hexagon;

/// A shape of four connected cells; a mirror image is the same shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Tetrahex {
    /// Four in a row line.
    Bar,
    /// Three in a row line, and one at an angle to its end.
    Worm,
    /// A half ring.
    Arch,
    /// Two pairs, shifted: a path with two bends, one each way.
    Wave,
    /// A middle with three neighbours, none of which touch.
    Propeller,
    /// A triangle with a tail.
    Pistol,
    /// Two triangles with a common side.
    Bee,
}

impl Tetrahex {
    /// All shapes.
    pub const ALL: [Self; 7] = [
        Self::Bar,
        Self::Worm,
        Self::Arch,
        Self::Wave,
        Self::Propeller,
        Self::Pistol,
        Self::Bee,
    ];

    /// The shape of a connected group; `None` if it does not have four cells.
    pub(super) fn of(group: Set) -> Option<Self> {
        if group.count_ones() != 4 {
            return None;
        }
        // The sum of the squared distances between all pairs differs from shape to shape.
        let mut sum = 0;
        let mut rest = group;
        while rest != 0 {
            let cell: Cell = first(rest);
            rest &= rest - 1;
            sum += each(rest).map(|other| cell.distance_squared(other)).sum::<usize>();
        }
        match sum {
            20 => Some(Self::Bar),
            17 => Some(Self::Worm),
            13 => Some(Self::Arch),
            16 => Some(Self::Wave),
            12 => Some(Self::Propeller),
            11 => Some(Self::Pistol),
            8 => Some(Self::Bee),
            _ => None,
        }
    }
}

/// The number of tetrahexes of each shape of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shapes([u8; Tetrahex::ALL.len()]);

impl Shapes {
    /// The tetrahexes among some stones.
    pub(super) fn among(stones: Set) -> Self {
        let mut shapes = Self::default();
        shapes.change(stones, |count| *count += 1);
        shapes
    }

    /// Takes in a stone that joins the rest of its group, which may be empty.
    pub(super) fn join(&mut self, stone: Set, group: Set) {
        if group == stone {
            return;
        }
        self.change(group & !stone, |count| {
            *count = count.checked_sub(1).expect("a shape on the board is counted");
        });
        if let Some(shape) = Tetrahex::of(group) {
            self.0[shape as usize] += 1;
        }
    }

    /// Changes the number of the shape of each group among some stones.
    fn change(&mut self, stones: Set, change: impl Fn(&mut u8)) {
        let mut rest = stones;
        while rest != 0 {
            let (group, _) = Hexagon::group(first::<Field>(rest), rest);
            rest &= !group;
            if let Some(shape) = Tetrahex::of(group) {
                change(&mut self.0[shape as usize]);
            }
        }
    }

    /// The number of tetrahexes of a shape.
    pub(super) const fn count(self, shape: Tetrahex) -> u8 {
        self.0[shape as usize]
    }

    /// The number of different shapes.
    #[inline]
    pub(super) fn different(self) -> u32 {
        self.0.iter().map(|&count| u32::from(count > 0)).sum()
    }
}
