//! How often a player finds what is forced.

use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::Chase;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::position::{Forced, SolvedPosition, SolvedPositionError};
use crate::evaluation::{Graded, Share, choices};
use crate::players::{AgentFailure, Contestant};

/// Positions that one agent is asked about at a time: all that a network evaluates together, and what a thread takes at once.
const AT_ONCE: usize = 16;

/// How often a player solves positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The player.
    pub player: String,
    /// Seed of its chance, where it has any.
    pub seed: u64,
    /// Of all positions.
    pub all: TrialPart,
    /// Of each kind that there are positions of.
    pub kinds: Vec<TrialKind>,
}

/// How often it solves some positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialPart {
    /// How many it solves: with a 95 % interval, for positions from different games.
    #[serde(flatten)]
    pub solved: Share,
    /// The share that random choices solve, on average.
    pub chance: f64,
}

/// How often it solves the positions of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialKind {
    /// What is forced in them.
    pub forced: Forced,
    /// How often.
    #[serde(flatten)]
    pub part: TrialPart,
}

/// Error returned when a trial is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrialError {
    /// The player cannot play.
    #[error("player `{player}`: {failure}")]
    Agent {
        /// The player.
        player: String,
        /// What is wrong.
        failure: AgentFailure,
    },
    /// A position is none.
    #[error(transparent)]
    Position(#[from] SolvedPositionError),
    /// Somebody stopped it.
    #[error("stopped")]
    Stopped,
}

impl Trial {
    /// Lets a player choose in each position, on as many threads as the current pool has. What it chooses follows from the seed.
    /// `on_positions` is told of so many positions more.
    ///
    /// # Errors
    /// If a position is none, the player cannot play, or `stop` was set.
    pub fn of(
        player: &Contestant<Chase>,
        positions: &[SolvedPosition],
        seed: u64,
        stop: &AtomicBool,
        on_positions: &(dyn Fn(usize) + Sync),
    ) -> Result<Self, TrialError> {
        let graded = positions.iter().enumerate().map(|(index, position)| {
            let line = index + 1;
            position.graded().map_err(|reason| SolvedPositionError { line, reason })
        });
        let graded = graded.collect::<Result<Vec<Graded<Chase>>, _>>()?;
        let parts = graded.par_chunks(AT_ONCE).enumerate().map(|(part, graded)| {
            if stop.load(Ordering::Relaxed) {
                return Err(TrialError::Stopped);
            }
            let own = seed.wrapping_add((part as u64) << 32);
            let solved = choices(&mut *player.agent(), graded, own).map_err(|failure| TrialError::Agent {
                player: player.name().to_owned(),
                failure,
            })?;
            on_positions(graded.len());
            Ok(solved)
        });
        let solved = parts.collect::<Result<Vec<_>, _>>()?.concat();
        let part = |accept: &dyn Fn(&SolvedPosition) -> bool| {
            let those = || positions.iter().zip(&solved).filter(|(position, _)| accept(position));
            let solved: Vec<bool> = those().map(|(_, &solved)| solved).collect();
            let chance: f64 = those().map(|(position, _)| position.chance()).sum();
            TrialPart {
                solved: Share::new(&solved),
                chance: chance / solved.len().max(1) as f64,
            }
        };
        let kinds = Forced::ALL.into_iter().map(|forced| TrialKind {
            forced,
            part: part(&|position| position.forced == forced),
        });
        Ok(Self {
            player: player.name().to_owned(),
            seed,
            all: part(&|_| true),
            kinds: kinds.filter(|kind| kind.part.solved.positions > 0).collect(),
        })
    }
}
