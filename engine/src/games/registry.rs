//! The one list of games: their names, and [`with_game`](crate::with_game) from a name to a type.
//!
//! A game in this list is known to every command, to the page and to Python.

use std::fmt;
use std::str::FromStr;

use super::chess::Variant;
use super::draughts::{Draughts, Variation};
use crate::scene::Depict;
use crate::{Diagram, Encode, Game, InputSet, SparseView, Words};

macro_rules! games {
    ($d:tt $($name:ident $game:ty, $text:expr;)*) => {
        /// A game of the list.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each has the name of the type of its rules")]
        pub enum GameName {
            $($name,)*
        }

        impl GameName {
            /// All games.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The game's name, [`Game::name`].
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }

        /// The games as types, each under its name in [`GameName`].
        pub mod types {
            #[allow(clippy::wildcard_imports, reason = "the types of the list, whatever they are")]
            use super::*;

            $(
                #[doc = concat!("The game of [`GameName::", stringify!($name), "`].")]
                pub type $name = $game;
            )*
        }

        /// Evaluates an expression in which a type stands for the game that a [`GameName`] names. Games of a family
        /// have one type: [`GameName::rules`] says which of them it is.
        ///
        /// ```
        /// use chase_engine::{Game, GameName, with_game};
        ///
        /// let name: GameName = "stax-cyl".parse()?;
        /// let ranks = with_game!(name, G => G::new(&name.rules::<G>()).position_text().split('/').count());
        /// assert_eq!(ranks, 8);
        /// # Ok::<(), chase_engine::UnknownGame>(())
        /// ```
        #[macro_export]
        macro_rules! with_game {
            ($d name:expr, $d game:ident => $d body:expr) => {
                match $d name {
                    $($crate::GameName::$name => {
                        type $d game = $crate::registry::types::$name;
                        $d body
                    })*
                }
            };
        }
    };
}

games! { $
    Chase crate::games::chase::Chase, <crate::Chase as Game>::NAME;
    ConnectFour crate::games::connect_four::ConnectFour, <crate::ConnectFour as Game>::NAME;
    Chess crate::games::chess::Chess, Variant::Flat.name();
    ChessCyl crate::games::chess::Chess, Variant::Cylinder.name();
    Checkers Draughts, Variation::Checkers.name();
    CheckersCyl Draughts, Variation::CheckersCyl.name();
    CheckersUni Draughts, Variation::CheckersUni.name();
    CheckersNum Draughts, Variation::CheckersNum.name();
    CheckersCylNum Draughts, Variation::CheckersCylNum.name();
    CheckersUniNum Draughts, Variation::CheckersUniNum.name();
    Stax Draughts, Variation::Stax.name();
    StaxCyl Draughts, Variation::StaxCyl.name();
    StaxUni Draughts, Variation::StaxUni.name();
    StaxNum Draughts, Variation::StaxNum.name();
    StaxCylNum Draughts, Variation::StaxCylNum.name();
    StaxUniNum Draughts, Variation::StaxUniNum.name();
    Queens Draughts, Variation::Queens.name();
    QueensCyl Draughts, Variation::QueensCyl.name();
    QueensUni Draughts, Variation::QueensUni.name();
    QueensNum Draughts, Variation::QueensNum.name();
    QueensCylNum Draughts, Variation::QueensCylNum.name();
    QueensUniNum Draughts, Variation::QueensUniNum.name();
    Moves23 crate::games::placement::Moves23, <crate::Moves23 as Game>::NAME;
    Tetra24 crate::games::placement::Tetra24, <crate::Tetra24 as Game>::NAME;
    Lines9 crate::games::placement::Lines9, <crate::Lines9 as Game>::NAME;
    Tricolour crate::games::placement::Tricolour, <crate::Tricolour as Game>::NAME;
}

/// Error returned for a text that is the name of no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game `{0}`: expected {list}", list = GameName::list())]
pub struct UnknownGame(String);

impl GameName {
    /// The game's standard rules.
    ///
    /// # Panics
    /// If the game is not one of the type `G`, which [`with_game`](crate::with_game) would name.
    pub fn rules<G: Game>(self) -> G::Rules {
        match G::standard_rules(self.name()) {
            Some(rules) => rules,
            None => panic!("{self} is no game of {}", G::NAME),
        }
    }

    /// The game's texts for people.
    pub fn words(self) -> Words {
        with_game!(self, G => G::words(&self.rules::<G>()))
    }

    /// The inputs that an efficiently updatable network has of the game.
    pub fn sparse_inputs(self) -> InputSet {
        with_game!(self, G => <<G as Encode>::Sparse as SparseView<G>>::INPUTS)
    }

    pub(crate) fn draw(self, diagram: &Diagram) -> Result<String, String> {
        with_game!(self, G => diagram.draw::<G>())
    }

    /// All names, for people.
    pub fn list() -> String {
        let names: Vec<&str> = Self::ALL.iter().map(|game| game.name()).collect();
        match names.split_last() {
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => String::new(),
        }
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameName {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        let found = Self::ALL.iter().find(|game| game.name() == text);
        found.copied().ok_or_else(|| UnknownGame(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_and_types_belong_together() {
        for &game in GameName::ALL {
            assert_eq!(game.name().parse(), Ok(game));
            assert_eq!(with_game!(game, G => G::name(&game.rules::<G>())), game.name());
        }
        let names: HashSet<_> = GameName::ALL.iter().map(|game| game.name()).collect();
        assert_eq!(names.len(), GameName::ALL.len());
    }

    #[test]
    fn what_is_no_game_is_told_which_there_are() {
        let error = "shogi".parse::<GameName>().expect_err("no game").to_string();
        assert!(
            error.starts_with("unknown game `shogi`: expected chase, connect-four, chess, chess-cyl, checkers, "),
            "{error}"
        );
    }
}
