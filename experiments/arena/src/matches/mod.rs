//! Matches: pairs of games from one opening with colours swapped, here or on other machines.

mod here;
mod openings;
mod runner;
mod venue;

pub use here::Here;
pub use openings::{Openings, start_of_pair};
pub use runner::{Match, MatchError, MatchEvent, MatchResult, PairResult};
pub use venue::{Deliver, PairUnit, Venue};
