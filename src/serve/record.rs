//! Game records, to copy and to paste.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use chase_engine::Outcome;
use chase_engine::chase::Rules;
use chase_engine::chase::notation::{Record, Termination};
use serde::{Deserialize, Serialize};

use super::game::{self, EndView, GameRequest};
use super::refusal::Refusal;

/// A game to be written down.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteRequest {
    game: GameRequest,
    /// Names of the players, `""` where nobody is known.
    #[serde(default)]
    white: String,
    #[serde(default)]
    black: String,
    /// `white` or `black`, if one has resigned.
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

/// A game that was read.
#[derive(Debug, Serialize)]
pub struct ReadView {
    start: String,
    rules: String,
    /// Exact forms.
    moves: Vec<String>,
    white: String,
    black: String,
    end: Option<EndView>,
    /// A word or two on how the game ended, or `unterminated`.
    termination: String,
}

/// `POST /api/record/read`: a record, or, as people paste that too, a position.
pub async fn read(request: Result<Json<ReadRequest>, JsonRejection>) -> Result<Json<ReadView>, Refusal> {
    let Json(ReadRequest { record: text }) = request?;
    let record = match text.trim().parse() {
        Ok(position) => Record::new(position, Rules::default()),
        // One line with slashes is a position with a mistake rather than a record with one.
        Err(error) if text.contains('/') && !text.trim().contains(['\n', '[']) => return Err(Refusal::bad(error)),
        Err(_) => text.parse::<Record>().map_err(Refusal::bad)?,
    };
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
