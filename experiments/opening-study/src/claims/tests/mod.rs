//! Common parts of the tests of claims.

mod both_ways;
mod dice;
mod forks;
pub(crate) mod world;
