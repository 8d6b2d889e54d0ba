//! Players, matches, tournaments, analysis, engines and the pages of runs.
//!
//! One test crate, which is compiled and linked once.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod analysis;
mod baselines;
mod connect_four;
mod line_desk;
mod matches;
mod nnue;
mod other_games;
mod report;
mod shared;
mod solved;
mod standings;
mod tournaments;
mod ugi;
