//! Game records, for copying and pasting.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use serde::{Deserialize, Serialize};

use super::names::Names;
use super::record_text::{self, ReadView};
use super::refusal::Refusal;
use super::replay::{GameRequest, game_name};
use super::table;

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
    let Json(WriteRequest {
        game,
        white,
        black,
        resigned,
    }) = request?;
    let names = Names { white, black, resigned };
    Ok(Json(Written {
        record: table::open(&game)?.record(&names)?,
    }))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadRequest {
    record: String,
    /// The game of a text that does not say so; Chase if missing.
    name: Option<String>,
}

/// `POST /api/record/read`
pub async fn read(request: Result<Json<ReadRequest>, JsonRejection>) -> Result<Json<ReadView>, Refusal> {
    let Json(ReadRequest { record, name }) = request?;
    let name = game_name(name.as_deref())?;
    Ok(Json(record_text::read(&record, name)?))
}
