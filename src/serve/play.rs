//! The opponent's choice.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use serde::Deserialize;

use super::Server;
use super::choice::Choice;
use super::client::Client;
use super::opponent::SearchEffort;
use super::refusal::{Refusal, aside};
use super::replay::GameRequest;
use super::searches::SearchPurpose;
use super::table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    game: GameRequest,
    player: String,
    effort: Option<SearchEffort>,
    /// Seed of the player's randomness in this game.
    #[serde(default)]
    seed: u32,
}

/// `POST /api/play`: a player's choice.
pub async fn play(
    State(server): State<Server>,
    client: Client,
    request: Result<Json<PlayRequest>, JsonRejection>,
) -> Result<Json<Choice>, Refusal> {
    let Json(request) = request?;
    let table = table::open(&request.game)?;
    if let Some(reason) = table.end_reason() {
        return Err(Refusal::bad(format!("the game has ended ({reason})")));
    }
    let (opponents, name) = (Arc::clone(&server.opponents), table.name());
    let player = aside(move || opponents.player(name, &request.player, request.effort)).await?;
    let turn = server.searches.begin(client, SearchPurpose::Play).await?;
    let choose = move || {
        let choice = table.choose(&player, request.seed, &server.evaluators);
        // From here on others may search, whatever happens to the answer.
        drop(turn);
        choice
    };
    aside(choose).await.map(Json)
}
