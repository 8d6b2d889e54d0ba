//! The cylinder as tables, made at compile time: neighbours, steps with ricochet, and the paths of moving dice.

use super::bitboard::Bitboard;
use super::cell::{CELLS, SIDE};
use super::die::Speed;
use super::{Cell, Direction};

/// Directions in which a die on a cell may set out.
///
/// From rows A and I the outward directions are left out: the ricochet happens at once, so that they equal the inward
/// ones.
pub const fn directions(cell: Cell) -> &'static [Direction] {
    use Direction::{E, NE, NW, SE, SW, W};
    match cell.row() {
        0 => &[E, NE, NW, W],
        8 => &[E, W, SW, SE],
        _ => &Direction::ALL,
    }
}

/// The neighbour in a direction; `None` beyond rows A and I.
pub const fn neighbour(cell: Cell, direction: Direction) -> Option<Cell> {
    let (row, column) = (cell.row(), cell.column() as isize);
    // Going up or down from A C E G I, east is the next column and west the same; from B D F H, which lie half a cell
    // to the left, east is the same column and west the one before.
    let east = if row.is_multiple_of(2) { column + 1 } else { column };
    let (row, column) = match direction {
        Direction::E => return Some(Cell::wrapped(row, column + 1)),
        Direction::W => return Some(Cell::wrapped(row, column - 1)),
        Direction::NE => (row + 1, east),
        Direction::NW => (row + 1, east - 1),
        Direction::SE => (row.wrapping_sub(1), east),
        Direction::SW => (row.wrapping_sub(1), east - 1),
    };
    if row < SIDE {
        Some(Cell::wrapped(row, column))
    } else {
        None
    }
}

/// One step of a die on `cell` that heads in a direction: the next cell, and its direction then.
///
/// At rows A and I the die ricochets: the reflected direction is used for this step, and kept.
#[inline]
pub const fn step(cell: Cell, direction: Direction) -> (Cell, Direction) {
    STEPS[cell.index()][direction as usize]
}

/// The way of a die over the board, if nothing hinders it.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// The cells that must be empty, and not the Chamber: all that the die passes before the last.
    ///
    /// For an outward direction on rows A and I, which is not a move of its own, the Chamber stands here: the path is
    /// never free.
    pub between: Bitboard,
    /// The direction in which the die sets out.
    pub direction: Direction,
    /// The last cell.
    pub target: Cell,
    /// The direction in which the die arrives on the last cell.
    pub arrival: Direction,
}

/// The paths of a die of speed `speed` on `cell`, by the direction in which it sets out.
#[inline]
pub const fn paths(cell: Cell, speed: Speed) -> &'static [Path; 6] {
    &PATHS[cell.index()][speed.pips() as usize - 1]
}

/// The path of a die of speed `speed` that sets out from `cell` in a direction.
#[inline]
pub const fn path(cell: Cell, direction: Direction, speed: Speed) -> &'static Path {
    &paths(cell, speed)[direction as usize]
}

/// The neighbours of a cell with their directions: six, or four on rows A and I.
#[inline]
pub const fn adjacent(cell: Cell) -> &'static [(Direction, Cell)] {
    let (list, count) = &ADJACENT[cell.index()];
    list.split_at(*count).0
}

/// The up to six neighbours of a cell.
#[inline]
pub const fn neighbours(cell: Cell) -> Bitboard {
    NEIGHBOURS[cell.index()]
}

static NEIGHBOURS: [Bitboard; CELLS] = {
    let mut table = [Bitboard::EMPTY; CELLS];
    let mut index = 0;
    while index < CELLS {
        let mut number = 0;
        while number < 6 {
            if let Some(next) = neighbour(Cell::new_unchecked(index as u8), Direction::ALL[number]) {
                table[index] = table[index].with(next);
            }
            number += 1;
        }
        index += 1;
    }
    table
};

static ADJACENT: [([(Direction, Cell); 6], usize); CELLS] = {
    let mut table = [([(Direction::E, Cell::CHAMBER); 6], 0); CELLS];
    let mut index = 0;
    while index < CELLS {
        let mut number = 0;
        while number < 6 {
            let direction = Direction::ALL[number];
            if let Some(next) = neighbour(Cell::new_unchecked(index as u8), direction) {
                let (list, count) = &mut table[index];
                list[*count] = (direction, next);
                *count += 1;
            }
            number += 1;
        }
        index += 1;
    }
    table
};

