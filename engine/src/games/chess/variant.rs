//! The two boards.

use serde::{Deserialize, Serialize};

/// The board that chess is played on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Variant {
    /// The flat board of chess.
    #[default]
    #[serde(rename = "chess")]
    Flat,
    /// A cylinder: file h is next to file a, for every piece.
    #[serde(rename = "chess-cyl")]
    Cylinder,
}

impl Variant {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Flat, Self::Cylinder];

    /// The name of the game on this board.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flat => "chess",
            Self::Cylinder => "chess-cyl",
        }
    }

    /// The board of the game of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }

    /// True if files h and a are neighbours.
    pub const fn joins_files(self) -> bool {
        matches!(self, Self::Cylinder)
    }
}

/// Calls a function that is generic over whether files are joined, for the board of a [`Variant`].
macro_rules! on_board {
    ($variant:expr, $($function:ident).+ ($($argument:expr),*)) => {
        match $variant {
            Variant::Flat => $($function).+::<false>($($argument),*),
            Variant::Cylinder => $($function).+::<true>($($argument),*),
        }
    };
}
pub(super) use on_board;
