//! The first exclusion of a supposed mean.

use serde::{Deserialize, Serialize};

/// The moment at which an interval, checked after every number, first excluded a supposed mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusion {
    /// Numbers seen until then.
    pub after: u64,
    /// True if the interval then lay above the supposed mean, false if below it.
    pub above: bool,
}
