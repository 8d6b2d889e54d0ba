//! Evidence: this module knows no claims.
//!
//! | module | evidence |
//! |---|---|
//! | `exact` | facts about any position that follow from the rules alone |
//! | [`games`] | games of equal players from forced openings, in rounds, each replayed once |
//! | [`dice`] | facts about dice and the Chamber in these games |
//! | [`forks`] | positions of these games from which both of two actions are played to the end |
//! | [`search`] | searches of first moves and replies |
//! | [`strategy`] | parameters of a search's selection of actions, as stored in files |
//! | [`elsewhere`] | files of evidence that the workers of a cluster make |
//! | [`values`] | expectations of searches in these games, compared with the results |

pub mod dice;
pub mod elsewhere;
mod error;
pub(crate) mod exact;
pub mod forks;
pub mod games;
pub(crate) mod score;
pub mod search;
pub mod strategy;
pub mod values;

pub use error::EvidenceError;
