//! Where pieces go, and the routes between cells: tables that are made when the program is compiled.

use super::cell::{CELLS, Cell, SIDE};
use crate::Player;

/// A route that does not exist: too many pieces would be in its way.
const NO_ROUTE: u64 = u64::MAX;

/// The steps of a king: along files, along ranks, and diagonally.
const STEPS: [(i32, i32); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, -1)];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The cell at a distance in files and ranks, where file h is next to file a if files are `joined`.
const fn at_distance(cell: usize, (files, ranks): (i32, i32), joined: bool) -> Option<usize> {
    let (file, rank) = ((cell % SIDE) as i32 + files, (cell / SIDE) as i32 + ranks);
    let side = SIDE as i32;
    let is_on_board = 0 <= rank && rank < side && (joined || 0 <= file && file < side);
    if is_on_board {
        Some((rank * side + file.rem_euclid(side)) as usize)
    } else {
        None
    }
}

/// The cells at some of several distances.
const fn cells_at<const N: usize>(cell: usize, distances: [(i32, i32); N], joined: bool) -> u64 {
    let (mut cells, mut index) = (0, 0);
    while index < N {
        if let Some(to) = at_distance(cell, distances[index], joined) {
            cells |= 1 << to;
        }
        index += 1;
    }
    cells
}

/// The cells that a rook, bishop or queen reaches in a direction if the board is empty, its own excepted.
const fn ray(cell: usize, step: (i32, i32), joined: bool) -> u64 {
    let (mut cells, mut at) = (0, cell);
    while let Some(to) = at_distance(at, step, joined) {
        if to == cell {
            break;
        }
        cells |= 1 << to;
        at = to;
    }
    cells
}

/// The files of a rank that a rook on a file reaches, by the occupied files.
const fn rank_reach(file: usize, occupied: usize, joined: bool) -> u8 {
    let mut reach = 0;
    let steps = [(1, 0), (-1, 0)];
    let mut index = 0;
    while index < steps.len() {
        let mut at = file;
        // On a rank of the cylinder there is no edge where this would end by itself.
        while let Some(to) = at_distance(at, steps[index], joined) {
            if to >= SIDE || to == file {
                break;
            }
            reach |= 1 << to;
            if occupied & 1 << to != 0 {
                break;
            }
            at = to;
        }
        index += 1;
    }
    reach
}

/// The tables of one board.
pub(super) struct Tables {
    pub knight: [u64; CELLS],
    pub king: [u64; CELLS],
    /// The cells that a pawn of each player attacks.
    pub pawn: [[u64; CELLS]; 2],
    /// The cells of the file, and of the two diagonals, but for the cell itself. Each has at most one cell on a rank.
    file: [u64; CELLS],
    rising: [u64; CELLS],
    falling: [u64; CELLS],
    /// Files that are reached on a rank, by file and occupied files.
    rank: [[u8; 1 << SIDE]; SIDE],
    /// The cells that a rook reaches on an empty board.
    pub rook_lines: [u64; CELLS],
    /// The cells that a bishop reaches on an empty board.
    pub bishop_lines: [u64; CELLS],
    /// The cells between two that a rook or a bishop may go between. On the cylinder there may be two routes: both ways
    /// around on a rank, and both diagonals to the cell four files and ranks away.
    pub routes: [[[u64; 2]; CELLS]; CELLS],
}

static FLAT: Tables = Tables::new(false);
static CYLINDER: Tables = Tables::new(true);

/// The tables of the board whose files are joined, or not.
#[inline(always)]
pub(super) const fn tables<const JOINED: bool>() -> &'static Tables {
    if JOINED { &CYLINDER } else { &FLAT }
}

impl Tables {
    const fn new(joined: bool) -> Self {
        let mut tables = Self {
            knight: [0; CELLS],
            king: [0; CELLS],
            pawn: [[0; CELLS]; 2],
            file: [0; CELLS],
            rising: [0; CELLS],
            falling: [0; CELLS],
            rank: [[0; 1 << SIDE]; SIDE],
            rook_lines: [0; CELLS],
            bishop_lines: [0; CELLS],
            routes: [[[NO_ROUTE; 2]; CELLS]; CELLS],
        };
        let mut cell = 0;
        while cell < CELLS {
            tables.knight[cell] = cells_at(cell, LEAPS, joined);
            tables.king[cell] = cells_at(cell, STEPS, joined);
            tables.pawn[Player::White as usize][cell] = cells_at(cell, [(-1, 1), (1, 1)], joined);
            tables.pawn[Player::Black as usize][cell] = cells_at(cell, [(-1, -1), (1, -1)], joined);
            tables.file[cell] = ray(cell, (0, 1), joined) | ray(cell, (0, -1), joined);
            tables.rising[cell] = ray(cell, (1, 1), joined) | ray(cell, (-1, -1), joined);
            tables.falling[cell] = ray(cell, (-1, 1), joined) | ray(cell, (1, -1), joined);
            tables.bishop_lines[cell] = tables.rising[cell] | tables.falling[cell];
            tables.rook_lines[cell] = tables.file[cell] | ray(cell, (1, 0), joined) | ray(cell, (-1, 0), joined);
            tables.add_routes(cell, joined);
            cell += 1;
        }
        let mut file = 0;
        while file < SIDE {
            let mut occupied = 0;
            while occupied < 1 << SIDE {
                tables.rank[file][occupied] = rank_reach(file, occupied, joined);
                occupied += 1;
            }
            file += 1;
        }
        tables
    }

    const fn add_routes(&mut self, from: usize, joined: bool) {
        let mut index = 0;
        while index < STEPS.len() {
            let (mut between, mut at) = (0, from);
            while let Some(to) = at_distance(at, STEPS[index], joined) {
                if to == from {
                    break;
                }
                let routes = &mut self.routes[from][to];
                routes[if routes[0] == NO_ROUTE { 0 } else { 1 }] = between;
                between |= 1 << to;
                at = to;
            }
            index += 1;
        }
    }

    /// The cells that a bishop reaches, the first occupied ones included.
    #[inline(always)]
    pub fn bishop(&self, cell: Cell, occupied: u64) -> u64 {
        let index = cell.index();
        line_reach(cell, self.rising[index], occupied) | line_reach(cell, self.falling[index], occupied)
    }

    /// The cells that a rook reaches, the first occupied ones included.
    #[inline(always)]
    pub fn rook(&self, cell: Cell, occupied: u64) -> u64 {
        let index = cell.index();
        let first = index & !(SIDE - 1);
        let rank = self.rank[index % SIDE][(occupied >> first) as usize & 0xff];
        line_reach(cell, self.file[index], occupied) | u64::from(rank) << first
    }
}

/// The cells of a line that are reached from one of its cells, the first occupied ones included.
///
/// Subtracting a bit changes those up to the next occupied one: with the ranks in their order that is the way up, and in
/// reverse order the way down. (Known as hyperbola quintessence.) It works for every line with at most one cell on a rank,
/// and so for a diagonal that goes around the cylinder.
#[inline(always)]
const fn line_reach(cell: Cell, line: u64, occupied: u64) -> u64 {
    let occupied = occupied & line;
    let up = occupied.wrapping_sub(cell.bit());
    let down = occupied.swap_bytes().wrapping_sub(cell.bit().swap_bytes());
    (up ^ down.swap_bytes()) & line
}
