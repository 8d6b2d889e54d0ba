//! Boards of hexagonal cells in the form of a hexagon.

use super::board::{Board, Set, sealed::Sealed};
use super::cell::Cell;
use super::layout::{Layout, MOST_CELLS};
use crate::scene::CellShape;

/// A hexagon with this many cells on each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hexagon<const SIDE: usize>;

/// A direction to one of the six neighbours of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the points of the compass")]
pub enum Direction {
    East,
    West,
    SouthEast,
    NorthWest,
    SouthWest,
    NorthEast,
}

use Direction::{East, NorthEast, NorthWest, SouthEast, SouthWest, West};

impl Direction {
    /// All directions, in the order of policy indices.
    pub const ALL: [Self; 6] = [East, West, SouthEast, NorthWest, SouthWest, NorthEast];

    /// Rows down and letters to the right of one step.
    pub const fn step(self) -> (isize, isize) {
        match self {
            East => (0, 2),
            West => (0, -2),
            SouthEast => (1, 1),
            NorthWest => (-1, -1),
            SouthWest => (1, -1),
            NorthEast => (-1, 1),
        }
    }

    /// The way back.
    pub const fn opposite(self) -> Self {
        match self {
            East => West,
            West => East,
            SouthEast => NorthWest,
            NorthWest => SouthEast,
            SouthWest => NorthEast,
            NorthEast => SouthWest,
        }
    }
}

/// Stands for a cell that is not there.
const NONE: u8 = u8::MAX;

/// Properties of the cells, to be looked up.
struct Tables {
    /// The next cell in each direction.
    next: [[u8; MOST_CELLS]; 6],
    neighbours: [Set; MOST_CELLS],
    /// The cells of the three row lines through the cell, itself included.
    lines: [Set; MOST_CELLS],
    /// The sides clockwise from the top one. A corner belongs to two.
    sides: [Set; 6],
}

impl<const SIDE: usize> Hexagon<SIDE> {
    const TABLES: &'static Tables = &Self::tables();

    const fn tables() -> Tables {
        let mut tables = Tables {
            next: [[NONE; MOST_CELLS]; 6],
            neighbours: [0; MOST_CELLS],
            lines: [0; MOST_CELLS],
            sides: [0; 6],
        };
        let layout = Self::LAYOUT;
        let mut cell = 0;
        while cell < Self::CELLS {
            let mut direction = 0;
            while direction < 6 {
                let (down, right) = Direction::ALL[direction].step();
                let mut at = Some(cell);
                let mut steps = 0;
                while let Some(here) = at {
                    tables.lines[cell] |= 1 << here;
                    if steps == 1 {
                        tables.neighbours[cell] |= 1 << here;
                        tables.next[direction][cell] = here as u8;
                    }
                    let row = layout.row(here).wrapping_add_signed(down);
                    at = layout.index(row, layout.letter(here).wrapping_add_signed(right));
                    steps += 1;
                }
                direction += 1;
            }
            cell += 1;
        }
        // A cell is on a side if both directions that leave it there lead off the board.
        let beyond = [
            (NorthWest, NorthEast),
            (NorthEast, East),
            (East, SouthEast),
            (SouthEast, SouthWest),
            (SouthWest, West),
            (West, NorthWest),
        ];
        let mut side = 0;
        while side < 6 {
            let (one, other) = beyond[side];
            let mut cell = 0;
            while cell < Self::CELLS {
                if tables.next[one as usize][cell] == NONE && tables.next[other as usize][cell] == NONE {
                    tables.sides[side] |= 1 << cell;
                }
                cell += 1;
            }
            side += 1;
        }
        tables
    }

    /// The sides clockwise from the top one: top, upper right, lower right, bottom, lower left, upper left. A corner
    /// belongs to two.
    pub(super) const fn sides() -> [Set; 6] {
        Self::TABLES.sides
    }

