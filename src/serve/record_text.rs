//! Records of games, read and written.

use chase_arena::games::line_texts;
use chase_engine::record::{Record, game_of_record};
use chase_engine::{GameName, Playable, Player, with_game};
use serde::Serialize;

use super::names::Names;
use super::refusal::Refusal;
use super::replay::{EndView, Replay};

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
pub fn write<G: Playable>(replay: &Replay<G>, names: &Names) -> Result<String, Refusal> {
    let mut record = Record::new(replay.start.clone(), replay.rules.clone());
    for (name, value) in names.tags() {
        record.set_tag(name, value).map_err(Refusal::bad)?;
    }
    if let Some(seed) = replay.seed {
        record.set_tag("Seed", &seed.to_string()).map_err(Refusal::bad)?;
    }
    for ply in &replay.plies {
        record.push(ply.action).map_err(Refusal::bad)?;
    }
    if let Some(outcome) = names.outcome()? {
        let resigned = record.declare(outcome, RESIGNATION);
        resigned.map_err(|error| Refusal::bad(format!("resigned: {error}")))?;
    }
    Ok(record.to_string())
}

/// Reads a record, or a list of turns or a position, since people paste those too. A record says of which game it is;
/// other texts are of the game `name`.
pub fn read(text: &str, name: GameName) -> Result<ReadView, Refusal> {
    let named = game_of_record(text).map(|name| name.parse()).transpose();
    let name = named.map_err(Refusal::bad)?.unwrap_or(name);
    with_game!(name, G => read_of::<G>(text, name))
}

/// True if a text is meant as a position: its first word has slashes, and a player to move or many rows. Turns of Chase
/// have slashes too.
fn is_position(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let slashes = words.next().unwrap_or_default().matches('/').count();
    let before_player = words.next().is_some_and(|word| word.chars().count() == 1);
    slashes >= LEAST_ROWS || before_player && slashes > 0
}

/// Slashes that no turn has.
const LEAST_ROWS: usize = 5;

fn read_of<G: Playable>(text: &str, name: GameName) -> Result<ReadView, Refusal> {
    let rules = name.rules::<G>();
    let record = if is_position(text) {
        let start = G::from_position_text(text.trim(), &rules);
        let start = start.map_err(|error| Refusal::bad(format!("no position of {name}: {error}")))?;
        Record::new(start, rules)
    } else {
        Record::read(text, &rules).map_err(Refusal::bad)?
    };
    let names = Player::BOTH.map(|player| record.tag(Record::<G>::player_tag(player)).unwrap_or_default());
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
