//! The dice that an action wins at once.

use super::position::{DICE, LOST};
use super::{Action, Bitboard, Position, geometry};
use crate::Player;

impl Position {
    /// Dice of a player more than of the enemy.
    #[inline]
    pub fn lead(&self, player: Player) -> i32 {
        self.dice(player).count() as i32 - self.dice(!player).count() as i32
    }

    /// Dice that a legal action wins for the player to move: those captured, and one if a die splits in the Chamber. A capture that
    /// ends the game counts ten more.
    #[inline]
    pub fn gain(&self, action: Action) -> i32 {
        let Action::Move { from, direction } = action else {
            return 0;
        };
        let Some(die) = self.die(from) else {
            return 0;
        };
        // Most moves end on an empty cell, and need not be played to see that they gain nothing.
        let target = Bitboard::from_cell(geometry::path(from, direction, die.speed).target);
        if !target.intersects(self.occupied() | Bitboard::CHAMBER) {
            return 0;
        }
        let player = self.to_move();
        let mut next = *self;
        next.play_unchecked(action);
        let wins = next.dice(!player).count() <= LOST;
        next.lead(player) - self.lead(player) + if wins { DICE as i32 } else { 0 }
    }
}
