//! Pieces: man or king, and the owner.

use crate::Player;

/// Pieces that each player begins with, and the highest number of a man.
pub const PIECES: usize = 12;

/// The rank of a piece, without its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rank {
    /// A man; in the games with numbers with its number, 1 to 12, in others with 0.
    Man(u8),
    /// A king, which moves both ways.
    King,
}

/// A piece and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The owner. The first player is Dark, the second Light.
    pub player: Player,
    /// The rank.
    pub rank: Rank,
}

impl Piece {
    /// The piece of a letter: `M` is a man and `Q` a king, and `A` to `L` are men with the numbers 1 to 12; Light's are
    /// lower case.
    pub fn from_letter(letter: char) -> Option<Self> {
        let player = if letter.is_ascii_uppercase() {
            Player::White
        } else {
            Player::Black
        };
        let rank = match letter.to_ascii_uppercase() {
            'M' => Rank::Man(0),
            'Q' => Rank::King,
            number @ 'A'..='L' => Rank::Man(number as u8 - b'A' + 1),
            _ => return None,
        };
        Some(Self { player, rank })
    }

    /// The piece as a letter.
    pub const fn letter(self) -> char {
        let letter = match self.rank {
            Rank::Man(0) => b'M',
            Rank::Man(number) => b'A' - 1 + number,
            Rank::King => b'Q',
        };
        match self.player {
            Player::White => letter as char,
            Player::Black => letter.to_ascii_lowercase() as char,
        }
    }

    /// True if this piece may jump the other: a king anything, a man only men, of its own number or lower (0 equals 0).
    #[inline]
    pub(super) const fn may_jump(self, other: Self) -> bool {
        match (self.rank, other.rank) {
            (Rank::King, _) => true,
            (Rank::Man(_), Rank::King) => false,
            (Rank::Man(own), Rank::Man(enemy)) => own >= enemy,
        }
    }
}
