//! Game records, for copying and pasting.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use chase_engine::Outcome;
use chase_engine::chase::Rules;
use chase_engine::chase::notation::{Record, Termination};
use serde::{Deserialize, Serialize};

use super::game::{self, EndView, GameRequest};
use super::refusal::Refusal;

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

#[derive(Debug, Serialize)]
pub struct Written {
    record: String,
}

/// `POST /api/record/write`
pub async fn write(request: Result<Json<WriteRequest>, JsonRejection>) -> Result<Json<Written>, Refusal> {
    let Json(request) = request?;
    let replay = request.game.replay()?;
    let mut record = Record::new(replay.start, *replay.game.rules());
    for (name, value) in [("White", &request.white), ("Black", &request.black)] {
        if !value.is_empty() {
            record.set_tag(name, value).map_err(Refusal::bad)?;
        }
    }
    for ply in &replay.plies {
        record.push(ply.action, "").map_err(Refusal::bad)?;
    }
    if let Some(text) = &request.resigned {
        let loser = game::player(text).ok_or_else(|| Refusal::bad("resigned: expected white or black"))?;
        record
            .declare(Some(Outcome::Win(!loser)), "resignation")
            .map_err(Refusal::bad)?;
    }
    Ok(Json(Written {
        record: record.to_string(),
    }))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRequest {
    record: String,
}

/// A game read from a record.
#[derive(Debug, Serialize)]
pub struct ReadView {
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

/// Slashes in a position: between its nine rows.
const SLASHES: usize = 8;

/// `POST /api/record/read`: a record, or a list of turns or a position, since people paste those too.
pub async fn read(request: Result<Json<ReadRequest>, JsonRejection>) -> Result<Json<ReadView>, Refusal> {
    let Json(ReadRequest { record: text }) = request?;
    let record = if text.trim_start().starts_with('[') {
        text.parse::<Record>()
    } else if text
        .split_whitespace()
        .next()
        .is_some_and(|word| word.matches('/').count() == SLASHES)
    {
        text.trim()
            .parse()
            .map(|position| Record::new(position, Rules::default()))
    } else {
        Record::from_turns(&text)
    };
    let record = record.map_err(Refusal::bad)?;
    let tag = |name| record.tag(name).unwrap_or_default().to_owned();
    let end = match record.termination() {
        Termination::Board(outcome, reason) => Some(EndView::from((*outcome, *reason))),
        _ => None,
    };
    Ok(Json(ReadView {
        start: record.start().to_string(),
        rules: record.rules().to_string(),
        moves: record.plies().iter().map(|ply| ply.action.to_string()).collect(),
        white: tag("White"),
        black: tag("Black"),
        end,
        termination: record.termination().to_string(),
    }))
}
