//! Standings and the cross table as CSV, for spreadsheets.

use super::standings::{MatchStanding, PlayerStanding, Standings};
use chase_statistics::{ScoreEstimate, Standing};

/// The heading of a column, and its field in a row. What is not known is an empty field.
type Column<T> = (&'static str, fn(&T) -> String);

const PLAYERS: [Column<PlayerStanding>; 13] = [
    ("name", |player| player.name.clone()),
    ("player", |player| player.player.clone()),
    ("standing", |player| {
        let standing = match player.rating {
            Standing::Rated(_) => "rated",
            Standing::AtLeast { .. } => "at-least",
            Standing::AtMost { .. } => "at-most",
            Standing::Unknown => "unknown",
        };
        standing.to_owned()
    }),
    ("elo", |player| number(player.rating.elo())),
    ("low", |player| number(player.rating.interval().low)),
    ("high", |player| number(player.rating.interval().high)),
    ("bootstrap_low", |player| {
        number(player.bootstrap.and_then(|interval| interval.low))
    }),
    ("bootstrap_high", |player| {
        number(player.bootstrap.and_then(|interval| interval.high))
    }),
    ("won", |player| player.games.wins.to_string()),
    ("drawn", |player| player.games.draws.to_string()),
    ("lost", |player| player.games.losses.to_string()),
    ("truncated", |player| player.games.truncated.to_string()),
    ("score", |player| number(player.games.score())),
];

/// By the results of the first player. `games` are those of the score: whole pairs.
const MATCHES: [Column<MatchStanding>; 14] = [
    ("first", |one| one.players[0].clone()),
    ("second", |one| one.players[1].clone()),
    ("won", |one| one.games.wins.to_string()),
    ("drawn", |one| one.games.draws.to_string()),
    ("lost", |one| one.games.losses.to_string()),
    ("truncated", |one| one.games.truncated.to_string()),
    ("games", |one| {
        one.score.as_ref().map_or(0, |score| 2 * score.units).to_string()
    }),
    ("score", |one| of_score(one, |score| Some(score.score))),
    ("score_low", |one| of_score(one, |score| score.score_interval.low)),
    ("score_high", |one| of_score(one, |score| score.score_interval.high)),
    ("elo", |one| of_score(one, |score| score.elo)),
    ("elo_low", |one| of_score(one, |score| score.elo_interval.low)),
    ("elo_high", |one| of_score(one, |score| score.elo_interval.high)),
    ("expected", |one| number(one.expected)),
];

/// The players, strongest first, with the same numbers as `report.json`.
pub fn players(standings: &Standings) -> String {
    table(&PLAYERS, &standings.players)
}

/// The matches.
pub fn matches(standings: &Standings) -> String {
    table(&MATCHES, &standings.matches)
}

fn of_score(one: &MatchStanding, figure: fn(&ScoreEstimate) -> Option<f64>) -> String {
    number(one.score.as_ref().and_then(figure))
}

fn number(number: Option<f64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

fn table<T>(columns: &[Column<T>], rows: &[T]) -> String {
    let headings: Vec<String> = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
    let rows = rows
        .iter()
        .map(|row| columns.iter().map(|(_, field)| field(row)).collect());
    let line = |fields: Vec<String>| fields.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(",") + "\n";
    std::iter::once(headings).chain(rows).map(line).collect()
}

/// A field as RFC 4180 has it: texts of players have commas.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
