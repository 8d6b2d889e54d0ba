//! Moves.

use std::fmt;

use super::cell::{CELLS, Cell, SIDE};
use super::piece::Kind;
use super::variant::Variant;
use crate::Player;

/// A move of a piece; that of the king in castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    /// The cell that the piece leaves.
    pub from: Cell,
    /// The cell where it arrives.
    pub to: Cell,
    /// The piece that a pawn becomes on its last rank; `None` for other actions.
    pub promotion: Option<Kind>,
}

/// As UCI writes it, such as `e2e4` and `e7e8q`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |kind| write!(f, "{}", kind.letter()))
    }
}

/// Planes of a policy: queen's moves by direction and distance, knight's moves, and promotions to other kinds than a queen.
pub(super) const POLICY_PLANES: usize = 8 * (SIDE - 1) + 8 + 9;
/// The first plane of knight's moves.
const LEAPS: usize = 8 * (SIDE - 1);
/// The first plane of promotions.
const PROMOTIONS: usize = LEAPS + 8;

impl Cell {
    /// The cell as a player sees it: for Black the ranks are mirrored.
    pub(super) const fn mirrored_for(self, player: Player) -> Self {
        match player {
            Player::White => self,
            Player::Black => Self::new(self.file(), SIDE - 1 - self.rank()),
        }
    }
}

impl Action {
    /// The index in a policy, `plane · 64 + cell` of origin, in the view of `player`: the planes of AlphaZero (Silver et
    /// al., *A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play*, Science 362,
    /// 2018). On the cylinder the direction is that of the shorter route, and east of two equally long ones.
    pub(super) fn policy_index(self, player: Player, variant: Variant) -> usize {
        let (from, to) = (self.from.mirrored_for(player), self.to.mirrored_for(player));
        let side = SIDE as i32;
        let ranks = to.rank() as i32 - from.rank() as i32;
        let mut files = to.file() as i32 - from.file() as i32;
        if variant.joins_files() {
            // From −3 to 4. A diagonal may be longer than that.
            files = (files + 3).rem_euclid(side) - 3;
            if ranks.abs() > 4 {
                files -= files.signum() * side;
            }
        }
        let plane = match self.promotion {
            Some(kind @ (Kind::Knight | Kind::Bishop | Kind::Rook)) => {
                PROMOTIONS + (kind as usize - Kind::Knight as usize) * 3 + (files + 1) as usize
            }
            _ if files.abs().min(ranks.abs()) == 1 && files.abs().max(ranks.abs()) == 2 => {
                let up = usize::from(ranks > 0);
                LEAPS + usize::from(ranks.abs() == 2) * 4 + usize::from(files > 0) * 2 + up
            }
            _ => {
                // The eight pairs of signs but for (0, 0), numbered by rows.
                let signs = (ranks.signum() + 1) * 3 + files.signum() + 1;
                let direction = signs - i32::from(signs > 4);
                let distance = files.abs().max(ranks.abs());
                (direction * (side - 1) + distance - 1) as usize
            }
        };
        plane * CELLS + from.index()
    }
}
