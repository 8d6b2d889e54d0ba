//! The aim of a puzzle of Chase.

use chase_engine::chase::DiceAhead;
use chase_engine::proof::{Goal, GoalProgress, Win};
use chase_engine::{Chase, Player};

/// To win the game, or to win dice.
#[derive(Clone, Copy, Debug)]
pub enum ChaseAim {
    Win(Win),
    Dice(DiceAhead),
}

impl ChaseAim {
    /// To win within this many turns of both players; with a `gain`, to have captured that many more dice by then.
    pub const fn new(attacker: Player, gain: Option<i32>, turns: u32) -> Self {
        match gain {
            None => Self::Win(Win::within(attacker, turns)),
            Some(dice) => Self::Dice(DiceAhead { attacker, dice, turns }),
        }
    }

    fn goal(&self) -> &dyn Goal<Chase> {
        match self {
            Self::Win(goal) => goal,
            Self::Dice(goal) => goal,
        }
    }
}

impl Goal<Chase> for ChaseAim {
    fn attacker(&self) -> Player {
        self.goal().attacker()
    }

    fn start(&self) -> GoalProgress {
        self.goal().start()
    }

    fn need_after(&self, before: &Chase, after: &Chase, need: i32) -> i32 {
        self.goal().need_after(before, after, need)
    }

    fn decided(&self, game: &Chase, progress: GoalProgress) -> Option<bool> {
        self.goal().decided(game, progress)
    }

    fn guess(&self, progress: GoalProgress, attacks: bool) -> [u32; 2] {
        self.goal().guess(progress, attacks)
    }
}
