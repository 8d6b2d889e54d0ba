//! Matches: pairs of games from one opening with colours swapped, single or as a round robin.

mod openings;
mod round_robin;
mod runner;

pub use openings::{OpeningError, Openings, start_of_pair};
pub use runner::{Match, MatchError, MatchEvent, MatchResult, PairResult};
