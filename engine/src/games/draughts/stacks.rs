//! The pieces on each cell, in order.

use super::cell::{CELLS, Cell};
use super::piece::{PIECES, Piece, Rank};
use crate::Player;

/// A piece by its number among all: those of the first player are 0 to 11. The identity of a man matters in the games
/// with numbers only, and there man n is piece n − 1 of its player.
type Id = u8;

/// The end of the list of a cell without pieces.
const NONE: Id = u8::MAX;

/// All pieces. A stack is a ring, so that both its ends are at hand: the top is what lies "under" the bottom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stacks {
    /// The lowest piece of each cell.
    bottom: [Id; CELLS],
    /// The piece under each, and under the lowest the top.
    under: [Id; 2 * PIECES],
    /// The pieces that are kings, a bit each.
    kings: u32,
}

impl Stacks {
    pub const EMPTY: Self = Self {
        bottom: [NONE; CELLS],
        under: [NONE; 2 * PIECES],
        kings: 0,
    };

    /// A copy, field by field; see [`Position::copied`](super::position::Position::copied).
    #[inline(always)]
    pub const fn copied(&self) -> Self {
        Self {
            bottom: self.bottom,
            under: self.under,
            kings: self.kings,
        }
    }

    /// The piece with this number; men are numbered only where the rules are.
    #[inline]
    const fn piece(&self, id: Id, numbers: bool) -> Piece {
        let (player, index) = if id < PIECES as Id {
            (Player::White, id)
        } else {
            (Player::Black, id - PIECES as Id)
        };
        let rank = if self.kings >> id & 1 != 0 {
            Rank::King
        } else {
            Rank::Man(if numbers { index + 1 } else { 0 })
        };
        Piece { player, rank }
    }

    #[inline]
    const fn is_empty(&self, cell: Cell) -> bool {
        self.bottom[cell.index()] == NONE
    }

    /// The piece on top of a cell that is not empty.
    #[inline]
    pub const fn top(&self, cell: Cell, numbers: bool) -> Piece {
        self.piece(self.under[self.bottom[cell.index()] as usize], numbers)
    }

    /// The pieces of a cell from the top.
    pub fn stack(&self, cell: Cell, numbers: bool) -> impl Iterator<Item = Piece> {
        let bottom = self.bottom[cell.index()];
        let mut next = (bottom != NONE).then(|| self.under[bottom as usize]);
        std::iter::from_fn(move || {
            let id = next?;
            next = (id != bottom).then(|| self.under[id as usize]);
            Some(self.piece(id, numbers))
        })
    }

    /// True if more than one piece lies on a cell.
    #[inline]
    pub const fn is_tall(&self, cell: Cell) -> bool {
        let bottom = self.bottom[cell.index()];
        bottom != NONE && self.under[bottom as usize] != bottom
    }

    /// The `index`-th piece of a player, under all that lies on a cell.
    #[inline]
    fn put_under(&mut self, id: Id, cell: Cell) {
        let bottom = &mut self.bottom[cell.index()];
        if *bottom == NONE {
            self.under[id as usize] = id;
        } else {
            self.under[id as usize] = self.under[*bottom as usize];
            self.under[*bottom as usize] = id;
        }
        *bottom = id;
    }

    /// Adds the `index`-th piece of a player, which is nowhere yet, under all that lies on a cell.
    pub fn add(&mut self, player: Player, index: usize, king: bool, cell: Cell) {
        let id = (player as usize * PIECES + index) as Id;
        self.kings |= u32::from(king) << id;
        self.put_under(id, cell);
    }

    /// Moves a whole stack to an empty cell.
    #[inline]
    pub fn go(&mut self, from: Cell, to: Cell) {
        debug_assert!(!self.is_empty(from) && self.is_empty(to));
        self.bottom[to.index()] = self.bottom[from.index()];
        self.bottom[from.index()] = NONE;
    }

    /// Takes the top piece off a cell.
    #[inline]
    pub fn lift(&mut self, cell: Cell) -> Id {
        let bottom = &mut self.bottom[cell.index()];
        let top = self.under[*bottom as usize];
        if top == *bottom {
            *bottom = NONE;
        } else {
            self.under[*bottom as usize] = self.under[top as usize];
        }
        top
    }

    /// Puts the top piece of one cell under the stack of another, and returns the piece that is on top then, if any.
    #[inline]
    pub fn capture(&mut self, captor: Cell, captured: Cell) -> Option<Piece> {
        let prisoner = self.lift(captured);
        self.put_under(prisoner, captor);
        (!self.is_empty(captured)).then(|| self.top(captured, false))
    }

    /// Makes the top piece of a cell a king.
    #[inline]
    pub fn crown(&mut self, cell: Cell) {
        self.kings |= 1 << self.under[self.bottom[cell.index()] as usize];
    }
}
