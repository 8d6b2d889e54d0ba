//! Games as the page sees them. The page knows no rules: it requests legal actions, and what they look like.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::response::Response;
use serde::Deserialize;

use super::refusal::Refusal;
use super::replay::GameRequest;
use super::table;

/// `POST /api/game`
pub async fn view(request: Result<Json<GameRequest>, JsonRejection>) -> Result<Response, Refusal> {
    let Json(request) = request?;
    Ok(table::open(&request)?.view())
}

/// A line of play from a game's position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRequest {
    game: GameRequest,
    /// Actions in the forms that a game's may have.
    line: Vec<String>,
}

/// `POST /api/line`
pub async fn line(request: Result<Json<LineRequest>, JsonRejection>) -> Result<Response, Refusal> {
    let Json(LineRequest { mut game, line }) = request?;
    game.moves.truncate(game.at.take().unwrap_or(usize::MAX));
    // Texts in the article's form may contain several plies.
    let before = table::open(&game)?.plies();
    game.moves.extend(line);
    Ok(table::open(&game)?.line(before))
}
