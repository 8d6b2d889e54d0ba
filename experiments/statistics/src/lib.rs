//! Calibrated statistics: scores and Elo differences, joint ratings, sequential tests, and anytime-valid means of games
//! that depend on each other.
//!
//! The crate knows outcomes of games and nothing else: no player, no file, no libtorch. Random procedures take a
//! generator or a seed.
//!
//! | module | subject |
//! |---|---|
//! | [`interval`] | intervals of proportions (Wilson), Student's quantile |
//! | [`ScoreEstimate`], [`Sprt`] | two players: score, Elo, normalised Elo, sequential test |
//! | [`BradleyTerry`], [`Bootstrap`], [`cycles`](fn@cycles) | many players: joint ratings, their intervals, cycles of players |
//! | [`WinDrawLoss`], [`PairCounts`], [`CrossTable`] | counts of results |
//! | [`AnytimeMean`], [`Contrast`] | anytime-valid means of numbers |
//! | [`Best`] | comparison of many series with the best |
//! | [`clusters`] | estimates from blocks of games that share their randomness |
//! | [`RandomEffects`], [`Heterogeneity`] | the mean over agents trained alike, and the variation between them |
//! | [`lowest_by_chance`], [`Diversity`] | an exact test of choices, diversity of games |
//! | [`Verdict`] | the one rule that turns an interval into a verdict |
//!
//! Truncated games have no result. They are counted in every table but not used in any estimate.
//!
//! # Example
//!
//! ```
//! use chase_statistics::{PairCounts, ScoreEstimate};
//!
//! // Forty pairs of games with colours swapped: 20 won, 15 shared, 5 lost.
//! let pairs = PairCounts { ww: 20, wl: 15, ll: 5, ..PairCounts::default() };
//! let estimate = ScoreEstimate::from_pairs(&pairs).expect("pairs with a result");
//! assert_eq!(estimate.score, 0.6875);
//! assert!(estimate.elo_interval.low.is_some_and(|low| low > 0.0));
//! ```

mod anytime_mean;
mod best;
mod betting;
mod block;
mod bootstrap;
mod bounded_mean;
mod bradley_terry;
pub mod clusters;
mod counts;
mod cross_table;
mod cycles;
mod diversity;
mod exact_test;
pub mod interval;
mod matrix;
mod mean_estimate;
mod mean_terms;
mod moments;
mod random_effects;
mod score;
mod seed;
mod sprt;
mod student_mean;
mod t_martingale;
mod variation;
mod verdict;

pub use anytime_mean::AnytimeMean;
pub use best::{Best, BestComparison, Contender, NearBest};
pub use block::{Contrast, block_numbers};
pub use bootstrap::{Bootstrap, PairedResults};
pub use bradley_terry::{BradleyTerry, PlayerRating, RatingError, RatingEstimate, Standing};
pub use counts::{PairCounts, WinDrawLoss};
pub use cross_table::{CrossTable, Pairing};
pub use cycles::{Cycle, Link, cycles};
pub use diversity::Diversity;
pub use exact_test::lowest_by_chance;
pub use interval::{Interval, student_quantile, wilson, wilson_at};
pub use mean_estimate::{MeanEstimate, MeanMethod};
pub use mean_terms::MeanTerms;
pub use random_effects::RandomEffects;
pub use score::{ScoreEstimate, elo_from_score, score_from_elo};
pub use seed::generator;
pub use sprt::{EloModel, Sprt, SprtDecision, SprtError};
pub use variation::{Heterogeneity, deviation};
pub use verdict::Verdict;
