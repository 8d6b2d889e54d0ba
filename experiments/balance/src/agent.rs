//! Results of one agent's games and searches.

use chase_statistics::{Diversity, WinDrawLoss};
use serde::{Deserialize, Serialize};

use crate::first_moves::StartMoves;
use crate::ladder::LadderReport;
use crate::measured_number::Measured;

/// An agent that is trained and measured: the content of its `agent.json`, from which everything else is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentReport {
    /// Name of the game.
    pub game: String,
    /// Version of the game's rules.
    pub rules_version: u32,
    /// Number of the agent among those of its game, from 1.
    pub agent: u32,
    /// Facts about its training.
    pub training: TrainingFacts,
    /// Its games against itself, at the smaller budget and at the larger one.
    pub budgets: [BudgetReport; 2],
    /// The first moves of each initial position, by the search at the larger budget.
    pub first_moves: Vec<StartMoves>,
    /// Its checkpoints against each other and against random play.
    pub ladder: LadderReport,
}

/// The training of an agent, in units that are the same on any machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingFacts {
    /// Seed of the run.
    pub seed: u64,
    /// Generations that it was trained for.
    pub generations: u64,
    /// Self-play games.
    pub games: u64,
    /// Positions that were trained on.
    pub rows: u64,
    /// Positions in all batches.
    pub samples: u64,
    /// Steps of the learner.
    pub steps: u64,
    /// SHA-256 of the weights of the final network.
    pub weights: String,
}

/// The games of a final agent against itself at one budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetReport {
    /// Simulations per move.
    pub simulations: u32,
    /// Games by the first player's result.
    pub games: WinDrawLoss,
    /// Games with the same actions as another one.
    pub repeated: u32,
    /// The first player's score: a win is 1, a draw one half. `None` if no game has a result.
    pub score: Option<Measured>,
    /// Share of draws among games with a result.
    pub draws: Option<Measured>,
    /// Plies of a game, those without a result too.
    pub plies: Option<Measured>,
    /// Legal actions of a position, mean over all positions of the games.
    pub branching: Option<Measured>,
    /// Diversity of the first plies.
    pub openings: Option<Diversity>,
}
