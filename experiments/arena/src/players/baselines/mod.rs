//! Opponents of fixed strength, made without learning: the marks that progress is measured by.

mod alpha_beta;
mod blunder;
mod draughts;
mod greedy;
mod heuristic;
mod random;
mod rollouts;
mod table;
mod text;

pub use alpha_beta::{AlphaBeta, Found, Limits, MAX_DEPTH, WIN};
pub use blunder::Blunder;
pub use draughts::DraughtsHeuristic;
pub use greedy::Greedy;
pub use heuristic::{ChaseHeuristic, Heuristic, NoHeuristic};
pub use random::Random;
pub use rollouts::Rollouts;
pub(crate) use text::{BaselineKind, FORMS};
pub use text::{BaselineSpec, LADDER, NoJudgement};
