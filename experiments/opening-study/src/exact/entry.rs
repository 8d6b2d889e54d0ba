//! D2, D3, D4: from where dice get into the Chamber on an open board.

use chase_engine::chase::{Bitboard, CELLS, Cell, SIDE, Speed, geometry};
use serde_json::{Value, json};

use crate::{ClaimId, Effect, Finding, Unit};
use chase_report::exhibit::{Board, CellMark, Table};
use chase_statistics::Verdict;

/// An open board in CFEN: no dice at all.
const OPEN: &str = "9/9/9/9/9/9/9/9/9 w";

/// From where a die of one speed, alone on the board, gets into the Chamber.
#[derive(Clone, Debug)]
pub struct EntryMap {
    speed: Speed,
    /// By the index of the cell: moves until the die is in the Chamber; `None` if it never gets there.
    moves: [Option<u8>; CELLS],
}

impl EntryMap {
    /// By breadth-first search backwards from the Chamber.
    pub fn new(speed: Speed) -> Self {
        let mut moves = [None; CELLS];
        let mut inside = Bitboard::CHAMBER;
        for count in 1.. {
            let leads_inside = |&from: &Cell| {
                let mut paths = geometry::paths(from, speed).iter();
                // A path through the Chamber is none, and neither is an outward one from an edge row.
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

    fn most(&self) -> u8 {
        self.moves.iter().flatten().copied().max().unwrap_or(0)
    }

    fn within(&self, moves: u8) -> impl Iterator<Item = Cell> {
        Cell::all().filter(move |&cell| self.moves(cell).is_some_and(|needed| needed <= moves))
    }

    /// Letters of the rows from which the die gets in within so many moves.
    fn rows(&self, moves: u8) -> String {
        let mut rows: Vec<usize> = self.within(moves).map(Cell::row).collect();
        rows.dedup();
        rows.into_iter().map(|row| char::from(b'A' + row as u8)).collect()
    }

    fn board(&self, note: &str) -> Board {
        let most = self.most();
        let mark = |cell| {
            let moves = self.moves(cell)?;
            let value = if most > 1 {
                f64::from(most - moves) / f64::from(most - 1)
            } else {
                1.0
            };
            Some(CellMark::new(cell, value, moves.to_string()))
        };
        Board {
            title: format!("A {} on an open board", self.speed),
            note: note.to_owned(),
            position: OPEN.into(),
            cells: Cell::all().filter_map(mark).collect(),
            scale: Some([format!("{most} moves"), "1 move".into()]),
            ..Board::default()
        }
    }

    fn evidence(&self) -> Value {
        let cells = Cell::all().map(|cell| (cell.to_string(), json!(self.moves(cell))));
        json!({ "speed": self.speed.pips(), "moves_by_cell": cells.collect::<serde_json::Map<_, _>>() })
    }
}

/// Moves that a die alone on the board has from a cell; those through the Chamber are none.
fn mobility(from: Cell, speed: Speed) -> usize {
    let directions = geometry::directions(from).iter();
    directions
        .filter(|&&direction| !geometry::path(from, direction, speed).between.contains(Cell::CHAMBER))
        .count()
}

fn spaced(rows: &str) -> String {
    let letters: Vec<String> = rows.chars().map(String::from).collect();
    letters.join(" ")
}

pub fn findings() -> Vec<Finding> {
    let maps = Speed::ALL.map(EntryMap::new);
    let of = |pips: usize| &maps[pips - 1];
    let mut findings = vec![
        rows_of(of(6), "ACEGI", None),
        rows_of(of(5), "BCEGH", None),
        rows_of(of(4), "AEI", None),
        rows_of(of(5), "BCEGH", Some(2)),
    ];
    findings[0].exhibits.push(rows_table(&maps).into());
    findings.extend(flexibility(of(5), of(4)));
    findings.extend([columns(of(6)), columns(of(3))]);
    findings
}

/// D2: whether the rows from which a die gets in, at all or within so many moves, are those of the article.
fn rows_of(map: &EntryMap, article: &str, within: Option<u8>) -> Finding {
    let speed = map.speed;
    let rows = map.rows(within.unwrap_or(u8::MAX));
    let holds = rows == article;
    let limit = within.map_or("in any number of moves".to_owned(), |moves| {
        format!("within {moves} moves")
    });
    let counts: Vec<String> = (1..=map.most())
        .map(|moves| map.within(moves).count().to_string())
        .collect();
    // The longest way for which the article is right, if that is not for all.
    let right = (1..=map.most()).rev().find(|&moves| map.rows(moves) == article);
    let comparison = match right {
        _ if holds => "as the article has it".to_owned(),
        Some(moves) => format!(
            "where the article has {}, which is right for ways of at most {moves} moves",
            spaced(article)
        ),
        None => format!("where the article has {}", spaced(article)),
    };
    let finding = Finding::exact(
        ClaimId::D2,
        format!("rows for a {speed}, {limit}"),
        Verdict::of(holds),
        format!(
            "A {speed} gets in from rows {} {limit}, {comparison}. Cells from which it gets in within 1, 2, … moves: {}.",
            spaced(&rows),
            counts.join(", ")
        ),
    )
    .with_effect(Effect::exact("rows with a way in", Unit::Rows, rows.len() as f64))
    .with_test(
        CELLS as u64 - 1,
        "cells",
        "Breadth-first search over the moves of a die alone on the board, with ricochets and wraparounds.",
    );
    if within.is_some() {
        // A reading under which the article is right; the claim itself knows no number of moves.
        return finding.as_context();
    }
    finding
        .with_evidence(map.evidence())
        .with_exhibit(map.board("Moves until the die is in the Chamber; from blank cells it never gets there."))
}

fn rows_table(maps: &[EntryMap; 6]) -> Table {
    let most = maps.iter().map(EntryMap::most).max().unwrap_or(0);
    let mut headings = vec!["speed".to_owned()];
    headings.extend((1..=most).map(|moves| format!("within {moves}")));
    headings.push("never (cells)".into());
    let row = |map: &EntryMap| {
        let mut row = vec![map.speed.to_string()];
        row.extend((1..=most).map(|moves| {
            if moves <= map.most() {
                format!("{} ({})", spaced(&map.rows(moves)), map.within(moves).count())
            } else {
                "–".to_owned()
            }
        }));
        row.push((CELLS - 1 - map.within(u8::MAX).count()).to_string());
        row
    };
    Table {
        title: "Rows from which a die gets into the Chamber".into(),
        note: "On an open board, within so many moves; in brackets the number of cells. A dash: no cell more.".into(),
        headings,
        rows: maps.iter().map(row).collect(),
    }
}

/// D3, the exact part.
fn flexibility(five: &EntryMap, four: &EntryMap) -> [Finding; 2] {
    let count = |map: &EntryMap, moves| map.within(moves).count();
    let all = u8::MAX;
    let most = five.most().max(four.most());
    let never_fewer = (1..=most).all(|moves| count(five, moves) >= count(four, moves));
    let ways = Finding::exact(
        ClaimId::D3,
        "ways into the Chamber",
        Verdict::of(never_fewer && count(five, all) > count(four, all)),
        format!(
            "On an open board a 5 gets into the Chamber from {} cells on {} rows, a 4 from {} cells on {} rows; within one move \
             from {} and {}, within two from {} and {}.",
            count(five, all),
            five.rows(all).len(),
            count(four, all),
            four.rows(all).len(),
            count(five, 1),
            count(four, 1),
            count(five, 2),
            count(four, 2)
        ),
    )
    .with_effect(Effect::exact(
        "cells from which a 5 gets in, less those of a 4",
        Unit::Cells,
        count(five, all) as f64 - count(four, all) as f64,
    ))
    .with_test(CELLS as u64 - 1, "cells", "The maps of claim D2 compared, for every number of moves.");

    let mean = |speed| {
        let cells = || Cell::all().filter(|&cell| cell != Cell::CHAMBER);
        cells().map(|cell| mobility(cell, speed)).sum::<usize>() as f64 / cells().count() as f64
    };
    let (fives, fours) = (mean(five.speed), mean(four.speed));
    let moves = Finding::exact(
        ClaimId::D3,
        "number of moves",
        Verdict::of(fives > fours),
        format!("Alone on the board a 5 has {fives:.2} moves and a 4 {fours:.2}, on average over the cells."),
    )
    .with_effect(Effect::exact(
        "moves of a 5 less moves of a 4",
        Unit::Moves,
        fives - fours,
    ))
    .with_test(
        CELLS as u64 - 1,
        "cells",
        "Directions in which the die can go its full speed without passing the Chamber.",
    )
    .as_context();
    [ways, moves]
}

/// D4: whether only some columns of a row will do.
fn columns(map: &EntryMap) -> Finding {
    let (speed, rows) = (map.speed, map.rows(u8::MAX));
    let by_row = |letter: char| {
        let row = (letter as u8 - b'A') as usize;
        let columns = map.within(u8::MAX).filter(move |cell| cell.row() == row);
        columns.map(|cell| (cell.column() + 1).to_string()).collect::<Vec<_>>()
    };
    let full = |letter: char| {
        let free = SIDE - usize::from(letter == 'E');
        by_row(letter).len() == free
    };
    let partial = rows.chars().filter(|&letter| !full(letter)).count();
    let cells: Vec<String> = rows
        .chars()
        .map(|letter| format!("{letter}{}", by_row(letter).join(",")))
        .collect();
    Finding::exact(
        ClaimId::D4,
        format!("the map for a {speed}"),
        Verdict::of(partial == rows.len()),
        format!(
            "A {speed} gets in from {} of 80 cells, on every row that has any from some columns only: {}. It takes at most {} \
             moves.",
            map.within(u8::MAX).count(),
            cells.join("; "),
            map.most()
        ),
    )
    .with_effect(Effect::exact(
        format!("cells from which a {speed} gets in"),
        Unit::Cells,
        map.within(u8::MAX).count() as f64,
    ))
    .with_test(
        CELLS as u64 - 1,
        "cells",
        "Breadth-first search over the moves of a die alone on the board, with ricochets and wraparounds.",
    )
    .with_evidence(map.evidence())
    .with_exhibit(map.board("The exercise solved: moves until the die is in the Chamber; from blank cells it never gets there."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One move on the cylinder with plain arithmetic, apart from the engine's tables: rows 0 to 8, and columns in half
    /// cells modulo 18. `None` if it passes the Chamber.
    fn plain_move(row: i32, x: i32, direction: usize, speed: u8) -> Option<(i32, i32)> {
        let (mut row, mut x) = (row, x);
        let (dx, mut dy) = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)][direction];
        for step in 1..=speed {
            if !(0..9).contains(&(row + dy)) {
                dy = -dy;
            }
            (row, x) = (row + dy, (x + dx).rem_euclid(18));
            // E5: row 4, fifth column of a row that is not shifted.
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
