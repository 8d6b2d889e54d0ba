//! How strong a network is: games against a yardstick of baselines, and tests that need no games, such as positions whose best
//! actions are known.

mod graded;
mod network;
mod yardstick;

pub use graded::{Graded, Share, choices};
pub use network::{ColourSwap, NetworkEvaluation, NetworkReport, RateError};
pub use yardstick::{Cost, EvaluationError, EvaluationReport, OpponentReport, Yardstick};
