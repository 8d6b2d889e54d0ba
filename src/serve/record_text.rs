//! Records of games, read and written: those of Chase in the article's notation, those of other games as plain records.

use chase_arena::games::{PlainRecord, game_of_record, line_texts};
use chase_engine::chase::Rules;
use chase_engine::chase::notation::{Record, Termination};
use chase_engine::{GameName, Player, with_game};
use serde::Serialize;

use super::names::Names;
use super::refusal::Refusal;
use super::replay::{EndView, Replay, Served};

/// The reason for the end of a game that a player gave up.
const RESIGNATION: &str = "resignation";

/// A game read from a record.
#[derive(Debug, Serialize)]
pub struct ReadView {
    /// The game's name.
    name: &'static str,
    start: String,
    rules: String,
    /// Actions in exact form.
    moves: Vec<String>,
    white: String,
    black: String,
    end: Option<EndView>,
    /// A short description of the end of the game, or `unterminated`.
    termination: String,
}

/// Writes the record of a game.
pub fn write<G: Served>(replay: &Replay<G>, names: &Names) -> Result<String, Refusal> {
    let mut record = PlainRecord::new(replay.start.clone(), replay.rules.clone());
    for (name, value) in names.tags() {
        record.set_tag(name, value);
    }
    if let Some(seed) = replay.seed {
        record.set_tag("Seed", &seed.to_string());
    }
    for ply in &replay.plies {
        record.push(ply.action);
    }
    if let Some(outcome) = names.outcome()? {
        if let Some((_, reason)) = record.end() {
            return Err(Refusal::bad(format!("resigned: the game has ended ({reason})")));
        }
        record.declare(outcome, RESIGNATION);
    }
    G::record_text(&record).map_err(Refusal::bad)
}

/// Reads a record, or a list of turns or a position, since people paste those too. A record says of which game it is;
/// other texts are of the game `name`.
pub fn read(text: &str, name: GameName) -> Result<ReadView, Refusal> {
    let named = game_of_record(text).map(|name| name.parse()).transpose();
    match named.map_err(Refusal::bad)?.unwrap_or(name) {
        GameName::Chase => read_chase(text),
        name => with_game!(name, G => read_plain::<G>(text, name)),
    }
}

/// True if a text is a position of Chase: nine rows of nine cells, or anything with slashes before the player to move.
/// Turns have slashes too.
fn is_position(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let board = words.next().unwrap_or_default();
    let cells = |row: &str| row.chars().map(|cell| cell.to_digit(10).unwrap_or(1)).sum::<u32>();
    let rows = board.split('/').filter(|row| cells(row) == 9).count();
    let before_player = words.next().is_some_and(|word| matches!(word, "w" | "b"));
    rows == 9 || before_player && board.contains('/')
}

fn read_chase(text: &str) -> Result<ReadView, Refusal> {
    let record = if text.trim_start().starts_with('[') {
        text.parse::<Record>()
    } else if is_position(text) {
        text.trim()
            .parse()
            .map(|position| Record::new(position, Rules::default()))
    } else {
        // Neither form of turns has lower-case letters, so they may be typed.
        Record::from_turns(&text.to_ascii_uppercase())
    };
    let record = record.map_err(Refusal::bad)?;
    let tag = |name| record.tag(name).unwrap_or_default().to_owned();
    let end = match record.termination() {
        Termination::Board(outcome, reason) => Some(EndView::new(*outcome, reason.name())),
        _ => None,
    };
    Ok(ReadView {
        name: GameName::Chase.name(),
        start: record.start().to_string(),
        rules: record.rules().to_string(),
        moves: record.plies().iter().map(|ply| ply.action.to_string()).collect(),
        white: tag("White"),
        black: tag("Black"),
        end,
        termination: record.termination().to_string(),
    })
}

fn read_plain<G: Served>(text: &str, name: GameName) -> Result<ReadView, Refusal> {
    let rules = name.rules::<G>();
    let is_position = |word: &str| word.contains('/') && !word.starts_with('[');
    let record = match text.split_whitespace().next() {
        Some(word) if is_position(word) => {
            let start = G::from_position_text(text.trim(), &rules);
            let start = start.map_err(|error| Refusal::bad(format!("no position of {name}: {error}")))?;
            PlainRecord::new(start, rules)
        }
        _ => PlainRecord::<G>::read(text, &rules).map_err(Refusal::bad)?,
    };
    let names = Player::BOTH.map(|player| record.tag(PlainRecord::<G>::player_tag(player)).unwrap_or_default());
    Ok(ReadView {
        name: name.name(),
        start: record.start().position_text(),
        rules: G::rules_text(record.rules()),
        moves: line_texts(record.start(), record.actions().iter().copied(), G::action_text),
        white: names[0].to_owned(),
        black: names[1].to_owned(),
        end: EndView::of(record.game()),
        termination: match record.end() {
            None => "unterminated".to_owned(),
            Some((outcome, reason)) => format!("{}, {reason}", G::outcome_name(outcome)),
        },
    })
}
