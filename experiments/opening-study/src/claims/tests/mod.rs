//! Common parts of the tests of claims.

pub(crate) mod world;
