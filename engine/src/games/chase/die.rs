//! Dice and their speeds.

use std::fmt;

use crate::Player;

/// The pips of a die, 1 to 6, which are its speed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Speed(u8);

impl Speed {
    /// Speed 1.
    pub const ONE: Self = Self(1);
    /// Speed 4.
    pub const FOUR: Self = Self(4);
    /// Speed 6, the highest.
    pub const SIX: Self = Self(6);

    /// All speeds, rising.
    pub const ALL: [Self; 6] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// The speed with this number of pips; `None` unless it is from 1 to 6.
    #[inline]
    pub const fn new(pips: u8) -> Option<Self> {
        if matches!(pips, 1..=6) { Some(Self(pips)) } else { None }
    }

    #[inline]
    pub(crate) const fn new_unchecked(pips: u8) -> Self {
        debug_assert!(matches!(pips, 1..=6));
        Self(pips)
    }

    /// The number of pips, 1 to 6.
    #[inline]
    pub const fn pips(self) -> u8 {
        self.0
    }

    /// The speeds of the two dice that leave the Chamber, left and right: ⌈s/2⌉ and ⌊s/2⌋. A 1 does not split.
    #[inline]
    pub const fn split(self) -> (Self, Option<Self>) {
        (Self(self.0.div_ceil(2)), Self::new(self.0 / 2))
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A die on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Die {
    /// The owner.
    pub player: Player,
    /// Its pips.
    pub speed: Speed,
}

impl Die {
    /// The letter in CFEN: `A` to `F` for White's speeds 1 to 6, `a` to `f` for Black's.
    pub const fn letter(self) -> char {
        let first = match self.player {
            Player::White => b'A',
            Player::Black => b'a',
        };
        (first + self.speed.0 - 1) as char
    }

    /// The die that a letter in CFEN stands for.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let (player, pips) = match letter {
            'A'..='F' => (Player::White, letter as u8 - b'A' + 1),
            'a'..='f' => (Player::Black, letter as u8 - b'a' + 1),
            _ => return None,
        };
        Some(Self {
            player,
            speed: Speed(pips),
        })
    }
}
