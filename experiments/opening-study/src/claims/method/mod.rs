//! Methods of testing claims, common to all claims.

pub(crate) mod agents;
pub(crate) mod dice;
pub(crate) mod forks;
pub(crate) mod games;
pub(crate) mod measure;
pub(crate) mod search;
