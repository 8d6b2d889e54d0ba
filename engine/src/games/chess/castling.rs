//! Castling: rights, and the cells that it concerns.

use super::cell::{CELLS, Cell};
use crate::Player;

/// A side of the board, as castling names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wing {
    /// The king's side, with the rook of file h.
    King,
    /// The queen's side, with the rook of file a.
    Queen,
}

impl Wing {
    /// Both, in the order of their letters.
    pub const BOTH: [Self; 2] = [Self::King, Self::Queen];
}

/// The castlings that are still possible, since neither the king nor the rook has moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Castling(u8);

/// The files of a castling: of the rook, of the king behind it, and of the rook behind it.
const fn files(wing: Wing) -> (usize, usize, usize) {
    match wing {
        Wing::King => (7, 6, 5),
        Wing::Queen => (0, 2, 3),
    }
}

/// The file that kings start on.
const KING_FILE: usize = 4;

/// The rank that pieces start on.
const fn home(player: Player) -> usize {
    match player {
        Player::White => 0,
        Player::Black => 7,
    }
}

/// The cells of a castling.
#[derive(Clone, Copy)]
pub(super) struct Cells {
    pub king: Cell,
    pub king_to: Cell,
    pub rook: Cell,
    pub rook_to: Cell,
    /// The cells between king and rook.
    pub between: u64,
}

impl Cells {
    pub const fn of(player: Player, wing: Wing) -> Self {
        let rank = home(player);
        let (rook, king_to, rook_to) = files(wing);
        let between: u64 = match wing {
            Wing::King => 0x60,
            Wing::Queen => 0x0e,
        };
        Self {
            king: Cell::new(KING_FILE, rank),
            king_to: Cell::new(king_to, rank),
            rook: Cell::new(rook, rank),
            rook_to: Cell::new(rook_to, rank),
            between: between << (8 * rank),
        }
    }
}

/// The rights that a move from or to each cell leaves.
static LEFT: [u8; CELLS] = {
    let mut left = [Castling::ALL.0; CELLS];
    let mut index = 0;
    while index < 4 {
        let player = Player::BOTH[index / 2];
        let wing = Wing::BOTH[index % 2];
        let cells = Cells::of(player, wing);
        left[cells.king.index()] &= !Castling::bit(player, wing);
        left[cells.rook.index()] &= !Castling::bit(player, wing);
        index += 1;
    }
    left
};

impl Castling {
    /// None.
    pub const NONE: Self = Self(0);
    /// All four.
    pub const ALL: Self = Self(0b1111);

    const fn bit(player: Player, wing: Wing) -> u8 {
        1 << (2 * player as u8 + wing as u8)
    }

    /// True if a castling is still possible in later moves.
    #[inline]
    pub const fn has(self, player: Player, wing: Wing) -> bool {
        self.0 & Self::bit(player, wing) != 0
    }

    /// True if any castling of a player is still possible.
    #[inline]
    pub(super) const fn has_any(self, player: Player) -> bool {
        self.0 & 0b11 << (2 * player as u8) != 0
    }

    /// Adds a right.
    #[must_use]
    pub const fn with(self, player: Player, wing: Wing) -> Self {
        Self(self.0 | Self::bit(player, wing))
    }

    /// The rights after a move.
    #[inline(always)]
    pub(super) fn after(self, from: Cell, to: Cell) -> Self {
        Self(self.0 & LEFT[from.index()] & LEFT[to.index()])
    }

    pub(super) const fn bits(self) -> u8 {
        self.0
    }
}
