//! The aim of a puzzle.

use chase_engine::chase::DiceAhead;
use chase_engine::proof::{Goal, GoalProgress, Win};
use chase_engine::{Game, Player};

use super::served::as_chase;

/// To win the game, or to win dice of Chase.
#[derive(Clone, Copy, Debug)]
pub enum Aim {
    Win(Win),
    Dice(DiceAhead),
}

/// Only puzzles of Chase have a gain.
const CHASE: &str = "dice are won in Chase only";

impl Aim {
    /// To win within this many turns of both players; with a `gain`, to have captured that many more dice by then.
    pub const fn new(attacker: Player, gain: Option<i32>, turns: u32) -> Self {
        match gain {
            None => Self::Win(Win::within(attacker, turns)),
            Some(dice) => Self::Dice(DiceAhead { attacker, dice, turns }),
        }
    }
}

impl<G: Game> Goal<G> for Aim {
    fn attacker(&self) -> Player {
        match self {
            Self::Win(goal) => Goal::<G>::attacker(goal),
            Self::Dice(goal) => goal.attacker(),
        }
    }

    fn start(&self) -> GoalProgress {
        match self {
            Self::Win(goal) => Goal::<G>::start(goal),
            Self::Dice(goal) => goal.start(),
        }
    }

    fn need_after(&self, before: &G, after: &G, need: i32) -> i32 {
        match self {
            Self::Win(goal) => goal.need_after(before, after, need),
            Self::Dice(goal) => goal.need_after(as_chase(before).expect(CHASE), as_chase(after).expect(CHASE), need),
        }
    }

    fn decided(&self, game: &G, progress: GoalProgress) -> Option<bool> {
        match self {
            Self::Win(goal) => goal.decided(game, progress),
            Self::Dice(goal) => goal.decided(as_chase(game).expect(CHASE), progress),
        }
    }

    fn guess(&self, progress: GoalProgress, attacks: bool) -> [u32; 2] {
        match self {
            Self::Win(goal) => Goal::<G>::guess(goal, progress, attacks),
            Self::Dice(goal) => goal.guess(progress, attacks),
        }
    }
}
