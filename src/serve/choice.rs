//! The choice of a player.

use std::sync::Arc;

use chase_arena::{Agent, Decision, PlayerSpec, SearchAgent};
use chase_engine::GameName;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;

use super::evaluators::{Evaluators, ServedCheckpoint};
use super::refusal::Refusal;
use super::replay::{Replay, Served};

#[derive(Debug, Serialize)]
pub struct Choice {
    /// In exact form.
    action: String,
    /// In the form for people.
    text: String,
}

/// The player's choice in a game that is not over.
pub fn choose<G: Served>(
    replay: &Replay<G>,
    player: &PlayerSpec,
    seed: u32,
    evaluators: &Arc<Evaluators>,
) -> Result<Choice, Refusal> {
    let game = &replay.game;
    let mut agent = agent::<G>(replay.name, player, evaluators)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(seed) << 32 | u64::from(game.plies()));
    let mut decision = [Decision::without_past(game, &mut rng)];
    let chosen = agent.choose_batch(&mut decision).map_err(Refusal::fault)?;
    let action = *chosen
        .first()
        .ok_or_else(|| Refusal::fault("the player chose nothing"))?;
    Ok(Choice {
        action: game.action_text(action),
        text: game.ply_text(action),
    })
}

/// Creates the player, with a network in memory if there is one.
fn agent<G: Served>(
    name: GameName,
    player: &PlayerSpec,
    evaluators: &Arc<Evaluators>,
) -> Result<Box<dyn Agent<G>>, Refusal> {
    match player {
        PlayerSpec::Network(network) => {
            let folder = network.checkpoint().map_err(Refusal::fault)?;
            let device = evaluators.device();
            let network = network.here(&folder, device);
            let precision = network.precision_in_matches(device);
            let evaluator = evaluators.lend::<G>(ServedCheckpoint::of(folder, name)?, precision)?;
            Ok(Box::new(SearchAgent::new(evaluator, network.settings())))
        }
        _ => {
            let contestant = player.contestant_for::<G>(name.name(), evaluators.device());
            Ok(contestant.map_err(Refusal::fault)?.agent())
        }
    }
}
