//! Strength of a network: games against a yardstick of baselines, and tests without games, such as positions with known
//! best actions.

mod graded;
mod network;
mod rated;
mod yardstick;

pub use graded::{Graded, Share, choices};
pub use network::{ColourSwap, NetworkEvaluation, NetworkReport, is_stop};
pub use rated::{Opinion, Rated};
pub use yardstick::{EvaluationCost, EvaluationReport, OpponentReport, Yardstick};
