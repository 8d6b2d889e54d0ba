//! The tests of the claims. `claims.toml` has an entry for each; here are the statistics that answer them.
//!
//! | module | statistic |
//! |---|---|
//! | `exact` | facts of the rules, a function each; `entry_map`, `lines` and `problems` help them |
//! | `games` | a mean over blocks of games, minus another; `measure` says of what, `mixture` joins free and forced games |
//! | `dice` | shares and means of what happens to dice in games, minus others |
//! | `forks` | the mean difference of results between an action and what it is compared with |
//! | `searches` | opinions of agents' searches |
//!
//! [`run()`] plays the games of a study and answers the tests of games and dice, [`exact()`], [`by_forks()`] and
//! [`by_searches()`] the others.

pub(crate) mod dice;
mod entry_map;
pub(crate) mod exact;
pub(crate) mod forks;
pub(crate) mod games;
mod lines;
mod measure;
mod mixture;
mod problems;
pub(crate) mod searches;
mod study;
#[cfg(test)]
mod tests;

pub use study::{GamesStudy, by_forks, by_searches, exact, run};
