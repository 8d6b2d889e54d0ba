//! Standings and the cross table as CSV, for spreadsheets.

use super::standings::{MatchStanding, PlayerStanding, Standings};
use chase_statistics::{Standing, WinDrawLoss};

/// The players, strongest first, with the same numbers as `report.json`. What is not known is an empty field.
pub fn players(standings: &Standings) -> String {
    let headings = [
        "name",
        "player",
        "standing",
        "elo",
        "low",
        "high",
        "bootstrap_low",
        "bootstrap_high",
        "won",
        "drawn",
        "lost",
        "truncated",
        "score",
    ];
    let row = |player: &PlayerStanding| {
        let standing = match player.rating {
            Standing::Rated(_) => "rated",
            Standing::AtLeast { .. } => "at-least",
            Standing::AtMost { .. } => "at-most",
            Standing::Unknown => "unknown",
        };
        let (interval, bootstrap) = (player.rating.interval(), player.bootstrap);
        let numbers = [
            player.rating.elo(),
            interval.low,
            interval.high,
            bootstrap.and_then(|interval| interval.low),
            bootstrap.and_then(|interval| interval.high),
        ];
        let mut fields = vec![player.name.clone(), player.player.clone(), standing.to_owned()];
        fields.extend(numbers.map(number));
        fields.extend(counts(&player.games));
        fields.push(number(player.games.score()));
        fields
    };
    table(&headings, standings.players.iter().map(row))
}

/// The matches, a row for each, by the results of the first player. `games` are those of the score: whole pairs.
pub fn matches(standings: &Standings) -> String {
    let headings = [
        "first",
        "second",
        "won",
        "drawn",
        "lost",
        "truncated",
        "games",
        "score",
        "score_low",
        "score_high",
        "elo",
        "elo_low",
        "elo_high",
        "expected",
    ];
    let row = |one: &MatchStanding| {
        let score = one.score.as_ref();
        let of = |get: fn(&chase_statistics::ScoreEstimate) -> Option<f64>| number(score.and_then(get));
        let mut fields = one.players.to_vec();
        fields.extend(counts(&one.games));
        fields.push(score.map_or(0, |score| 2 * score.units).to_string());
        fields.extend([
            of(|score| Some(score.score)),
            of(|score| score.score_interval.low),
            of(|score| score.score_interval.high),
            of(|score| score.elo),
            of(|score| score.elo_interval.low),
            of(|score| score.elo_interval.high),
            number(one.expected),
        ]);
        fields
    };
    table(&headings, standings.matches.iter().map(row))
}

fn counts(games: &WinDrawLoss) -> [String; 4] {
    [games.wins, games.draws, games.losses, games.truncated].map(|count| count.to_string())
}

fn number(number: Option<f64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

fn table(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let headings = headings.iter().map(|&heading| heading.to_owned()).collect();
    let line = |fields: Vec<String>| fields.iter().map(|text| field(text)).collect::<Vec<_>>().join(",") + "\n";
    std::iter::once(headings).chain(rows).map(line).collect()
}

/// A field as RFC 4180 has it: texts of players have commas.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
