//! All moves of a book as a Parquet file, for pandas, polars and DuckDB. `docs/src/guides/book.md` describes the
//! columns.

use chase_training::store::serialised::json;
use chase_training::store::tables::{self, Column, Facts};
use serde::{Deserialize, Serialize};

use crate::book::Book;
use crate::position::{BookMove, BookPosition};

/// The columns before those of the players.
#[derive(Serialize, Deserialize)]
struct Move<'a> {
    position: u64,
    ply: u32,
    line: String,
    position_text: &'a str,
    player: &'a str,
    rank: u32,
    action: &'a str,
    text: &'a str,
    scout: Option<f64>,
}

/// The column of each judge, which has its number at the end.
#[derive(Serialize, Deserialize)]
struct Judged {
    judge: Option<f64>,
}

/// The columns of each challenger.
#[derive(Serialize, Deserialize)]
struct Answered<'a> {
    challenger: Option<f64>,
    reply: Option<&'a str>,
}

/// The columns after those of the players.
#[derive(Serialize, Deserialize)]
struct Outlook {
    followed: bool,
    to: Option<u64>,
    held: Option<f64>,
    backed_low: Option<f64>,
    backed: Option<f64>,
    backed_high: Option<f64>,
}

/// The file's content: a row for each legal move of each position.
pub(crate) fn moves(book: &Book) -> Vec<u8> {
    let positions = (0..).zip(&book.positions);
    let rows: Vec<(u64, &BookPosition, u32, &BookMove)> = positions
        .flat_map(|(place, position)| {
            let moves = (1..).zip(&position.moves);
            moves.map(move |(rank, step)| (place, position, rank, step))
        })
        .collect();
    let steps = || rows.iter().map(|&(.., step)| step);
    let players = &book.provenance.players;
    let mut columns = tables::columns(rows.iter().map(|&(place, position, rank, step)| Move {
        position: place,
        ply: position.ply,
        line: position.line.join(" "),
        position_text: &position.position,
        player: &position.player,
        rank,
        action: &step.action,
        text: &step.text,
        scout: step.scout,
    }));
    let numbered = |columns: Vec<Column>, index: usize| {
        let columns = columns.into_iter();
        columns.map(move |(name, values)| (format!("{name}_{}", index + 1), values))
    };
    for index in 0..players.judges.len() {
        let judged = steps().map(|step| Judged {
            judge: step.judges.get(index).copied(),
        });
        columns.extend(numbered(tables::columns(judged), index));
    }
    for index in 0..players.challengers.len() {
        let answered = steps().map(|step| {
            let answer = step
                .challenge
                .as_ref()
                .and_then(|challenge| challenge.answers.get(index));
            Answered {
                challenger: answer.and_then(|answer| answer.score),
                reply: answer.and_then(|answer| answer.text.as_deref()),
            }
        });
        columns.extend(numbered(tables::columns(answered), index));
    }
    columns.extend(tables::columns(steps().map(|step| Outlook {
        followed: step.followed,
        to: step.to.map(|to| to as u64),
        held: step.held,
        backed_low: step.backed.map(|range| range.low),
        backed: step.backed.map(|range| range.mean),
        backed_high: step.backed.map(|range| range.high),
    })));
    let program = &book.provenance.program;
    let facts = [
        ("rules_version", program.rules_version.to_string()),
        ("config", json(&book.provenance.config)),
        ("config_sha256", program.config.clone().unwrap_or_default()),
        ("rules", json(&book.provenance.rules)),
        ("players", json(players)),
    ];
    tables::encode(&tables::batch_of(columns), Facts::new(book.schema, facts))
}
