//! Pieces.

use crate::Player;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "everyone knows them")]
#[repr(u8)]
pub enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    /// All kinds, in the order of their values.
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// The pieces that a pawn can become on its last rank, in the order of legal actions.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The kind of a letter in lower case.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The kind as a letter in lower case.
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The kind in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }
}

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The owner.
    pub player: Player,
    /// Its kind, which a promotion changes.
    pub kind: Kind,
}

impl Piece {
    /// The piece of a letter: upper case for White.
    pub fn from_letter(letter: char) -> Option<Self> {
        let player = if letter.is_ascii_uppercase() {
            Player::White
        } else {
            Player::Black
        };
        let kind = Kind::from_letter(letter.to_ascii_lowercase())?;
        Some(Self { player, kind })
    }

    /// The piece as a letter.
    pub const fn letter(self) -> char {
        match self.player {
            Player::White => self.kind.letter().to_ascii_uppercase(),
            Player::Black => self.kind.letter(),
        }
    }
}
