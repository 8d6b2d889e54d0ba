//! A player's choice, and a network's prediction of where pieces will be.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Json;
use axum::extract::State;
use chase_arena::{Agent, Decision, PlayerSpec, Usage};
use chase_engine::chase::Cell;
use chase_engine::{Game, GameName, Playable, Player};
use chase_models::Checkpoint;
use chase_training::kinds::NetworkKind;
use ndarray::Axis;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Server;
use super::evaluators::{Evaluators, NetworksInMemory, ServedCheckpoint};
use super::opponents::SearchEffort;
use super::refusal::{Answer, Body, Refusal, aside};
use super::replay::{GameRequest, Replay, with_replay};
use super::searches::{Client, SearchPurpose};
use super::view::ply_text;
use crate::of_chase::as_chase;

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
pub async fn play(State(server): State<Server>, client: Client, Body(request): Body<PlayRequest>) -> Answer {
    let name = request.game.name()?;
    if let Some(reason) = with_replay!(request.game, replay => replay.game.end_reason()) {
        return Err(Refusal::bad(format!("the game has ended ({reason})")));
    }
    let opponents = Arc::clone(&server.opponents);
    let PlayRequest {
        game,
        player,
        effort,
        seed,
    } = request;
    let player = aside(move || opponents.player(name, &player, effort)).await?;
    let turn = server.searches.begin(client, SearchPurpose::Play).await?;
    let stop = turn.cancelled();
    // Dropped with this future if the page has gone.
    let _gone = StopOnDrop(Arc::clone(&stop));
    aside(move || {
        let choice = with_replay!(game, replay => choose(&replay, &player, seed, &server.evaluators, &stop));
        let replaced = turn.refuse_if_replaced();
        // From here on others may search, whatever happens to the answer.
        drop(turn);
        replaced.and(choice)
    })
    .await
}

/// Ends a search when it is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The player's choice in a game that is not over; a hasty one if `stop` is set meanwhile.
fn choose<G: Playable>(
    replay: &Replay<G>,
    player: &PlayerSpec,
    seed: u32,
    evaluators: &Arc<Evaluators>,
    stop: &Arc<AtomicBool>,
) -> Answer {
    let game = &replay.game;
    checkpoint(replay.name, player)?;
    let mut agent = agent::<G>(replay.name, player, evaluators, Usage::Match)?;
    agent.stop_when(stop);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(seed) << 32 | u64::from(game.plies()));
    let mut decision = [Decision::without_past(game, &mut rng)];
    let chosen = agent.choose_batch(&mut decision).map_err(Refusal::fault)?;
    let choice = chosen.first();
    let action = choice.ok_or_else(|| Refusal::fault("the player chose nothing"))?.action;
    Ok(Json(
        json!({"action": game.action_text(action), "text": ply_text(game, action)}),
    ))
}

/// The checkpoint of a player's residual network, if it has one.
///
/// # Errors
/// If it cannot be read (any more).
pub fn checkpoint(game: GameName, player: &PlayerSpec) -> Result<Option<ServedCheckpoint>, Refusal> {
    match player.network() {
        Some(network) if network.kind == NetworkKind::Residual => {
            let folder = network.checkpoint().map_err(Refusal::fault)?;
            ServedCheckpoint::of(folder, game).map(Some)
        }
        _ => Ok(None),
    }
}

/// Creates the player, with a network in memory if there is one.
///
/// # Errors
/// If it cannot be used.
pub fn agent<G: Playable>(
    game: GameName,
    player: &PlayerSpec,
    evaluators: &Arc<Evaluators>,
    usage: Usage,
) -> Result<Box<dyn Agent<G>>, Refusal> {
    let networks = NetworksInMemory { game, evaluators };
    let contestant = player.ready_with::<G>(game.name(), evaluators.device(), usage, &networks);
    Ok(contestant.map_err(Refusal::fault)?.agent())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredictionRequest {
    game: GameRequest,
    /// The network.
    player: String,
}

/// Where pieces will be. A type and not a JSON value, which would write each number in double precision.
#[derive(Debug, Serialize)]
pub struct Prediction {
    cells: Vec<CellShares>,
}

/// A cell with the probabilities that a piece of a player will be there.
#[derive(Debug, Serialize)]
struct CellShares {
    name: String,
    white: f32,
    black: f32,
}

/// `POST /api/occupancy`: where pieces will be at the end of the game, by a network that was trained to predict it.
pub async fn predict(
    State(server): State<Server>,
    Body(request): Body<PredictionRequest>,
) -> Result<Json<Prediction>, Refusal> {
    aside(move || {
        let PredictionRequest { game, player } = request;
        let name = game.name()?;
        let judge = server.opponents.judge(name, &player)?.into();
        let checkpoint = checkpoint(name, &judge)?;
        let missing = || Refusal::bad(format!("{player} has no network that could predict it"));
        let folder = checkpoint.ok_or_else(missing)?.folder;
        let device = server.evaluators.device();
        with_replay!(game, replay => {
            // Before a network is loaded for nothing.
            if as_chase(&replay.game).is_none() {
                return Err(Refusal::bad(format!("this is not shown of {}", replay.name)));
            }
            let loaded = Checkpoint::load_for(name.name(), &folder, device).map_err(Refusal::fault)?;
            Ok(Json(Prediction { cells: occupancy(&replay, &loaded)? }))
        })
    })
    .await
}

fn occupancy<G: Playable>(replay: &Replay<G>, loaded: &Checkpoint<G>) -> Result<Vec<CellShares>, Refusal> {
    let game = &replay.game;
    let planes = G::encode_all(std::slice::from_ref(game), &loaded.encoding);
    let shares = loaded.network.occupancy(planes.index_axis(Axis(0), 0));
    let shares = shares.map_err(Refusal::fault)?;
    let shares = shares.ok_or_else(|| Refusal::bad("this network was not trained to predict where pieces will be"))?;
    let (own, enemy) = (shares.index_axis(Axis(0), 0), shares.index_axis(Axis(0), 1));
    let cells = Cell::all().filter(|&cell| cell != Cell::CHAMBER).map(|cell| {
        // Planes show the board as the player to move sees it.
        let (seen, white, black) = match game.to_move() {
            Player::White => (cell, own, enemy),
            Player::Black => (cell.rotated(), enemy, own),
        };
        let place = [seen.row(), seen.axial_column()];
        CellShares {
            name: cell.to_string(),
            white: white[place],
            black: black[place],
        }
    });
    Ok(cells.collect())
}
