//! The dice that an action wins at once.

use super::position::{DICE, LOST};
use super::{Action, Position, geometry};
use crate::Player;

impl Position {
    /// Calls `visit` for every legal action that wins dice at once, with what it [gains](Position::gain), in the order
    /// of [`Position::legal_actions`].
    #[inline]
    pub fn for_each_gain(&self, mut visit: impl FnMut(Action, i32)) {
        if self.missing() > 0 || self.is_lost() {
            return;
        }
        let obstacles = self.obstacles();
        self.for_each_move(self.to_move(), |from, direction, path| {
            // Most moves end on an empty cell, and need not be played to see that they gain nothing.
            if obstacles.contains(path.target) {
                let action = Action::Move { from, direction };
                let gain = self.gain_of_move(action);
                if gain > 0 {
                    visit(action, gain);
                }
            }
        });
    }

    /// Dice of a player more than of the enemy.
    #[inline]
    pub fn lead(&self, player: Player) -> i32 {
        self.dice(player).count() as i32 - self.dice(!player).count() as i32
    }

    /// Dice that a legal action wins for the player to move: those captured, and one if a die splits in the Chamber. A
    /// capture that ends the game counts ten more.
    #[inline]
    pub fn gain(&self, action: Action) -> i32 {
        let Action::Move { from, direction } = action else {
            return 0;
        };
        let die = self.die(from).expect("a legal move is that of a die");
        let target = geometry::path(from, direction, die.speed).target;
        match self.obstacles().contains(target) {
            true => self.gain_of_move(action),
            false => 0,
        }
    }

    /// The gain of a legal move, by playing it.
    fn gain_of_move(&self, action: Action) -> i32 {
        let player = self.to_move();
        let mut next = *self;
        next.play_unchecked(action);
        let wins = next.dice(!player).count() <= LOST;
        next.lead(player) - self.lead(player) + if wins { DICE as i32 } else { 0 }
    }
}
