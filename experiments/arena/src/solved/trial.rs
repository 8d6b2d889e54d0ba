//! The share of solved positions that a player finds.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use chase_engine::Chase;
use chase_training::parallel;
use serde::{Deserialize, Serialize};

use super::position::{ForcedResult, SolvedPosition};
use crate::evaluation::{Graded, Share, choices};
use crate::players::Contestant;

/// Positions per call of an agent: a network evaluates them together, and a thread takes them together.
const AT_ONCE: usize = 16;

/// Results of a player on solved positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The player.
    pub player: String,
    /// Seed of the player's randomness, if it has any.
    pub seed: u64,
    /// Results for all positions.
    pub all: TrialPart,
    /// Results for each kind of position present.
    pub kinds: Vec<TrialKind>,
}

/// Share of some positions that it solves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialPart {
    /// The share solved, with a 95 % interval for positions from different games.
    #[serde(flatten)]
    pub solved: Share,
    /// The share that random choices solve, on average.
    pub chance: f64,
}

/// Share of the positions of a kind that it solves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialKind {
    /// The forced result in these positions.
    pub forced: ForcedResult,
    /// The share.
    #[serde(flatten)]
    pub part: TrialPart,
}

impl Trial {
    /// Asks a player for its choice in each position, on all threads of the current pool. Choices are determined by the
    /// seed. `on_positions` is called with the number of positions just finished. `None` if `stop` was set.
    ///
    /// # Errors
    /// If a position is invalid, or the player cannot play.
    pub fn of(
        player: &Contestant<Chase>,
        positions: &[SolvedPosition],
        seed: u64,
        stop: &AtomicBool,
        on_positions: &(dyn Fn(usize) + Sync),
    ) -> anyhow::Result<Option<Self>> {
        let graded = (1..).zip(positions).map(|(line, position)| {
            let graded = position.graded();
            graded.map_err(|reason| anyhow!("line {line}: {reason}"))
        });
        let graded = graded.collect::<anyhow::Result<Vec<Graded<Chase>>>>()?;
        let parts: Vec<&[Graded<Chase>]> = graded.chunks(AT_ONCE).collect();
        let solve = |(): &mut (), part: usize| {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let own = seed.wrapping_add((part as u64) << 32);
            let solved = choices(&mut *player.agent(), parts[part], own);
            let solved = solved.map_err(|failure| anyhow!("player `{}`: {failure}", player.name()))?;
            on_positions(parts[part].len());
            Ok::<_, anyhow::Error>(Some(solved))
        };
        let solved = parallel::each(parts.len(), &|| (), &solve)?;
        let Some(solved) = solved.into_iter().collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let solved = solved.concat();
        let part = |accept: &dyn Fn(&SolvedPosition) -> bool| {
            let those = || positions.iter().zip(&solved).filter(|(position, _)| accept(position));
            let solved: Vec<bool> = those().map(|(_, &solved)| solved).collect();
            let chance: f64 = those().map(|(position, _)| position.chance()).sum();
            TrialPart {
                solved: Share::new(&solved),
                chance: chance / solved.len().max(1) as f64,
            }
        };
        let kinds = ForcedResult::ALL.into_iter().map(|forced| TrialKind {
            forced,
            part: part(&|position| position.forced == forced),
        });
        Ok(Some(Self {
            player: player.name().to_owned(),
            seed,
            all: part(&|_| true),
            kinds: kinds.filter(|kind| kind.part.solved.positions > 0).collect(),
        }))
    }
}
