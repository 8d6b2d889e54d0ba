//! The opponent's choice.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use chase_arena::{Agent, Decision, PlayerSpec, SearchAgent};
use chase_engine::{Chase, Game};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::Server;
use super::client::Client;
use super::evaluators::Checkpoint;
use super::game::{GameRequest, turn_text};
use super::opponent::Effort;
use super::refusal::{Refusal, aside};
use super::searches::Purpose;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    game: GameRequest,
    player: String,
    effort: Option<Effort>,
    /// Seed of the player's randomness in this game.
    #[serde(default)]
    seed: u32,
}

#[derive(Debug, Serialize)]
pub struct Choice {
    /// In exact form.
    action: String,
    /// In the article's form.
    text: String,
}

/// `POST /api/play`: a player's choice.
pub async fn play(
    State(server): State<Server>,
    client: Client,
    request: Result<Json<PlayRequest>, JsonRejection>,
) -> Result<Json<Choice>, Refusal> {
    let Json(request) = request?;
    let game = request.game.replay()?.game;
    if let Some((_, reason)) = game.end() {
        return Err(Refusal::bad(format!("the game has ended ({reason})")));
    }
    let opponents = Arc::clone(&server.opponents);
    let spec = aside(move || opponents.player(&request.player, request.effort)).await?;
    let turn = server.searches.begin(client, Purpose::Play).await?;
    let seed = u64::from(request.seed) << 32 | u64::from(game.plies());
    let choose = move || {
        let mut agent = agent(&server, &spec)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut decision = [Decision::without_past(&game, &mut rng)];
        let chosen = agent.choose_batch(&mut decision).map_err(Refusal::fault)?;
        // From here on others may search, whatever happens to the answer.
        drop(turn);
        let action = *chosen
            .first()
            .ok_or_else(|| Refusal::fault("the player chose nothing"))?;
        Ok(Choice {
            action: action.to_string(),
            text: turn_text(game.position(), action),
        })
    };
    aside(choose).await.map(Json)
}

/// Creates the player, with a network in memory if there is one.
fn agent(server: &Server, spec: &PlayerSpec) -> Result<Box<dyn Agent<Chase>>, Refusal> {
    match spec {
        PlayerSpec::Network(network) => {
            let checkpoint = Checkpoint::of(network.checkpoint().map_err(Refusal::fault)?)?;
            let evaluator = server.evaluators.lend(checkpoint)?;
            Ok(Box::new(SearchAgent::new(evaluator, network.settings())))
        }
        _ => {
            let contestant = spec.contestant(server.opponents.device()).map_err(Refusal::fault)?;
            Ok(contestant.agent())
        }
    }
}
