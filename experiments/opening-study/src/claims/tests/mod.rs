//! Common parts of the tests of claims.

mod both_ways;
pub(crate) mod world;
