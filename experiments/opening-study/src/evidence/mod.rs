//! Evidence: this module knows no claims.
//!
//! | module | evidence |
//! |---|---|
//! | [`games`] | games of equal players from forced openings, in rounds, each replayed once |
//! | [`dice`] | facts about dice and the Chamber in these games |
//! | [`forks`] | positions of these games from which both of two actions are played to the end |
//! | [`search`] | searches of first moves and replies |
//! | [`judge`] | the searches that judge positions, of first moves and of forks |
//! | [`workers`] | files of evidence that the workers of a cluster make |

pub mod dice;
mod error;
mod finished;
pub mod forks;
pub mod games;
pub mod judge;
pub(crate) mod score;
pub mod search;
pub mod workers;

pub(crate) use finished::Counter;
pub use {error::EvidenceError, finished::Finished};
