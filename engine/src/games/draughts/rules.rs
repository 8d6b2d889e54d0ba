//! The game of the family, and its conventions.

use super::variant::Variation;
use crate::games::conventions::Conventions;

/// The rules of a game of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The game.
    pub variation: Variation,
    /// Its draws and its length limit. Progress is a jump or a step of a man.
    pub conventions: Conventions,
}

impl Rules {
    /// The standard conventions.
    pub fn standard(variation: Variation) -> Self {
        Self {
            variation,
            conventions: Conventions::default(),
        }
    }
}

/// Checkers, under the standard conventions.
impl Default for Rules {
    fn default() -> Self {
        Self::standard(Variation::Checkers)
    }
}
