//! The choice of a player.

use std::sync::Arc;

use chase_arena::{Agent, Choice as Chosen, Decision, PlayerSpec, Usage};
use chase_engine::{GameName, Playable};
use chase_training::kinds::NetworkKind;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;

use super::evaluators::{Evaluators, NetworksInMemory, ServedCheckpoint};
use super::refusal::Refusal;
use super::replay::Replay;
use super::served::ply_text;

#[derive(Debug, Serialize)]
pub struct Choice {
    /// In exact form.
    action: String,
    /// In the form for people.
    text: String,
}

/// The player's choice in a game that is not over.
pub fn choose<G: Playable>(
    replay: &Replay<G>,
    player: &PlayerSpec,
    seed: u32,
    evaluators: &Arc<Evaluators>,
) -> Result<Choice, Refusal> {
    let game = &replay.game;
    checkpoint(replay.name, player)?;
    let mut agent = agent::<G>(replay.name, player, evaluators, Usage::Match)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(seed) << 32 | u64::from(game.plies()));
    let mut decision = [Decision::without_past(game, &mut rng)];
    let chosen = agent.choose_batch(&mut decision).map_err(Refusal::fault)?;
    let Chosen { action, .. } = *chosen
        .first()
        .ok_or_else(|| Refusal::fault("the player chose nothing"))?;
    Ok(Choice {
        action: game.action_text(action),
        text: ply_text(game, action),
    })
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
