//! The stones on a board.

use std::marker::PhantomData;

use super::board::{Board, Set, full};
use super::cell::{Cell, each};
use super::symmetry::Symmetry;
use crate::games::board_text;
use crate::hash::add_word;
use crate::{ByPlayer, Player};

/// The letters of the players' stones.
pub(super) const LETTERS: ByPlayer<char> = ByPlayer(['o', 'x']);

/// The stones of both players, at most one on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones<B: Board> {
    sets: ByPlayer<Set>,
    board: PhantomData<B>,
}

impl<B: Board> Stones<B> {
    /// An empty board.
    pub(super) const NONE: Self = Self {
        sets: ByPlayer([0; 2]),
        board: PhantomData,
    };

    /// The player whose stone is on a cell.
    pub fn owner(&self, cell: Cell<B>) -> Option<Player> {
        let owns = |&player: &Player| self.of(player) & cell.bit() != 0;
        Player::BOTH.into_iter().find(owns)
    }

    /// The cells with a player's stones, in their order.
    pub fn cells(&self, player: Player) -> impl Iterator<Item = Cell<B>> + use<B> {
        each(self.of(player))
    }

    /// The number of a player's stones.
    pub const fn count(&self, player: Player) -> u32 {
        self.sets.0[player as usize].count_ones()
    }

    /// The cells with a player's stones.
    #[inline]
    pub(super) fn of(&self, player: Player) -> Set {
        self.sets[player]
    }

    #[inline]
    pub(super) fn of_mut(&mut self, player: Player) -> &mut Set {
        &mut self.sets[player]
    }

    /// The cells without a stone.
    #[inline]
    pub(super) fn empty(&self) -> Set {
        full::<B>() & !(self.sets.0[0] | self.sets.0[1])
    }

    /// A hash of a word and the stones.
    pub(super) fn key(&self, word: u64) -> u128 {
        let [first, second] = self.sets.0;
        add_set(add_set(add_word(0, word), first), second)
    }

    /// The stones as a symmetry shows them.
    pub(super) fn under(&self, symmetry: Symmetry) -> Self {
        let mut image = Self::NONE;
        for player in Player::BOTH {
            *image.of_mut(symmetry.player(player)) = symmetry.set::<B>(self.of(player));
        }
        image
    }

    /// Rows from the top, separated by `/`, with numbers for runs of empty cells.
    pub(super) fn board_text(&self) -> String {
        let letter = |cell| self.owner(cell).map(|player| LETTERS[player]);
        let rows = (0..B::ROWS).map(|row| B::LAYOUT.cells(row).map(Cell::of).map(letter));
        let mut text = String::with_capacity(B::CELLS + B::ROWS + 8);
        board_text::write(&mut text, rows).expect("a text takes what is written");
        text
    }
}

/// A hash, made to hold a set of cells more.
pub(super) const fn add_set(key: u128, set: Set) -> u128 {
    add_word(add_word(key, set as u64), (set >> 64) as u64)
}
