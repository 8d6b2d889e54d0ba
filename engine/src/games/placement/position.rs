//! A position of any of the games.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use super::board::{Board, Set};
use super::cell::Cell;
use super::stones::Stones;
use super::symmetry::Symmetry;
use crate::scene::Shade;
use crate::text_error::TextError;
use crate::{Outcome, Player};

/// A position of one of the games, the rules of which are its methods. Legal by construction, though perhaps no game
/// leads there. Its text is its `Display`, which its `FromStr` reads.
///
/// Its history is not here; see [`Placement`](super::Placement) for a game with its conventions.
pub trait Position:
    sealed::Sealed + Copy + Debug + Display + Eq + FromStr<Err = TextError> + Send + Sync + 'static
{
    /// The board.
    type Board: Board;
    /// One ply: a stone, a move of stones, or a decision to stop.
    type Action: Copy + Debug + Eq + Hash + Ord + Send + Sync + 'static;

    /// The game's name.
    const NAME: &'static str;
    /// The game's texts for people, in the form of [`Words::of`](crate::Words::of).
    const WORDS: &'static str;
    /// Policy indices are below this number.
    const POLICY_SIZE: usize;
    /// All reasons of [`Position::end`].
    const END_REASONS: &'static [&'static str];
    /// The time in which a position may return.
    const RETURN: Return;

    /// The initial position.
    fn initial() -> Self;

    /// The player who decides next.
    fn to_move(&self) -> Player;

    /// The stones on the board.
    fn stones(&self) -> &Stones<Self::Board>;

    /// True if a turn begins here.
    fn is_start_of_turn(&self) -> bool;

    /// The end of the game by the rules alone, with the reason; `None` before.
    fn end(&self) -> Option<(Outcome, &'static str)>;

    /// Calls a function with each legal action, in a fixed order.
    fn for_each_action(&self, act: impl FnMut(Self::Action));

    /// The number of legal actions.
    fn count_actions(&self) -> u32;

    /// True if an action is legal.
    fn is_legal(&self, action: Self::Action) -> bool;

    /// Plays a legal action, and returns true if it ends a turn. The effect of an illegal one is not specified, beyond
    /// memory safety.
    fn play_unchecked(&mut self, action: Self::Action) -> bool;

    /// A number that is the same for equal positions, and for no others up to collisions of a hash of 128 bits.
    fn key(&self) -> u128;

    /// The index of an action in a policy, below [`Position::POLICY_SIZE`].
    fn policy_index(&self, action: Self::Action) -> usize;

    /// An action of this position as text.
    fn action_text(&self, action: Self::Action) -> String;

    /// The legal action that a text names here.
    ///
    /// # Errors
    /// If the text names no action, or one that is not legal here.
    fn parse_action(&self, text: &str) -> Result<Self::Action, TextError>;

    /// The cells that an action goes through, in order; none for one without a place.
    fn way(&self, action: Self::Action) -> Vec<Cell<Self::Board>>;

    /// True if the rules are the same under a symmetry of the board.
    fn keeps(symmetry: Symmetry) -> bool;

    /// The position as a symmetry of the game shows it.
    #[must_use]
    fn under(&self, symmetry: Symmetry) -> Self;

    /// The action that an action becomes under a symmetry of the game.
    fn image(action: Self::Action, symmetry: Symmetry) -> Self::Action;

    /// The shade of a cell in pictures.
    fn shade(cell: Cell<Self::Board>) -> Shade;

    /// The cells that matter for what can be played next, such as those of stones placed in this turn.
    #[doc(hidden)]
    fn marked(&self) -> Set;

    /// The decisions that the player to move has, in a few words after the player's name.
    fn task(&self) -> String;

    /// All legal actions, in a fixed order.
    fn legal_actions(&self) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        self.for_each_action(|action| actions.push(action));
        actions
    }

    /// The position after an action; `None` if it is not legal.
    fn play(&self, action: Self::Action) -> Option<Self> {
        self.is_legal(action).then(|| {
            let mut next = *self;
            next.play_unchecked(action);
            next
        })
    }

    /// All symmetries of the game, the identity first. Those that exchange the players follow those that do not.
    fn symmetries() -> Vec<Symmetry> {
        let mut all = Symmetry::all::<Self::Board>();
        all.retain(|symmetry| Self::keeps(*symmetry));
        all
    }
}

/// The time in which a position may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Return {
    /// Never: each turn changes something for good.
    Never,
    /// While no stone is placed: stones never leave the board.
    UntilAStone,
    /// At any time.
    Always,
}

pub(super) mod sealed {
    pub trait Sealed {}
}
