//! The lengths of all lines of a player.

use super::Cell;
use super::square::AXES;
use crate::games::placement::board::Set;
use crate::games::placement::cell::each;

/// Bits for the number of lines of one length, of which there are fewer than 2⁸.
const BITS: usize = 8;
const SHORTEST: usize = 2;
const LONGEST: usize = 9;

/// The number of a player's lines of each length. The greater of two is that of the longer lines: the longest are
/// compared first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lengths(u64);

impl Lengths {
    /// The lines among some stones.
    pub(super) fn among(stones: Set) -> Self {
        let mut lengths = Self::default();
        let mut placed = 0;
        for cell in each(stones) {
            placed |= Cell::bit(cell);
            lengths.join(cell, placed);
        }
        lengths
    }

    /// The number of lines of a length, which is at least 2 and at most 9.
    pub const fn count(self, length: usize) -> u8 {
        (self.0 >> (BITS * (length - SHORTEST))) as u8
    }

    /// The length of the longest line; `None` if there is none.
    pub fn longest(self) -> Option<usize> {
        (SHORTEST..=LONGEST).rev().find(|&length| self.count(length) > 0)
    }

    /// Takes in a stone, which is one of `stones`: it makes lines longer, and joins them.
    #[inline]
    pub(super) fn join(&mut self, stone: Cell, stones: Set) {
        for (down, right) in AXES {
            let run = |down, right| {
                let towards = stone.towards(down, right);
                towards.take_while(|cell| stones & cell.bit() != 0).count()
            };
            let (before, behind) = (run(-down, -right), run(down, right));
            if before + behind > 0 {
                self.0 = self.0 - unit(before) - unit(behind) + unit(before + behind + 1);
            }
        }
    }
}

/// One line of a length; nothing for a stone alone.
#[inline]
const fn unit(length: usize) -> u64 {
    if length < SHORTEST {
        0
    } else {
        1 << (BITS * (length - SHORTEST))
    }
}
