//! Ways to turn a board that keep the rules.

use super::board::{Board, Set};
use super::cell::{Cell, each};
use crate::Player;

/// A turn of the board, perhaps after a reflection, and perhaps with the players exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    turns: u8,
    mirrored: bool,
    exchanged: bool,
}

impl Symmetry {
    /// All symmetries of a board, the identity first. Those that exchange the players follow those that do not.
    pub(super) fn all<B: Board>() -> Vec<Self> {
        let mut all = Vec::new();
        for exchanged in [false, true] {
            for mirrored in [false, true] {
                all.extend((0..B::TURNS).map(|turns| Self {
                    turns,
                    mirrored,
                    exchanged,
                }));
            }
        }
        all
    }

    /// True if each player's stones become the other player's.
    pub const fn exchanges_players(self) -> bool {
        self.exchanged
    }

    /// True if this is a reflection, which undoes itself.
    pub const fn is_reflection(self) -> bool {
        self.mirrored
    }

    /// The image of a cell.
    pub fn cell<B: Board>(self, cell: Cell<B>) -> Cell<B> {
        let index = cell.index();
        let index = if self.mirrored { B::mirrored(index) } else { index };
        Cell::of((0..self.turns).fold(index, |index, _| B::turned(index)))
    }

    pub(super) fn set<B: Board>(self, cells: Set) -> Set {
        each::<B>(cells).fold(0, |set, cell| set | self.cell(cell).bit())
    }

    pub(super) fn player(self, player: Player) -> Player {
        if self.exchanged { !player } else { player }
    }
}
