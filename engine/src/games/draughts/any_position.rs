//! Positions of whichever of the games.

use std::fmt;

use rand::rngs::Xoshiro256PlusPlus;

use super::action::Action;
use super::cell::{Cell, each};
use super::perft::perft;
use super::piece::Piece;
use super::position::Position;
use super::symmetry::Symmetry;
use super::variant::{Variant, Variation, with_variants};
use crate::Player;
use crate::text_error::TextError;

macro_rules! any_position {
    ($($variant:ident $name:literal $base:ident $board:ident $numbers:literal;)*) => {
        /// A legal position of one of the games.
        ///
        /// Code above the rules that is generic over games sees the whole family as one game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "each holds a position of the game of its name")]
        pub enum AnyPosition {
            $($variant(Position<super::variant::$variant>),)*
        }

        $(impl From<Position<super::variant::$variant>> for AnyPosition {
            fn from(position: Position<super::variant::$variant>) -> Self {
                Self::$variant(position)
            }
        })*

        /// Evaluates an expression for the position inside.
        macro_rules! each_position {
            ($any:expr, $inner:ident => $body:expr) => {
                match $any {
                    $(AnyPosition::$variant($inner) => $body,)*
                }
            };
        }

        /// As [`each_position`], for a position of the same game.
        macro_rules! of_each {
            ($any:expr, $inner:ident => $body:expr) => {
                match $any {
                    $(AnyPosition::$variant($inner) => AnyPosition::$variant($body),)*
                }
            };
        }

        /// Evaluates an expression in which a type stands for the game, as an [`AnyPosition`].
        macro_rules! of_variation {
            ($variation:expr, $game:ident => $body:expr) => {
                match $variation {
                    $(Variation::$variant => {
                        type $game = super::variant::$variant;
                        AnyPosition::$variant($body)
                    })*
                }
            };
        }
    };
}

with_variants!(any_position);

const fn variation_of<V: Variant>(_: &Position<V>) -> Variation {
    V::VARIATION
}

const fn numbers_of<V: Variant>(_: &Position<V>) -> bool {
    V::NUMBERS
}

impl AnyPosition {
    /// [`Position::initial`].
    pub fn initial(variation: Variation) -> Self {
        of_variation!(variation, V => Position::<V>::initial())
    }

    /// [`Position::drawn`].
    pub fn drawn(variation: Variation, rng: &mut Xoshiro256PlusPlus) -> Self {
        of_variation!(variation, V => Position::<V>::drawn(rng))
    }

    /// The position of a text.
    ///
    /// # Errors
    /// If the text is not a legal position of this game.
    pub fn parse(variation: Variation, text: &str) -> Result<Self, TextError> {
        Ok(of_variation!(variation, V => text.parse::<Position<V>>()?))
    }

    /// The game that it is a position of.
    pub const fn variation(&self) -> Variation {
        each_position!(self, position => variation_of(position))
    }

    /// [`Position::to_move`].
    #[inline]
    pub const fn to_move(&self) -> Player {
        each_position!(self, position => position.to_move())
    }

    /// [`Position::stack`].
    pub fn stack(&self, cell: Cell) -> impl Iterator<Item = Piece> {
        each_position!(self, position => position.stacks.stack(cell, numbers_of(position)))
    }

    /// [`Position::top`].
    pub fn top(&self, cell: Cell) -> Option<Piece> {
        self.stack(cell).next()
    }

    /// [`Position::jumper`].
    pub const fn jumper(&self) -> Option<Cell> {
        each_position!(self, position => position.jumper())
    }

    /// [`Position::jumped`].
    pub fn jumped(&self) -> impl Iterator<Item = Cell> + use<> {
        each(each_position!(self, position => position.jumped))
    }

    /// [`Position::tops`].
    pub fn tops(&self, player: Player) -> (u32, u32) {
        each_position!(self, position => position.tops(player))
    }

    /// [`Position::exposed_to`].
    pub fn exposed_to(&self, player: Player) -> impl Iterator<Item = Cell> + use<> {
        each(each_position!(self, position => position.exposed_cells(player)))
    }

    /// [`Position::quiet_turns`].
    pub const fn quiet_turns(&self) -> u32 {
        each_position!(self, position => position.quiet_turns())
    }

    /// [`Position::turn`].
    pub const fn turn(&self) -> u32 {
        each_position!(self, position => position.turn())
    }

    /// [`Position::turns_played`].
    pub const fn turns_played(&self) -> u32 {
        each_position!(self, position => position.turns_played())
    }

    /// [`Position::key`].
    pub fn key(&self) -> u128 {
        each_position!(self, position => position.key())
    }

    /// [`Position::short_text`].
    pub fn short_text(&self) -> String {
        each_position!(self, position => position.short_text())
    }

    /// Replaces the content of `actions` by all legal actions, in the order of [`Position::for_each_action`].
    pub fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        each_position!(self, position => position.for_each_action(|action| actions.push(action)));
    }

    /// [`Position::is_legal`].
    pub fn is_legal(&self, action: Action) -> bool {
        each_position!(self, position => position.is_legal(action))
    }

    /// [`Position::must_jump`].
    pub fn must_jump(&self) -> bool {
        each_position!(self, position => position.must_jump())
    }

    /// [`Position::has_action`].
    pub fn has_action(&self) -> bool {
        each_position!(self, position => position.has_action())
    }

    /// [`Position::play_unchecked`].
    pub fn play_unchecked(&mut self, action: Action) {
        each_position!(self, position => position.play_unchecked(action));
    }

    /// [`perft`].
    pub fn perft(&self, depth: u32) -> u64 {
        each_position!(self, position => perft(position, depth))
    }

    /// [`Position::under`].
    #[must_use]
    pub fn under(&self, symmetry: Symmetry) -> Self {
        of_each!(self, position => position.under(symmetry))
    }

    pub(super) fn action_text(&self, action: Action) -> String {
        each_position!(self, position => position.action_text(action))
    }

    pub(super) fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        each_position!(self, position => position.parse_action(text))
    }
}

/// The position with all fields.
impl fmt::Display for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each_position!(self, position => position.fmt(f))
    }
}
