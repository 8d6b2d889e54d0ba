//! D2, D3 and D4: the cells from which dice get into the Chamber on an open board.

use chase_engine::chase::{CELLS, Cell, SIDE, Speed};

use crate::claim_test::ClaimTest;
use crate::evidence::exact::entry_map::{EntryMap, mobility, spaced};
use crate::{ClaimId, Finding};
use chase_report::exhibit::Table;
use chase_report::number::NONE;

/// Cells but for the Chamber.
const OUTSIDE: usize = CELLS - 1;

pub fn findings() -> Vec<Finding> {
    let maps = Speed::ALL.map(EntryMap::new);
    let of = |pips: usize| &maps[pips - 1];
    let note = "Moves until the die is in the Chamber; from blank cells it never gets there.";
    vec![
        // "Get into position for a Chamber move": one move to get there, and the Chamber move.
        rows_of(of(6), "ACEGI", Some(2))
            .with_exhibit(of(6).board(note))
            .with_exhibit(rows_table(&maps)),
        rows_of(of(5), "BCEGH", Some(2)).with_exhibit(of(5).board(note)),
        rows_of(of(4), "AEI", Some(2)).with_exhibit(of(4).board(note)),
        rows_of(of(6), "ACEGI", None).as_context(),
        rows_of(of(5), "BCEGH", None).as_context(),
        rows_of(of(4), "AEI", None).as_context(),
        more_ways(of(5), of(4)),
        more_moves(of(5), of(4)),
        columns(of(6)).with_exhibit(of(6).board(note)),
        columns(of(3)).with_exhibit(of(3).board(note)),
    ]
}

/// D2: compares the rows from which a die gets in, at all or within a number of moves, with those of the article.
fn rows_of(map: &EntryMap, article: &str, within: Option<u8>) -> Finding {
    let rows = map.rows(within.unwrap_or(u8::MAX));
    let limit = within.map_or("in any number of moves".to_owned(), |moves| {
        format!("within {moves} moves")
    });
    let counts = (1..=map.most()).map(|moves| map.within(moves).count().to_string());
    // The largest number of moves for which the article is right, if that is not all.
    let right = (1..=map.most()).rev().find(|&moves| map.rows(moves) == article);
    let comparison = match right {
        _ if rows == article => String::new(),
        Some(moves) => format!(
            ", where the article has {}, right within {moves} moves",
            spaced(article)
        ),
        None => format!(", where the article has {}", spaced(article)),
    };
    let details = format!(
        "{}{comparison}. Cells from which it gets in within 1, 2, … moves: {}.",
        spaced(&rows),
        counts.collect::<Vec<_>>().join(", ")
    );
    let test = ClaimTest::named(ClaimId::D2, "rows")
        .with("speed", map.speed)
        .with("limit", limit);
    test.exact(rows == article, rows.len() as f64, OUTSIDE, details)
}

fn rows_table(maps: &[EntryMap; 6]) -> Table {
    let most = maps.iter().map(EntryMap::most).max().unwrap_or(0);
    let within = (1..=most).map(|moves| format!("within {moves}"));
    let headings = std::iter::once("speed".to_owned()).chain(within);
    let row = |map: &EntryMap| {
        let cells = (1..=most).map(|moves| match moves <= map.most() {
            true => format!("{} ({})", spaced(&map.rows(moves)), map.within(moves).count()),
            false => NONE.to_owned(),
        });
        let never = (OUTSIDE - map.within(u8::MAX).count()).to_string();
        std::iter::once(map.speed.to_string())
            .chain(cells)
            .chain([never])
            .collect()
    };
    Table {
        title: "Rows from which a die gets into the Chamber".into(),
        note: "On an open board, within this many moves; the number of cells in brackets. A dash: no further cell."
            .into(),
        headings: headings.chain(["never (cells)".to_owned()]).collect(),
        rows: maps.iter().map(row).collect(),
    }
}

/// D3: ways into the Chamber.
fn more_ways(five: &EntryMap, four: &EntryMap) -> Finding {
    let count = |map: &EntryMap, moves| map.within(moves).count();
    let all = u8::MAX;
    let never_fewer = (1..=five.most().max(four.most())).all(|moves| count(five, moves) >= count(four, moves));
    let [fives, fours] = [five, four].map(|map| [all, 1, 2].map(|moves| count(map, moves)));
    let details = format!(
        "A 5 gets in from {} cells on {} rows, a 4 from {} on {}; within one move from {} and {}, within two from {} and {}.",
        fives[0],
        five.rows(all).len(),
        fours[0],
        four.rows(all).len(),
        fives[1],
        fours[1],
        fives[2],
        fours[2]
    );
    let difference = fives[0] as f64 - fours[0] as f64;
    ClaimTest::named(ClaimId::D3, "ways").exact(never_fewer && difference > 0.0, difference, OUTSIDE, details)
}

/// D3: the number of moves.
fn more_moves(five: &EntryMap, four: &EntryMap) -> Finding {
    let [fives, fours] = [five, four].map(|map| {
        let cells = Cell::all().filter(|&cell| cell != Cell::CHAMBER);
        cells.map(|cell| mobility(cell, map.speed)).sum::<usize>() as f64 / OUTSIDE as f64
    });
    let details = format!("{fives:.2} against {fours:.2} on average over the cells.");
    ClaimTest::named(ClaimId::D3, "moves").exact(fives > fours, fives - fours, OUTSIDE, details)
}

/// D4: tests whether only some columns of a row allow entry.
fn columns(map: &EntryMap) -> Finding {
    let (speed, rows, cells) = (map.speed, map.rows(u8::MAX), map.within(u8::MAX).count());
    let by_row = |letter: char| {
        let row = (letter as u8 - b'A') as usize;
        let columns = map.within(u8::MAX).filter(move |cell| cell.row() == row);
        columns.map(|cell| (cell.column() + 1).to_string()).collect::<Vec<_>>()
    };
    let partial = |letter: char| by_row(letter).len() < SIDE - usize::from(letter == 'E');
    let places: Vec<String> = rows
        .chars()
        .map(|letter| format!("{letter}{}", by_row(letter).join(",")))
        .collect();
    let details = format!("{}. It takes at most {} moves.", places.join("; "), map.most());
    let test = ClaimTest::named(ClaimId::D4, "map").with("speed", speed);
    test.exact(rows.chars().all(partial), cells as f64, OUTSIDE, details)
}
