//! Strength of a network: games against a yardstick of baselines, and tests without games, such as positions with known
//! best actions.

mod graded;
mod network;
mod yardstick;

pub use graded::{Graded, Share, choices};
pub use network::{ColourSwap, NetworkEvaluation, NetworkReport, Opinion, Rated, is_stop};
pub use yardstick::{EvaluationCost, EvaluationReport, OpponentReport, Yardstick};
