//! The number of moves that a die needs to enter the Chamber from each cell of an open board.

use chase_engine::chase::{Bitboard, CELLS, Cell, Speed, geometry};

use chase_report::board::{Board, CellMark};

/// An open board in CFEN: no dice.
const OPEN: &str = "9/9/9/9/9/9/9/9/9 w";

/// Moves into the Chamber from each cell, for one die of one speed alone on the board.
#[derive(Clone, Debug)]
pub struct EntryMap {
    /// The speed of the die.
    pub speed: Speed,
    /// Moves until the die is in the Chamber, by index of the cell; `None` if it never gets there.
    moves: [Option<u8>; CELLS],
}

impl EntryMap {
    /// Computes the map by breadth-first search backwards from the Chamber.
    pub fn new(speed: Speed) -> Self {
        let mut moves = [None; CELLS];
        let mut inside = Bitboard::CHAMBER;
        for count in 1.. {
            let leads_inside = |&from: &Cell| {
                let mut paths = geometry::paths(from, speed).iter();
                // A die cannot move through the Chamber, nor outwards from an edge row.
                paths.any(|path| !path.between.contains(Cell::CHAMBER) && inside.contains(path.target))
            };
            let new: Bitboard = Cell::all()
                .filter(|from| !inside.contains(*from))
                .filter(leads_inside)
                .collect();
            if new.is_empty() {
                break;
            }
            for cell in new {
                moves[cell.index()] = Some(count);
            }
            inside |= new;
        }
        Self { speed, moves }
    }

    /// Moves until a die on `from` is in the Chamber; `None` if it never gets there.
    pub fn moves(&self, from: Cell) -> Option<u8> {
        self.moves[from.index()]
    }

    /// The largest number of moves from any cell from which the die gets there.
    pub fn most(&self) -> u8 {
        self.moves.iter().flatten().copied().max().unwrap_or(0)
    }

    /// The cells from which the die gets in within this many moves.
    pub fn within(&self, moves: u8) -> impl Iterator<Item = Cell> {
        Cell::all().filter(move |&cell| self.moves(cell).is_some_and(|needed| needed <= moves))
    }

    /// Letters of the rows from which the die gets in within this many moves.
    pub fn rows(&self, moves: u8) -> String {
        let mut rows: Vec<usize> = self.within(moves).map(Cell::row).collect();
        rows.dedup();
        rows.into_iter().map(|row| char::from(b'A' + row as u8)).collect()
    }

    /// The map as a board picture.
    pub fn board(&self) -> Board {
        let most = self.most();
        let mark = |cell| {
            let moves = self.moves(cell)?;
            let value = f64::from(most - moves) / f64::from(most.max(2) - 1);
            Some(CellMark::new(cell, value, moves.to_string()))
        };
        Board {
            title: format!("A {} on an open board", self.speed),
            note: "Moves until the die is in the Chamber; from blank cells it never gets there.".into(),
            position: OPEN.into(),
            cells: Cell::all().filter_map(mark).collect(),
            scale: Some([format!("{most} moves"), "1 move".into()]),
            ..Board::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One move on the cylinder in plain arithmetic, independent of the engine's tables: rows 0 to 8, and columns in
    /// half cells modulo 18. `None` if it passes the Chamber.
    fn plain_move(row: i32, x: i32, direction: usize, speed: u8) -> Option<(i32, i32)> {
        let (mut row, mut x) = (row, x);
        let (dx, mut dy) = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)][direction];
        for step in 1..=speed {
            if !(0..9).contains(&(row + dy)) {
                dy = -dy;
            }
            (row, x) = (row + dy, (x + dx).rem_euclid(18));
            // E5: row 4, fifth column of an unshifted row.
            if (row, x) == (4, 9) && step < speed {
                return None;
            }
        }
        Some((row, x))
    }

    /// Fewest moves into the Chamber by forward search from one cell.
    fn plain_search(row: i32, x: i32, speed: u8) -> Option<u8> {
        let mut seen = vec![(row, x)];
        let mut edge = seen.clone();
        for count in 1..=80 {
            let mut next = Vec::new();
            for &(row, x) in &edge {
                for direction in 0..6 {
                    match plain_move(row, x, direction, speed) {
                        Some((4, 9)) => return Some(count),
                        Some(place) if !seen.contains(&place) => {
                            seen.push(place);
                            next.push(place);
                        }
                        _ => {}
                    }
                }
            }
            edge = next;
        }
        None
    }

    #[test]
    fn maps_agree_with_a_search_from_every_cell_in_plain_arithmetic() {
        for speed in Speed::ALL {
            let map = EntryMap::new(speed);
            for cell in Cell::all().filter(|&cell| cell != Cell::CHAMBER) {
                let shift = if cell.row() % 2 == 0 { 1 } else { 0 };
                let x = 2 * cell.column() as i32 + shift;
                let expected = plain_search(cell.row() as i32, x, speed.pips());
                assert_eq!(map.moves(cell), expected, "a {speed} on {cell}");
            }
        }
    }
}
