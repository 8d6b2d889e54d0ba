//! The board, and the conventions.

use super::variant::Variant;
use crate::games::conventions::Conventions;

/// The rules of a game of chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The board.
    pub variant: Variant,
    /// Its draws and its length limit. A turn is one ply, and progress is a capture or a move of a pawn.
    pub conventions: Conventions,
}

impl Rules {
    /// The standard conventions.
    pub fn standard(variant: Variant) -> Self {
        Self {
            variant,
            conventions: Conventions::default(),
        }
    }
}
