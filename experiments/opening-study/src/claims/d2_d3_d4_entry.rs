//! D2, D3 and D4: the cells from which dice get into the Chamber on an open board, and the frequency of entries in
//! games.

use chase_engine::chase::{CELLS, Cell, SIDE, Speed};
use serde_json::json;

use super::method::dice::{DiceStudy, range, verdict};
use crate::evidence::dice::{EntryCounts, EntryTable, LATE};
use crate::evidence::exact::entry_map::{EntryMap, mobility, spaced};
use crate::{ClaimId, Effect, EffectUnit, Finding};
use chase_report::exhibit::Table;
use chase_report::number;
use chase_statistics::Verdict;
use chase_statistics::clusters::{self, BlockSums, ClusterEstimate};

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

/// D2: compares the rows from which a die gets in, at all or within a number of moves, with those of the article.
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
    // The largest number of moves for which the article is right, if that is not all.
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
    .with_effect(Effect::exact("rows with a way in", EffectUnit::Rows, rows.len() as f64))
    .with_test(
        CELLS as u64 - 1,
        "cells",
        "Breadth-first search over the moves of a die alone on the board, with ricochets and wraparounds.",
    );
    if within.is_some() {
        // The article is right under this reading, but the claim itself states no number of moves.
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
        note: "On an open board, within this many moves; the number of cells in brackets. A dash: no further cell."
            .into(),
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
        "cells from which a 5 gets in, minus those of a 4",
        EffectUnit::Cells,
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
        "moves of a 5 minus moves of a 4",
        EffectUnit::Moves,
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

/// D4: tests whether only some columns of a row allow entry.
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
        EffectUnit::Cells,
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

const HOW: &str = "dice of the player to move who has six dice or fewer, once for each turn of theirs (choices of a die that absorbs \
                   are no turns)";

/// Context of claim D3, which is about paths into the Chamber and is decided by the rules: entries per 5 and turn in
/// games, minus those per 4 and turn. The frequency of entries depends on where players put the dice as much as on
/// their flexibility.
pub(crate) fn by_games(study: &DiceStudy<'_>) -> Finding {
    let mut all = EntryTable::default();
    study.facts.iter().for_each(|facts| all.add(&facts.entries));
    let contrast = |count: fn(&EntryCounts) -> u32, number: u64| {
        let sums = study.by_block(|facts, sums: &mut [BlockSums; 2]| {
            for (sums, pips) in sums.iter_mut().zip([5, 4]) {
                let counts = facts.entries.of(pips);
                sums.total += f64::from(count(&counts));
                sums.count += f64::from(counts.dice);
            }
        });
        clusters::difference(&sums, study.level(), &mut study.rng(number))
    };
    let (entered, able) = (contrast(|counts| counts.entered, 7), contrast(|counts| counts.able, 8));
    let rate = |pips: usize, count: fn(&EntryCounts) -> u32| {
        let counts = all.of(pips);
        100.0 * f64::from(count(&counts)) / f64::from(counts.dice.max(1))
    };
    let points = |estimate: &ClusterEstimate| {
        let range = range(estimate.interval, 100.0, 2);
        number::difference(100.0 * estimate.value, 2) + &range
    };
    let summary = match (entered, able) {
        (Some(entered), Some(able)) => format!(
            "Late in the game {:.2} % of the 5s whose owner was to move entered the Chamber with that move, and {:.2} % of the 4s: \
             a difference of {} percentage points. {:.1} % and {:.1} % could have, a difference of {}.",
            rate(5, |counts| counts.entered),
            rate(4, |counts| counts.entered),
            points(&entered),
            rate(5, |counts| counts.able),
            rate(4, |counts| counts.able),
            points(&able),
        ),
        _ => "No player came down to six dice with a 5 among them, or none with a 4.".to_owned(),
    };
    let test = format!(
        "share of 5s that enter the Chamber minus that of 4s; {HOW}; more is more, for the claim names no size: above 0; {}",
        study.method("studentised bootstrap over blocks")
    );
    let effect = "Chamber entries for each 5 and turn late in the game, minus those for each 4 and turn";
    let part = "Chamber entries late in the game";
    let verdict = verdict(entered, 0.0);
    let mut finding = study.finding(
        ClaimId::D3,
        part,
        verdict,
        summary,
        entered,
        effect,
        "dice and turns",
        test,
    );
    finding.evidence = json!({
        "late": LATE, "entries_by_speed": all,
        "able": able.map(|able| json!({ "difference": able.value, "error": able.error, "interval": able.interval })),
    });
    finding.exhibits.push(entries_table(&all).into());
    finding.as_context()
}

fn entries_table(all: &EntryTable) -> Table {
    let row = |pips: usize| {
        let EntryCounts { dice, able, entered } = all.of(pips);
        let share = |count: u32| match dice {
            0 => "–".to_owned(),
            dice => format!("{:.2} %", 100.0 * f64::from(count) / f64::from(dice)),
        };
        vec![
            pips.to_string(),
            dice.to_string(),
            share(able),
            format!("{} ({entered})", share(entered)),
        ]
    };
    Table {
        title: "Entries into the Chamber late in the game".to_owned(),
        note: format!("Shares of {HOW}; in brackets the number of entries."),
        headings: ["speed", "dice and turns", "could enter", "entered"]
            .map(str::to_owned)
            .to_vec(),
        rows: (1..=6).map(row).collect(),
    }
}
