//! Plies: one step or one jump.

use super::board::Board;
use super::cell::{CELLS, Cell};
use super::direction::Direction;
use super::variant::Base;
use crate::Player;

/// A step or a jump of the stack on a cell. In a position one direction allows at most one of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Action {
    /// The cell that the stack leaves.
    pub from: Cell,
    /// The direction, as the first player sees it.
    pub direction: Direction,
    /// True if it jumps over the next cell to the one behind it.
    pub jump: bool,
}

impl Action {
    /// The cell jumped, if any, and the cell where the stack ends; `None` if the action leaves the board.
    #[inline]
    pub(super) fn way(self, board: Board) -> Option<(Option<Cell>, Cell)> {
        let over_ends = board.joins_ranks_for_kings();
        let next = self.direction.neighbour(self.from, board, over_ends)?;
        if self.jump {
            Some((Some(next), self.direction.neighbour(next, board, over_ends)?))
        } else {
            Some((None, next))
        }
    }

    /// The index in a policy, `direction · 64 + cell`, in the view of `player`.
    pub(super) const fn policy_index(self, player: Player, base: Base) -> usize {
        let direction = self.direction.seen_by(player, base);
        direction as usize * CELLS + self.from.seen_by(player, base).index()
    }
}

impl Direction {
    /// The direction in a player's view of the board; see [`Cell::seen_by`].
    pub const fn seen_by(self, player: Player, base: Base) -> Self {
        match (player, base) {
            (Player::White, _) => self,
            (Player::Black, Base::Checkers | Base::Stax) => self.opposite(),
            (Player::Black, Base::Queens) => self.reflected(),
        }
    }
}
