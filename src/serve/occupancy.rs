//! Expected places of pieces at the end of a game, by a network.

use chase_engine::{Playable, Player};
use chase_models::device::Device;
use ndarray::Axis;
use serde::Serialize;

use super::evaluators::ServedCheckpoint;
use super::refusal::Refusal;
use super::replay::Replay;
use super::served::grid;

/// A cell with the probabilities that a piece of a player will be there.
#[derive(Debug, Serialize)]
pub struct CellShares {
    name: String,
    white: f32,
    black: f32,
}

/// The expectation of a checkpoint for the position of a game.
///
/// # Errors
/// If the checkpoint cannot be read, its network does not predict this, or the page has no place for it.
pub fn occupancy<G: Playable>(
    replay: &Replay<G>,
    checkpoint: &ServedCheckpoint,
    device: Device,
) -> Result<Vec<CellShares>, Refusal> {
    let game = &replay.game;
    let grid = grid(game);
    if grid.is_empty() {
        return Err(Refusal::bad(format!("this is not shown of {}", replay.name)));
    }
    let loaded = checkpoint.load::<G>(device)?;
    let planes = G::encode_all(std::slice::from_ref(game), &loaded.encoding);
    let shares = loaded.network.occupancy(planes.index_axis(Axis(0), 0));
    let shares = shares.map_err(Refusal::fault)?;
    let shares = shares.ok_or_else(|| Refusal::bad("this network was not trained to predict where pieces will be"))?;
    let (own, enemy) = (shares.index_axis(Axis(0), 0), shares.index_axis(Axis(0), 1));
    let cells = grid.into_iter().map(|(name, place)| {
        let [own, enemy] = [own[place], enemy[place]];
        let [white, black] = match game.to_move() {
            Player::White => [own, enemy],
            Player::Black => [enemy, own],
        };
        CellShares { name, white, black }
    });
    Ok(cells.collect())
}
