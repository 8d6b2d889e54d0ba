//! How claims are tested, whichever claim it is.

pub(crate) mod agents;
pub(crate) mod dice;
pub(crate) mod forks;
pub(crate) mod games;
pub(crate) mod search;
