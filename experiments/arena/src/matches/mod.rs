//! Matches: pairs of games from one opening with colours swapped, here or on other machines.

mod openings;
mod runner;
mod threads;
mod venue;

pub use openings::{Openings, start_of_pair};
pub use runner::{Match, MatchError, MatchEvent, MatchResult, PairResult};
pub use threads::Here;
pub use venue::{Deliver, PairUnit, Venue};
