//! Moves of stones, by their distance from the middle.

use super::{Cell, Field};
use crate::games::placement::board::{Board, Set};
use crate::games::placement::hexagon::Direction;

/// The move of a stone in a direction.
#[derive(Clone, Copy)]
struct Way {
    /// The cell that the stone reaches, as a set; empty if there is no such cell.
    to: Set,
    /// The cells between.
    between: Set,
}

static WAYS: [[Way; Direction::ALL.len()]; Field::CELLS] = ways();

const fn ways() -> [[Way; 6]; Field::CELLS] {
    let layout = Field::LAYOUT;
    let mut ways = [[Way { to: 0, between: 0 }; 6]; Field::CELLS];
    let middle = Field::CELLS / 2;
    let mut cell = 0;
    while cell < Field::CELLS {
        // Steps over rows change the letter by one for nothing; the others cost one for two letters.
        let down = layout.row(cell).abs_diff(layout.row(middle));
        let right = layout.letter(cell).abs_diff(layout.letter(middle));
        let distance = if right > down { (right + down) / 2 } else { down };
        let mut direction = 0;
        while direction < 6 {
            let (down, right) = Direction::ALL[direction].step();
            let (mut at, mut between, mut steps) = (Some(cell), 0, 0);
            while let Some(here) = at
                && steps < distance
            {
                between |= 1 << here;
                let row = layout.row(here).wrapping_add_signed(down);
                at = layout.index(row, layout.letter(here).wrapping_add_signed(right));
                steps += 1;
            }
            if let Some(to) = at
                && steps > 0
            {
                ways[cell][direction] = Way {
                    to: 1 << to,
                    between: between & !(1 << cell),
                };
            }
            direction += 1;
        }
        cell += 1;
    }
    ways
}

/// The cells that a stone reaches by legal moves.
#[inline]
pub(super) fn destinations(from: Cell, enemy: Set, empty: Set) -> Set {
    let ends = WAYS[from.index()].iter();
    ends.filter(|way| way.between & enemy == 0)
        .fold(0, |ends, way| ends | way.to & empty)
}
