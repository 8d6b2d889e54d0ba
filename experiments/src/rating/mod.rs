//! How strong, and how sure: scores, Elo differences, sequential tests and joint ratings.
//!
//! Truncated games have no result. They are counted in every table and enter no estimate.

mod bootstrap;
mod bradley_terry;
mod counts;
mod cross_table;
mod cycles;
mod matrix;
mod score;
mod sprt;

pub use bootstrap::{Bootstrap, PairedResults};
pub use bradley_terry::{BradleyTerry, Estimate, PlayerRating, RatingError, Standing};
pub(crate) use matrix::Cholesky;

pub use counts::{PairCounts, WinDrawLoss};
pub use cross_table::{CrossTable, Pairing};
pub use cycles::{Cycle, Link, cycles};
pub use score::{Interval, ScoreEstimate, elo_from_score, score_from_elo, wilson};
pub(crate) use score::{student_quantile, wilson_at};
pub use sprt::{EloModel, Sprt, SprtError, Verdict};

/// The normal quantile of all intervals: 95 % between −z and z.
pub const Z: f64 = 1.959_963_984_540_054;
