//! The eight directions, and what lies in them on each board.

use super::board::Board;
use super::cell::{Cell, first};

/// A direction on the board, as the first player sees it: that player's men go north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "the points of the compass")]
pub enum Direction {
    NorthWest,
    NorthEast,
    SouthWest,
    SouthEast,
    North,
    South,
    West,
    East,
}

use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_1: u64 = 0xff;
const RANK_8: u64 = RANK_1 << 56;

impl Direction {
    /// All directions, in the order of policy indices.
    pub const ALL: [Self; 8] = [NorthWest, NorthEast, SouthWest, SouthEast, North, South, West, East];

    /// The diagonal ones.
    pub const DIAGONAL: &'static [Self] = Self::ALL.split_at(4).0;

    /// Files and ranks of one step: −1, 0 or 1 each.
    #[inline]
    pub const fn step(self) -> (i32, i32) {
        match self {
            NorthWest => (-1, 1),
            NorthEast => (1, 1),
            SouthWest => (-1, -1),
            SouthEast => (1, -1),
            North => (0, 1),
            South => (0, -1),
            West => (-1, 0),
            East => (1, 0),
        }
    }

    /// The way back.
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            NorthWest => SouthEast,
            NorthEast => SouthWest,
            SouthWest => NorthEast,
            SouthEast => NorthWest,
            North => South,
            South => North,
            West => East,
            East => West,
        }
    }

    /// The direction with north and south exchanged.
    pub const fn reflected(self) -> Self {
        match self {
            NorthWest => SouthWest,
            NorthEast => SouthEast,
            SouthWest => NorthWest,
            SouthEast => NorthEast,
            North => South,
            South => North,
            West | East => self,
        }
    }

    /// The direction with west and east exchanged.
    pub const fn mirrored(self) -> Self {
        self.reflected().opposite()
    }

    /// All cells of a set moved by one step; those that leave the board are gone. Ranks are joined only `over_ends`.
    #[inline(always)]
    pub(super) const fn shift(self, cells: u64, board: Board, over_ends: bool) -> u64 {
        let (dx, dy) = self.step();
        let last_rank = match dy {
            1 => RANK_8,
            -1 => RANK_1,
            _ => 0,
        };
        let last_file = match dx {
            1 => FILE_H,
            -1 => FILE_A,
            _ => 0,
        };
        let cells = if over_ends { cells } else { cells & !last_rank };
        // A rotation by whole ranks joins rank 8 to rank 1 by itself.
        let inside = (cells & !last_file).rotate_left((8 * dy + dx).rem_euclid(64) as u32);
        if board.joins_files() && dx != 0 {
            inside | (cells & last_file).rotate_left((8 * dy - 7 * dx).rem_euclid(64) as u32)
        } else {
            inside
        }
    }

    /// The cell one step away, if there is one.
    #[inline]
    pub(super) const fn neighbour(self, cell: Cell, board: Board, over_ends: bool) -> Option<Cell> {
        match self.shift(cell.bit(), board, over_ends) {
            0 => None,
            cell => Some(first(cell)),
        }
    }
}
