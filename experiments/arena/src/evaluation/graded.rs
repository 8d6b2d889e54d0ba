//! Positions with known best actions, and the share in which an agent chooses one.

use chase_engine::Game;
use serde::{Deserialize, Serialize};

use crate::players::{Agent, AgentFailure, Decision};
use chase_statistics::{Interval, generator, wilson};

/// Number of positions in one call of an agent.
const BATCH: usize = 64;

/// A test position with the result of perfect play.
#[derive(Clone, Debug)]
pub struct Graded<G: Game> {
    /// The position.
    pub game: G,
    /// The actions that keep its value; not empty.
    pub optimal: Vec<G::Action>,
    /// True if another action is legal, so that a mistake is possible.
    pub has_choice: bool,
}

/// Share of optimal choices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// Positions.
    pub positions: usize,
    /// Positions in which the agent chose an optimal action.
    pub optimal: usize,
    /// Their quotient; 0 without positions.
    pub share: f64,
    /// Its 95 % interval (Wilson).
    pub interval: Interval,
}

impl Share {
    /// The share of these choices, each optimal or not.
    pub fn new(optimal: &[bool]) -> Self {
        let count = optimal.iter().filter(|&&optimal| optimal).count();
        let n = optimal.len().max(1) as f64;
        let share = count as f64 / n;
        let (low, high) = wilson(share, n);
        Self {
            positions: optimal.len(),
            optimal: count,
            share,
            interval: Interval {
                low: Some(low),
                high: Some(high),
            },
        }
    }
}

/// Asks an agent for its choice in every position; returns true where it is optimal. An external program that gives no
/// answer counts as not optimal.
///
/// # Errors
/// If the agent cannot play.
pub fn choices<G: Game>(
    agent: &mut dyn Agent<G>,
    positions: &[Graded<G>],
    seed: u64,
) -> Result<Vec<bool>, AgentFailure> {
    let mut optimal = Vec::with_capacity(positions.len());
    for (batch, positions) in positions.chunks(BATCH).enumerate() {
        let place = |index| generator(seed, &[batch as u64, index]);
        let mut rngs: Vec<_> = (0..positions.len() as u64).map(place).collect();
        let games = positions.iter().map(|graded| &graded.game);
        let decisions = games
            .zip(&mut rngs)
            .map(|(game, rng)| Decision::without_past(game, rng));
        let chosen = agent.choose_or_forfeit(&mut decisions.collect::<Vec<_>>())?;
        let graded = positions.iter().zip(chosen);
        optimal
            .extend(graded.map(|(graded, choice)| choice.is_ok_and(|choice| graded.optimal.contains(&choice.action))));
    }
    Ok(optimal)
}