    /// The cells of a connected group of `within` that a cell belongs to, and all their neighbours. The cell itself
    /// counts as one of `within`.
    #[inline]
    pub(super) fn group(cell: Cell<Self>, within: Set) -> (Set, Set) {
        let (mut group, mut reach) = (cell.bit(), 0);
        let mut open = group;
        while open != 0 {
            let neighbours = Self::TABLES.neighbours[open.trailing_zeros() as usize % MOST_CELLS];
            open &= open - 1;
            reach |= neighbours;
            let new = neighbours & within & !group;
            group |= new;
            open |= new;
        }
        (group, reach)
    }
}

impl<const SIDE: usize> Sealed for Hexagon<SIDE> {}

impl<const SIDE: usize> Board for Hexagon<SIDE> {
    const ROWS: usize = 2 * SIDE - 1;
    const CELLS: usize = 3 * SIDE * (SIDE - 1) + 1;
    const SHAPE: CellShape = CellShape::Hexagon;
    const TURNS: u8 = 6;
    const LAYOUT: &'static Layout = &Layout::hexagon(SIDE);

    fn turned(index: usize) -> usize {
        // East becomes northeast, and southwest becomes southeast.
        let (x, y) = Cell::<Self>::of(index).offset();
        Cell::<Self>::at(y, y - x).index()
    }

    fn mirrored(index: usize) -> usize {
        let (x, y) = Cell::<Self>::of(index).offset();
        Cell::<Self>::at(x - y, -y).index()
    }
}

impl<const SIDE: usize> Cell<Hexagon<SIDE>> {
    /// The cell in the middle.
    pub fn centre() -> Self {
        Self::of(Hexagon::<SIDE>::CELLS / 2)
    }

    /// Steps east and steps southwest that lead here from the middle, negative for the other way; a step southeast is
    /// one of each.
    fn offset(self) -> (isize, isize) {
        let middle = SIDE as isize - 1;
        let column = Hexagon::<SIDE>::LAYOUT.column(self.index());
        (column as isize - middle, self.row() as isize - middle)
    }

    /// The cell of an offset from the middle; see [`Cell::offset`].
    fn at(x: isize, y: isize) -> Self {
        let middle = SIDE as isize - 1;
        let (row, letter) = (y + middle, 2 * x - y + 2 * middle);
        Self::new(row as usize, letter as usize).expect("the image of a cell is a cell")
    }

    /// Steps from the middle.
    pub fn distance_from_centre(self) -> usize {
        let (x, y) = self.offset();
        x.abs().max(y.abs()).max((x - y).abs()) as usize
    }

    /// True if the cell is on a side: 0 to 5 clockwise from the top one. A corner is on two.
    ///
    /// # Panics
    /// If the side is above 5.
    pub fn is_on_side(self, side: usize) -> bool {
        Hexagon::<SIDE>::sides()[side] & self.bit() != 0
    }

    /// Squared distance in the plane, where neighbours have a distance of 1.
    pub(super) fn distance_squared(self, other: Self) -> usize {
        let ((x, y), (u, v)) = (self.offset(), other.offset());
        let (dx, dy) = (x - u, y - v);
        (dx * dx - dx * dy + dy * dy) as usize
    }

    /// The next cell in a direction, if there is one.
    #[inline]
    pub fn next(self, direction: Direction) -> Option<Self> {
        match Hexagon::<SIDE>::TABLES.next[direction as usize][self.index()] {
            NONE => None,
            index => Some(Self::of(usize::from(index))),
        }
    }

    /// The cells of the three row lines through this one, itself included.
    #[inline]
    pub(super) fn lines(self) -> Set {
        Hexagon::<SIDE>::TABLES.lines[self.index()]
    }

    /// The direction of the row line that leads to another cell; `None` if none does.
    #[inline]
    pub fn direction_to(self, other: Self) -> Option<Direction> {
        let ((x, y), (u, v)) = (self.offset(), other.offset());
        let (dx, dy) = (u - x, v - y);
        match (dx.signum(), dy.signum()) {
            (1, 0) => Some(East),
            (-1, 0) => Some(West),
            (0, 1) => Some(SouthWest),
            (0, -1) => Some(NorthEast),
            (1, 1) if dx == dy => Some(SouthEast),
            (-1, -1) if dx == dy => Some(NorthWest),
            _ => None,
        }
    }
}
