//! Game records, for copying and pasting.

use axum::Json;
use chase_arena::games::line_texts;
use chase_engine::record::{Record, game_of_record};
use chase_engine::{GameName, Outcome, Playable, Player, with_game};
use serde::Deserialize;
use serde_json::json;

use super::refusal::{Answer, Body, Refusal};
use super::replay::{GameRequest, Replay, end_view, game_name, with_replay};

/// The reason for the end of a game that a player gave up.
const RESIGNATION: &str = "resignation";

/// A game to be written as a record.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteRequest {
    game: GameRequest,
    /// Names of the players, `""` if unknown.
    #[serde(default)]
    white: String,
    #[serde(default)]
    black: String,
    /// `white` or `black`, if that player has resigned.
    resigned: Option<String>,
}

/// `POST /api/record/write`
pub async fn write(Body(request): Body<WriteRequest>) -> Answer {
    let record = with_replay!(request.game, replay => record_of(&replay, &request))?;
    Ok(Json(json!({ "record": record })))
}

fn record_of<G: Playable>(replay: &Replay<G>, request: &WriteRequest) -> Result<String, Refusal> {
    let mut record = Record::new(replay.start.clone(), replay.rules.clone());
    let seed = replay.seed.map_or(String::new(), |seed| seed.to_string());
    for (name, value) in [("White", &request.white), ("Black", &request.black), ("Seed", &seed)] {
        if !value.is_empty() {
            record.set_tag(name, value).map_err(Refusal::bad)?;
        }
    }
    for ply in &replay.plies {
        record.push(ply.action).map_err(Refusal::bad)?;
    }
    if let Some(text) = &request.resigned {
        let player = Player::BOTH.into_iter().find(|player| player.name() == text);
        let loser = player.ok_or_else(|| Refusal::bad("resigned: expected white or black"))?;
        let resigned = record.declare(Outcome::Win(!loser), RESIGNATION);
        resigned.map_err(|error| Refusal::bad(format!("resigned: {error}")))?;
    }
    Ok(record.to_string())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRequest {
    record: String,
    /// The game of a text that does not say so; Chase if missing.
    name: Option<String>,
}

/// `POST /api/record/read`: reads a record, or a list of turns or a position, since people paste those too.
pub async fn read(Body(ReadRequest { record, name }): Body<ReadRequest>) -> Answer {
    let name = game_name(name.as_deref())?;
    let named = game_of_record(&record).map(|name| name.parse()).transpose();
    let name = named.map_err(Refusal::bad)?.unwrap_or(name);
    with_game!(name, G => read_of::<G>(&record, name))
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

fn read_of<G: Playable>(text: &str, name: GameName) -> Answer {
    let rules = name.rules::<G>();
    let record = if is_position(text) {
        let start = G::from_position_text(text.trim(), &rules);
        let start = start.map_err(|error| Refusal::bad(format!("no position of {name}: {error}")))?;
        Record::new(start, rules)
    } else {
        Record::read(text, &rules).map_err(Refusal::bad)?
    };
    let [white, black] = Player::BOTH.map(|player| record.tag(Record::<G>::player_tag(player)).unwrap_or_default());
    Ok(Json(json!({
        "name": name.name(),
        "start": record.start().position_text(),
        "rules": G::rules_text(record.rules()),
        // In exact form.
        "moves": line_texts(record.start(), record.actions().iter().copied(), G::action_text),
        "white": white,
        "black": black,
        "end": end_view(record.game()),
        // A short description of the end of the game.
        "termination": match record.end() {
            None => "unterminated".to_owned(),
            Some((outcome, reason)) => format!("{}, {reason}", G::outcome_name(outcome)),
        },
    })))
}