static STEPS: [[(Cell, Direction); 6]; CELLS] = {
    let mut table = [[(Cell::CHAMBER, Direction::E); 6]; CELLS];
    let mut index = 0;
    while index < CELLS {
        let cell = Cell::new_unchecked(index as u8);
        let mut number = 0;
        while number < 6 {
            let direction = Direction::ALL[number];
            table[index][number] = match neighbour(cell, direction) {
                Some(next) => (next, direction),
                None => match neighbour(cell, direction.reflected()) {
                    Some(next) => (next, direction.reflected()),
                    None => panic!("a cell has neighbours above or below"),
                },
            };
            number += 1;
        }
        index += 1;
    }
    table
};

static PATHS: [[[Path; 6]; 6]; CELLS] = {
    let nowhere = Path {
        between: Bitboard::EMPTY,
        direction: Direction::E,
        target: Cell::CHAMBER,
        arrival: Direction::E,
    };
    let mut table = [[[nowhere; 6]; 6]; CELLS];
    let mut index = 0;
    while index < CELLS {
        let from = Cell::new_unchecked(index as u8);
        let mut number = 0;
        while number < 6 {
            let outward = neighbour(from, Direction::ALL[number]).is_none();
            let mut path = Path {
                between: if outward { Bitboard::CHAMBER } else { Bitboard::EMPTY },
                direction: Direction::ALL[number],
                target: from,
                arrival: Direction::ALL[number],
            };
            let mut speed = 0;
            while speed < 6 {
                if speed > 0 {
                    path.between = path.between.with(path.target);
                }
                (path.target, path.arrival) = STEPS[path.target.index()][path.arrival as usize];
                table[index][speed][number] = path;
                speed += 1;
            }
            number += 1;
        }
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(name: &str) -> Cell {
        name.parse().expect("a cell")
    }

    #[test]
    fn neighbours_follow_the_shifted_rows() {
        use Direction::{E, NE, NW, SE, SW, W};
        for (from, direction, to) in [
            ("C4", NE, "D5"),
            ("C4", NW, "D4"),
            ("C4", SE, "B5"),
            ("C4", SW, "B4"),
            ("D4", NE, "E4"),
            ("D4", NW, "E3"),
            ("D4", SE, "C4"),
            ("D4", SW, "C3"),
            ("C9", E, "C1"),
            ("C9", NE, "D1"),
            ("D1", NW, "E9"),
            ("F1", W, "F9"),
        ] {
            assert_eq!(neighbour(cell(from), direction), Some(cell(to)), "{from} {direction}");
        }
        assert_eq!(neighbour(cell("A3"), SE), None);
        assert_eq!(neighbour(cell("I3"), NW), None);
    }

    #[test]
    fn neighbourhood_is_mutual_and_axial_offsets_are_the_same_in_every_row() {
        // (row, axial column) offsets of E NE NW W SW SE.
        let offsets: [(isize, isize); 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];
        for from in Cell::all() {
            for (direction, (up, right)) in Direction::ALL.into_iter().zip(offsets) {
                let Some(to) = neighbour(from, direction) else {
                    assert!(from.is_edge(), "{from} {direction}");
                    continue;
                };
                assert_eq!(neighbour(to, direction.opposite()), Some(from), "{from} {direction}");
                assert_eq!(to.row() as isize, from.row() as isize + up);
                let column = (from.axial_column() as isize + right).rem_euclid(9);
                assert_eq!(to.axial_column() as isize, column, "{from} {direction}");
            }
        }
    }

    #[test]
    fn a_die_ricochets_off_the_edge_rows_and_keeps_its_new_direction() {
        let down = path(cell("C4"), Direction::SE, Speed::FOUR);
        // C4, B5, A5, then off the edge: B6, C6.
        assert_eq!((down.target, down.arrival), (cell("C6"), Direction::NE));
        let between: Vec<_> = down.between.into_iter().map(|cell| cell.to_string()).collect();
        assert_eq!(between, ["A5", "B5", "B6"]);
        assert_eq!(step(cell("I1"), Direction::NW), (cell("H1"), Direction::SW));
    }

    #[test]
    fn outward_moves_from_the_edge_rows_equal_inward_ones() {
        for from in Cell::all().filter(|cell| cell.is_edge()) {
            for direction in Direction::ALL.into_iter().filter(|d| !directions(from).contains(d)) {
                for speed in Speed::ALL {
                    let (out, inward) = (path(from, direction, speed), path(from, direction.reflected(), speed));
                    assert_eq!((out.target, out.arrival), (inward.target, inward.arrival));
                    assert_eq!(
                        out.between,
                        inward.between.with(Cell::CHAMBER),
                        "outward paths are never free"
                    );
                }
            }
        }
    }
}
