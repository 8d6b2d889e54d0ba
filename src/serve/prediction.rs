//! A network's prediction of where pieces will be.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use serde::{Deserialize, Serialize};

use super::Server;
use super::choice;
use super::occupancy::CellShares;
use super::refusal::{Refusal, aside};
use super::replay::GameRequest;
use super::table;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredictionRequest {
    game: GameRequest,
    /// The network.
    player: String,
}

#[derive(Debug, Serialize)]
pub struct Prediction {
    cells: Vec<CellShares>,
}

/// `POST /api/occupancy`: where pieces will be, by a network that was trained to predict it.
pub async fn predict(
    State(server): State<Server>,
    request: Result<Json<PredictionRequest>, JsonRejection>,
) -> Result<Json<Prediction>, Refusal> {
    let Json(request) = request?;
    let table = table::open(&request.game)?;
    let opponents = Arc::clone(&server.opponents);
    aside(move || {
        let judge = opponents.judge(table.name(), &request.player)?.into();
        let Some(checkpoint) = choice::checkpoint(table.name(), &judge)? else {
            return Err(Refusal::bad(format!(
                "{} has no network that could predict it",
                request.player
            )));
        };
        let cells = table.occupancy(&checkpoint, server.evaluators.device())?;
        Ok(Json(Prediction { cells }))
    })
    .await
}
