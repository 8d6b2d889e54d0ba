//! The memory of one ply, and the order in which its actions are tried.

use std::cmp::Reverse;

use super::settings::Memory;
use crate::Game;

/// A legal action, with what it gains and when it is tried: the highest rank first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked<A> {
    pub action: A,
    pub gain: i32,
    rank: i32,
}

/// Memory of one ply.
#[derive(Debug)]
pub(super) struct Frame<G: Game> {
    pub game: G,
    /// True if the game is the game of the frame before, after an action.
    pub follows: bool,
    /// Those already tried come first.
    pub actions: Vec<Ranked<G::Action>>,
    /// The last two quiet actions that caused a cut-off at this ply.
    // Two, as in most chess programs. Not measured.
    pub killers: [Option<G::Action>; 2],
    /// The line that both players follow from here.
    pub line: Vec<G::Action>,
    legal: Vec<G::Action>,
}

impl<G: Game> Frame<G> {
    pub fn new(game: G) -> Self {
        Self {
            game,
            follows: false,
            actions: Vec::new(),
            killers: [None; 2],
            line: Vec::new(),
            legal: Vec::new(),
        }
    }

    /// Lists all legal actions: the best one known first, then gains, killers, and what succeeded so far.
    pub fn rank(&mut self, history: &History, best: Option<G::Action>) {
        self.game.legal_actions(&mut self.legal);
        let (game, [first, second]) = (&self.game, self.killers);
        let ranked = |&action: &G::Action| {
            let gain = game.gain(action);
            let rank = if best == Some(action) {
                i32::MAX
            } else if gain > 0 {
                GAIN + gain
            } else if first == Some(action) {
                GAIN - 1
            } else if second == Some(action) {
                GAIN - 2
            } else {
                history.success[game.policy_index(action)]
            };
            Ranked { action, gain, rank }
        };
        self.actions.clear();
        self.actions.extend(self.legal.iter().map(ranked));
    }

    /// Lists the legal actions of quiescence search: those that gain something, or all where the position is unsettled.
    pub fn rank_gains(&mut self, history: &History, unsettled: bool) {
        self.actions.clear();
        let actions = &mut self.actions;
        if unsettled {
            self.game.legal_actions(&mut self.legal);
            actions.extend(self.legal.iter().map(|&action| {
                let gain = self.game.gain(action);
                let rank = match (history.memory, gain) {
                    (Memory::Deeper, 0) => history.success[self.game.policy_index(action)],
                    (Memory::Deeper, gain) => GAIN + gain,
                    (Memory::SameDepth, gain) => gain,
                };
                Ranked { action, gain, rank }
            }));
        } else {
            self.game.for_each_gain(|action, gain| {
                actions.push(Ranked {
                    action,
                    gain,
                    rank: gain,
                });
            });
        }
    }

    /// Moves the action of highest rank among those from `next` on to `next`, and returns it.
    pub fn pick(&mut self, next: usize, memory: Memory) -> Ranked<G::Action> {
        let rest = &mut self.actions[next..];
        if memory == Memory::Deeper && next >= SORTED {
            // Where the first ones cause no cut-off, all will be tried.
            if next == SORTED {
                rest.sort_by_key(|ranked| Reverse(ranked.rank));
            }
            return rest[0];
        }
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].rank > rest[best].rank {
                best = index;
            }
        }
        let picked = rest[best];
        match memory {
            Memory::SameDepth => rest.swap(0, best),
            // Those of equal rank keep their order.
            Memory::Deeper => {
                rest.copy_within(..best, 1);
                rest[0] = picked;
            }
        }
        picked
    }

    /// Notes that the quiet action at `number` in the list caused a cut-off, and that those before it did not.
    pub fn remember_cut(&mut self, number: usize, depth: u32, history: &mut History) {
        let action = self.actions[number].action;
        if self.killers[0] != Some(action) {
            self.killers = [Some(action), self.killers[0]];
        }
        let game = &self.game;
        let tried = self.actions[..number]
            .iter()
            .map(|tried| game.policy_index(tried.action));
        // The square of the depth, as in chess programs: cut-offs near the root are rarer and save more. Not measured.
        history.reward(game.policy_index(action), tried, (depth * depth) as i32);
    }
}

/// Actions after which the rest of a list is sorted at once.
// Not measured by itself. To put actions in order only as far as they are tried makes no difference (study 0060).
const SORTED: usize = 3;

/// Rank of an action that gains, without its gain: above every success.
// 2²⁴ is the most that a success can be, and gains are far below 2²⁸.
const GAIN: i32 = 1 << 28;

/// Success of quiet actions so far, by policy index, which is relative to the player to move.
#[derive(Debug)]
pub(super) struct History {
    success: Vec<i32>,
    memory: Memory,
}

impl History {
    /// With [`Memory::SameDepth`], all are halved beyond this.
    const MOST_SUM: i32 = 1 << 24;
    /// With [`Memory::Deeper`], the success of an action stays below this.
    // The limit and the formula of `change` are those of chess programs ("history gravity"). Not measured.
    const MOST: i32 = 1 << 14;

    pub fn new(memory: Memory, policy_size: usize) -> Self {
        Self {
            success: vec![0; policy_size],
            memory,
        }
    }

    pub fn clear(&mut self) {
        self.success.fill(0);
    }

    fn reward(&mut self, action: usize, tried: impl Iterator<Item = usize>, bonus: i32) {
        if self.memory == Memory::SameDepth {
            self.success[action] += bonus;
            if self.success[action] > Self::MOST_SUM {
                self.success.iter_mut().for_each(|success| *success /= 2);
            }
            return;
        }
        let mut change = |action: usize, by: i32| {
            let success = &mut self.success[action];
            // Towards the limit ever more slowly.
            *success += by - *success * by.abs() / Self::MOST;
        };
        // One deep cut-off must not outweigh all others: 400 is 2.4 % of the limit, and depth 20. Not measured.
        let bonus = bonus.min(400);
        change(action, bonus);
        tried.for_each(|action| change(action, -bonus));
    }
}
