//! The goal to win dice.

use super::Chase;
use crate::proof::{Goal, GoalProgress};
use crate::{Game, Player};

/// The most dice that one turn can capture: one at each exit of the Chamber.
const MOST_CAPTURED: i64 = 2;

/// Turns of the other player that a proof has to answer each time, as far as [`Goal::guess`] counts them.
const ANSWERS: u32 = 8;
/// Larger numbers say nothing more, and their sum would overflow.
const MOST_GUESSED: u32 = 1 << 20;

/// To be ahead in captured dice, own captures minus the opponent's since the beginning, at the end of a number of turns
/// of either player.
///
/// At the end, not on the way: a die that is recaptured within the turns is not won, and one that could be recaptured
/// in the turn after them is. Dice that a Chamber move splits off do not count. The choice of a die that absorbs
/// belongs to the turn that it begins. A game that ends before keeps its captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiceAhead {
    /// The player who wants the dice.
    pub attacker: Player,
    /// Lead in captured dice to reach. 0 or less: not to fall behind, or by no more than that.
    pub dice: i32,
    /// Turns, of either player, after which the lead counts.
    pub turns: u32,
}

impl Goal<Chase> for DiceAhead {
    fn attacker(&self) -> Player {
        self.attacker
    }

    fn start(&self) -> GoalProgress {
        GoalProgress {
            need: self.dice,
            turns: Some(self.turns),
        }
    }

    fn need_after(&self, before: &Chase, after: &Chase, need: i32) -> i32 {
        let actor = before.to_move();
        let count = |game: &Chase| game.position().dice(!actor).count() as i32;
        let captured = count(before) - count(after);
        if actor == self.attacker {
            need.saturating_sub(captured)
        } else {
            need.saturating_add(captured)
        }
    }

    fn decided(&self, game: &Chase, progress: GoalProgress) -> Option<bool> {
        let (turns, need) = (progress.turns.unwrap_or(u32::MAX), i64::from(progress.need));
        if turns == 0 || game.end().is_some() {
            return Some(need <= 0);
        }
        let [own, other] = shares(turns, game.to_move() == self.attacker);
        if need > MOST_CAPTURED * i64::from(own) {
            Some(false)
        } else if need <= -MOST_CAPTURED * i64::from(other) {
            Some(true)
        } else {
            None
        }
    }

    /// A player who wants to show more must answer each turn of the other player: the search looks like the full one,
    /// which in 8 turns from the beginning of the game takes a third of the time that it takes without this guess.
    fn guess(&self, progress: GoalProgress, attacks: bool) -> [u32; 2] {
        let [own, other] = shares(progress.turns.unwrap_or(u32::MAX), attacks);
        [other, own].map(|turns| ANSWERS.saturating_pow(turns).min(MOST_GUESSED))
    }
}

/// The attacker's and the defender's part of these turns.
const fn shares(turns: u32, attacks: bool) -> [u32; 2] {
    let (more, fewer) = (turns.div_ceil(2), turns / 2);
    if attacks { [more, fewer] } else { [fewer, more] }
}
