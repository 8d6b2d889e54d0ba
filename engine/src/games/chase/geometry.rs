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
