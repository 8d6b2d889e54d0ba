//! The opponent.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use chase_arena::{Agent, Choice, Decision, PlayerSpec};
use chase_engine::Chase;
use chase_engine::chase::Action;
use chase_engine::chase::notation::Record;
use chase_models::device::Device;
use chase_statistics::generator;

/// A named player whose randomness depends on the game alone: its choice does not change if actions are taken back and
/// played again.
pub struct Opponent {
    name: String,
    agent: Box<dyn Agent<Chase>>,
    seed: u64,
}

impl Opponent {
    /// The opponent that a text describes.
    pub fn new(player: &PlayerSpec, device: Device, seed: u64) -> anyhow::Result<Self> {
        let contestant = player.contestant(device)?;
        Ok(Self {
            name: contestant.name().to_owned(),
            agent: contestant.agent(),
            seed,
        })
    }

    /// Makes the opponent move at once while `stop` is set, if it can.
    pub fn stopped_by(mut self, stop: &Arc<AtomicBool>) -> Self {
        self.agent.stop_when(stop);
        self
    }

    /// Its name in records.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Chooses an action in a game whose past is in the record.
    pub fn choose(&mut self, game: &Chase, record: &Record) -> anyhow::Result<Choice<Action>> {
        let actions: Vec<_> = record.plies().iter().map(|ply| ply.action).collect();
        let mut decisions = [Decision {
            game,
            start: &Chase::from_position(*record.start(), *record.rules()),
            actions: &actions,
            rng: &mut generator(self.seed, &[actions.len() as u64]),
        }];
        let chosen = self.agent.judge_batch(&mut decisions)?;
        chosen.first().copied().context("the opponent chose nothing")
    }
}
