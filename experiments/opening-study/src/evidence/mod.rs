//! How evidence is gathered: it knows no claim.
//!
//! | module | what it gathers |
//! |---|---|
//! | `exact` | what the rules alone tell, of any position |
//! | [`games`] | games of equal players from forced openings, in rounds, each replayed once |
//! | [`dice`] | what happened to dice and to the Chamber in these games |
//! | [`forks`] | positions of these games from which both of two actions are played to the end |
//! | [`search`] | what searches say of first moves and replies |
//! | [`strategy`] | how a search selects actions, as files say it |
//! | [`values`] | what searches expected in these games, beside what came of it |

pub mod dice;
pub(crate) mod exact;
pub mod forks;
pub mod games;
pub(crate) mod score;
pub mod search;
pub mod strategy;
pub mod values;
