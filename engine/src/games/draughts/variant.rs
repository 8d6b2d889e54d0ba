//! The games of the family: capture rule, board, and numbered or plain men.

use std::fmt::Debug;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use super::board::Board;
use super::direction::Direction;

/// Base rules of a game: its cells, jumps and captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// English draughts: diagonal jumps, and the jumped piece leaves the board.
    Checkers,
    /// Diagonal jumps, and the jumped piece goes to the bottom of the jumping stack.
    Stax,
    /// As in Stax, on all 64 cells; jumps go straight and sideways as well, steps diagonally only.
    Queens,
}

impl Base {
    /// True if pieces that are jumped stay on the board, under those that jumped them.
    pub const fn has_stacks(self) -> bool {
        !matches!(self, Self::Checkers)
    }

    /// The directions that jumps can have, in the order of policy indices.
    pub const fn directions(self) -> &'static [Direction] {
        match self {
            Self::Checkers | Self::Stax => Direction::DIAGONAL,
            Self::Queens => &Direction::ALL,
        }
    }
}

/// One of the 18 games, as a type without values: positions of different games cannot be confused.
pub trait Variant: sealed::Sealed + Copy + Debug + Default + Eq + Hash + Send + Sync + 'static {
    /// The game as a value.
    const VARIATION: Variation;
    /// The game's name.
    const NAME: &'static str;
    /// The base rules.
    const BASE: Base;
    /// The board.
    const BOARD: Board;
    /// True if the men of each side are numbered from 1 to 12: a man jumps only men of its own number or lower, and no
    /// king; a king jumps anything. The numbers of the men are drawn before the game.
    const NUMBERS: bool;
}

mod sealed {
    pub trait Sealed {}
}

/// Hands the list of the 18 games to a macro: type, name, what is captured, board, numbers.
macro_rules! with_variants {
    ($define:ident) => {
        $define! {
            Checkers "checkers" Checkers Square false;
            CheckersCyl "checkers-cyl" Checkers Cylinder false;
            CheckersUni "checkers-uni" Checkers Universal false;
            CheckersNum "checkers-num" Checkers Square true;
            CheckersCylNum "checkers-cyl-num" Checkers Cylinder true;
            CheckersUniNum "checkers-uni-num" Checkers Universal true;
            Stax "stax" Stax Square false;
            StaxCyl "stax-cyl" Stax Cylinder false;
            StaxUni "stax-uni" Stax Universal false;
            StaxNum "stax-num" Stax Square true;
            StaxCylNum "stax-cyl-num" Stax Cylinder true;
            StaxUniNum "stax-uni-num" Stax Universal true;
            Queens "queens" Queens Square false;
            QueensCyl "queens-cyl" Queens Cylinder false;
            QueensUni "queens-uni" Queens Universal false;
            QueensNum "queens-num" Queens Square true;
            QueensCylNum "queens-cyl-num" Queens Cylinder true;
            QueensUniNum "queens-uni-num" Queens Universal true;
        }
    };
}
pub(super) use with_variants;

macro_rules! variants {
    ($($variant:ident $name:literal $base:ident $board:ident $numbers:literal;)*) => {
        $(
            #[doc = concat!("The game `", $name, "`.")]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
            pub struct $variant;

            impl sealed::Sealed for $variant {}

            impl Variant for $variant {
                const VARIATION: Variation = Variation::$variant;
                const NAME: &'static str = $name;
                const BASE: Base = Base::$base;
                const BOARD: Board = Board::$board;
                const NUMBERS: bool = $numbers;
            }
        )*

        /// One of the 18 games, as a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[expect(missing_docs, reason = "each has the name of its type")]
        pub enum Variation {
            $($variant,)*
        }

        impl Variation {
            /// All games.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// [`Variant::NAME`].
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// [`Variant::BASE`].
            pub const fn base(self) -> Base {
                match self {
                    $(Self::$variant => Base::$base,)*
                }
            }

            /// [`Variant::BOARD`].
            pub const fn board(self) -> Board {
                match self {
                    $(Self::$variant => Board::$board,)*
                }
            }

            /// [`Variant::NUMBERS`].
            pub const fn numbers(self) -> bool {
                match self {
                    $(Self::$variant => $numbers,)*
                }
            }
        }
    };
}

with_variants!(variants);

impl Variation {
    /// The game of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variation| variation.name() == name)
    }
}
