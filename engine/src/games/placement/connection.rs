//! Connected groups that touch sides of a hexagon.

use super::board::Set;
use super::cell::{Cell, first};
use super::hexagon::Hexagon;
use super::stones::Stones;
use crate::Player;

/// Three sets of cells that a group must touch, all of them, to win.
pub(super) type Goal = [Set; 3];

/// True if the group of a cell among a player's stones touches all three parts of a goal.
#[inline]
pub(super) fn wins<const SIDE: usize>(stones: Set, cell: Cell<Hexagon<SIDE>>, goals: &[Goal]) -> bool {
    // Most positions are far from any goal, and the group need not be looked for.
    goals.iter().any(|goal| touches(stones, goal)) && {
        let (group, _) = Hexagon::group(cell, stones);
        goals.iter().any(|goal| touches(group, goal))
    }
}

/// The player with a group that touches all three parts of a goal.
pub(super) fn winner<const SIDE: usize>(stones: &Stones<Hexagon<SIDE>>, goals: &[Goal]) -> Option<Player> {
    Player::BOTH.into_iter().find(|&player| {
        let mut rest = stones.of(player);
        while rest != 0 {
            let cell = first(rest);
            if wins::<SIDE>(rest, cell, goals) {
                return true;
            }
            let (group, _) = Hexagon::group(cell, rest);
            rest &= !group;
        }
        false
    })
}

#[inline]
fn touches(cells: Set, goal: &Goal) -> bool {
    goal.iter().all(|part| cells & part != 0)
}
