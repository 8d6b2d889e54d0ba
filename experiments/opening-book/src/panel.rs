//! The players of a book, ready to judge.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chase_arena::{Agent, Contestant, PlayerSpec};
use chase_engine::Playable;
use chase_models::device::Device;

use crate::config::BookConfig;
use crate::error::BookError;

/// All players of a book.
pub(crate) struct Panel<G: Playable> {
    scout: Contestant<G>,
    judges: Vec<Contestant<G>>,
    challengers: Vec<Contestant<G>>,
    /// The player of the contest's games; `None` without a contest.
    pub contestant: Option<Contestant<G>>,
}

/// The agents of one thread.
pub(crate) struct Bench<G: Playable> {
    pub scout: Box<dyn Agent<G>>,
    pub judges: Vec<Box<dyn Agent<G>>>,
    pub challengers: Vec<Box<dyn Agent<G>>>,
}

impl<G: Playable> Panel<G> {
    pub fn of(config: &BookConfig, device: Device) -> Result<Self, BookError> {
        let ready = |player: &PlayerSpec| -> Result<Contestant<G>, BookError> {
            let contestant = player.contestant_for::<G>(config.game.name(), device)?;
            Ok(contestant.named(player.to_string()))
        };
        let all = |players: &[PlayerSpec]| players.iter().map(ready).collect::<Result<Vec<_>, _>>();
        Ok(Self {
            scout: ready(&config.scout)?,
            judges: all(&config.judges)?,
            challengers: all(&config.challengers)?,
            contestant: match config.contest.moves {
                0 => None,
                _ => Some(ready(&config.contest.player)?),
            },
        })
    }

    pub fn bench(&self, stop: &Arc<AtomicBool>) -> Bench<G> {
        let agent = |contestant: &Contestant<G>| {
            let mut agent = contestant.agent();
            agent.stop_when(stop);
            agent
        };
        Bench {
            scout: agent(&self.scout),
            judges: self.judges.iter().map(agent).collect(),
            challengers: self.challengers.iter().map(agent).collect(),
        }
    }
}
