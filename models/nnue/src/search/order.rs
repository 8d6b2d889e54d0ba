//! The order in which actions are tried.

use chase_engine::chase::{Action, MAX_ACTIONS, Position};
use chase_engine::{Chase, Game, Player};

/// Actions with what they gain, in the order in which they are tried.
pub(super) type Ranked = Vec<(Action, i32)>;

/// The last two quiet actions that caused a cut-off at a ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Killers([Option<Action>; 2]);

impl Killers {
    pub fn remember(&mut self, action: Action) {
        if self.0[0] != Some(action) {
            self.0 = [Some(action), self.0[0]];
        }
    }
}

/// Success of quiet actions so far, by their policy index, which is relative to the player to move.
#[derive(Debug)]
pub(super) struct Order {
    history: Vec<i32>,
}

/// The success of an action stays below this.
const MOST: i32 = 1 << 14;
const GAIN: i32 = 1 << 20;

impl Default for Order {
    fn default() -> Self {
        Self {
            history: vec![0; Chase::POLICY_SIZE],
        }
    }
}

impl Order {
    pub fn forget(&mut self) {
        self.history.fill(0);
    }

    /// All legal actions with what they gain, best first: the best one known, gains, killers, then success so far.
    pub fn ranked(&self, position: &Position, best: Option<Action>, killers: &Killers) -> Ranked {
        let mut actions = Vec::with_capacity(MAX_ACTIONS / 2);
        position.for_each_action(|action| {
            let gains = position.gain(action);
            let rank = if best == Some(action) {
                i32::MAX
            } else if gains > 0 {
                GAIN + gains
            } else if killers.0[0] == Some(action) {
                GAIN - 1
            } else if killers.0[1] == Some(action) {
                GAIN - 2
            } else {
                self.history[index(position, action)]
            };
            actions.push((action, gains, rank));
        });
        actions.sort_by_key(|&(_, _, rank)| std::cmp::Reverse(rank));
        actions.into_iter().map(|(action, gains, _)| (action, gains)).collect()
    }

    /// The actions that gain something, largest gain first.
    pub fn gains(&self, position: &Position) -> Ranked {
        let mut actions = Vec::new();
        position.for_each_gain(|action, gains| actions.push((action, gains)));
        actions.sort_by_key(|&(_, gains)| std::cmp::Reverse(gains));
        actions
    }

    /// Notes that a quiet action caused a cut-off, and that those tried before it did not.
    pub fn reward(&mut self, position: &Position, action: Action, tried: impl Iterator<Item = Action>, depth: u32) {
        let bonus = ((depth * depth) as i32).min(400);
        let mut change = |action: Action, by: i32| {
            let success = &mut self.history[index(position, action)];
            // Towards the limit ever more slowly.
            *success += by - *success * by.abs() / MOST;
        };
        change(action, bonus);
        for action in tried {
            change(action, -bonus);
        }
    }
}

fn index(position: &Position, action: Action) -> usize {
    match position.to_move() {
        Player::White => action.policy_index(),
        Player::Black => action.rotated().policy_index(),
    }
}
