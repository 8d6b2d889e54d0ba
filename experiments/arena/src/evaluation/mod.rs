//! How strong a network is: games against a yardstick of baselines, and tests that need no games.

mod network;
mod yardstick;

pub use network::{ColourSwap, NetworkEvaluation, NetworkReport, RateError, Rateable};
pub use yardstick::{Cost, EvaluationError, EvaluationReport, OpponentReport, Yardstick};
