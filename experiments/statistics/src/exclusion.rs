//! When a supposed mean was first left out.

use serde::{Deserialize, Serialize};

/// The moment at which an interval first left out a supposed mean, looked at after every number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusion {
    /// Numbers seen until then.
    pub after: u64,
    /// Whether the interval lay above the supposed mean then, not below it.
    pub above: bool,
}
