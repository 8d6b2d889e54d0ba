//! The search itself.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use chase_engine::chase::{Action, LOST, Position, Rules, occurrences};
use chase_engine::{Chase, Outcome};

use super::found::{PROVEN, WIN};
use super::judge::Judge;
use super::limits::{Limits, MAX_DEPTH, Pruning};
use super::order::{Killers, Order};
use super::table::{Bound, Table};
use super::window::{INFINITY, Window};

/// The most plies of quiescence search below the horizon.
const QUIESCENCE: u32 = 16;
/// The most plies of a line: extensions may double the depth.
const MAX_PLIES: usize = (2 * MAX_DEPTH + QUIESCENCE) as usize + 2;
/// Nodes between two looks at the clock.
const CLOCK: u64 = 512;
/// Turns before a limit at which its counter enters keys.
const NEAR: u32 = 40;

/// A search with its memory, for one game at a time. The same game, limits without time, and judgement give the same
/// result: nothing is kept from one search to the next.
#[derive(Debug)]
pub struct Searcher<J> {
    judge: J,
    pub(super) pruning: Pruning,
    table: Table,
    pub(super) order: Order,
    killers: Vec<Killers>,
    /// Principal variation of each ply.
    pub(super) lines: Vec<Vec<Action>>,
    /// Keys of all positions before the one that is looked at, oldest first.
    earlier: Vec<u128>,
    rules: Rules,
    limits: Limits,
    pub(super) nodes: u64,
    deadline: Option<Instant>,
    /// True if a limit may end the search; `stopped` is true once it has.
    pub(super) may_stop: bool,
    pub(super) stopped: bool,
}

impl<J: Judge> Searcher<J> {
    /// A search with a transposition table of this size in MiB.
    pub fn new(judge: J, pruning: Pruning, table_mib: usize) -> Self {
        Self {
            judge,
            pruning,
            table: Table::new(table_mib),
            order: Order::default(),
            killers: vec![Killers::default(); MAX_PLIES],
            lines: vec![Vec::new(); MAX_PLIES],
            earlier: Vec::new(),
            rules: Rules::default(),
            limits: Limits::default(),
            nodes: 0,
            deadline: None,
            may_stop: false,
            stopped: false,
        }
    }

    /// The value of a position for its player to move, without a search, in thousandths of a logit.
    pub fn judgement(&mut self, position: &Position) -> i32 {
        self.judge.begin(position);
        self.judge.value()
    }

    pub(super) fn begin(&mut self, game: &Chase, limits: &Limits) {
        self.table.forget();
        self.order.forget();
        self.killers.fill(Killers::default());
        self.earlier.clear();
        self.earlier.extend_from_slice(game.earlier());
        self.rules = *game.rules();
        self.limits = *limits;
        self.nodes = 0;
        self.stopped = false;
        self.deadline = limits.time.map(|time| Instant::now() + time);
        self.judge.begin(game.position());
    }

    /// The value of an action for the player to move, the `number`-th one that is tried; the first one searched in
    /// full, others only if they may be better. `gain` is what it gains.
    #[allow(clippy::too_many_arguments, reason = "each is what one node of the recursion knows")]
    pub(super) fn child(
        &mut self,
        position: &Position,
        action: Action,
        window: Window,
        ply: usize,
        number: usize,
        gain: i32,
        stop: Option<&AtomicBool>,
    ) -> i32 {
        let mut next = *position;
        next.play_unchecked(action);
        let same = next.to_move() == position.to_move();
        // Who absorbs acts again: the choice of a die is not a ply of its own.
        let free = self.pruning.extensions && same;
        let below = Window {
            depth: window.depth - u32::from(!free),
            ..window
        };
        self.judge.push(&next);
        self.earlier.push(position.key());
        let value = |this: &mut Self, window: Window| match same {
            true => this.value(&next, window, ply + 1, stop),
            false => -this.value(&next, window.turned(), ply + 1, stop),
        };
        let result = 'result: {
            if number == 0 {
                break 'result value(self, below);
            }
            let null = Window {
                beta: below.alpha + 1,
                ..below
            };
            let less = match self.pruning.reductions
                && ply > 0
                && !same
                && gain == 0
                && window.depth >= 3
                && next.missing() == 0
            {
                true => reduction(window.depth, number, !window.is_null()),
                false => 0,
            };
            if less > 0 {
                let depth = null.depth.saturating_sub(less).max(1);
                let found = value(self, Window { depth, ..null });
                if found <= window.alpha || self.stopped {
                    break 'result found;
                }
            }
            let found = value(self, null);
            if found <= window.alpha || found >= window.beta || self.stopped {
                break 'result found;
            }
            value(self, below)
        };
        self.earlier.pop();
        self.judge.pop();
        result
    }

    /// The value of a position for its player to move.
    fn value(&mut self, position: &Position, window: Window, ply: usize, stop: Option<&AtomicBool>) -> i32 {
        self.nodes += 1;
        self.lines[ply].clear();
        self.look_at_limits(stop);
        if self.stopped {
            return 0;
        }
        let occurrences = match self.rules.repetition {
            Some(_) => 1 + occurrences(&self.earlier, position.key()),
            None => 1,
        };
        if let Some(value) = self.end(position, occurrences, ply) {
            return value;
        }
        if window.depth == 0 || ply + QUIESCENCE as usize + 2 >= MAX_PLIES {
            return match self.pruning.quiescence {
                true => self.quiescence(position, window, ply, QUIESCENCE, stop),
                false => self.judge.value(),
            };
        }
        self.negamax(position, window, ply, occurrences, stop)
    }

    /// The value of a game that is over for the player to move; `None` if it continues.
    fn end(&mut self, position: &Position, occurrences: u32, ply: usize) -> Option<i32> {
        let (outcome, _) = position.end(&self.rules, occurrences)?;
        Some(match outcome {
            Outcome::Win(winner) if winner == position.to_move() => WIN - ply as i32,
            Outcome::Win(_) => ply as i32 - WIN,
            Outcome::Draw => 0,
            // A game that the length limit ends has no value: it is judged like a position at the horizon.
            Outcome::Truncated => self.judge.value(),
        })
    }

    fn look_at_limits(&mut self, stop: Option<&AtomicBool>) {
        if !self.may_stop || self.stopped {
            return;
        }
        let nodes = self.limits.nodes.is_some_and(|most| self.nodes > most);
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let told = || stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.stopped = nodes || (self.nodes.is_multiple_of(CLOCK) && (told() || late()));
    }

    /// The key of the position in the table.
    fn key(&self, position: &Position, occurrences: u32) -> u64 {
        let near = |limit: Option<NonZero<u32>>, now: u32| {
            limit
                .filter(|limit| now.saturating_add(NEAR) >= limit.get())
                .map_or(0, |_| u64::from(now) + 1)
        };
        let counters = [
            u64::from(occurrences - 1),
            near(self.rules.quiet_turns, position.quiet_turns()),
            near(self.rules.max_turns, position.turns_played()),
        ];
        let mixed = counters.iter().fold(0_u64, |mixed, counter| {
            (mixed ^ counter).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        });
        (position.key() as u64) ^ mixed
    }

    fn negamax(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        occurrences: u32,
        stop: Option<&AtomicBool>,
    ) -> i32 {
        let Window { depth, beta, .. } = window;
        let mut alpha = window.alpha;
        let key = self.key(position, occurrences);
        let stored = self.table.get(key);
        if let Some(entry) = stored {
            let enough = self.pruning.results && entry.depth >= depth;
            let value = from_here(entry.value, ply);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= beta,
                Bound::AtMost => value <= alpha,
            };
            // In a wide window the line is wanted too.
            if enough && decides && window.is_null() {
                return value;
            }
        }
        let absorbs = position.missing() > 0;
        let calm = window.is_null() && !absorbs && beta.abs() < PROVEN;
        let judged = match calm && (self.pruning.futility || self.pruning.null_move) {
            true => self.judge.value(),
            false => 0,
        };
        if calm && self.pruning.futility && depth <= 3 && judged - MARGIN * depth as i32 >= beta {
            return judged;
        }
        if calm
            && self.pruning.null_move
            && depth >= 3
            && judged >= beta
            && position.dice(position.to_move()).count() > LOST + 1
            && self.earlier.last().is_none_or(|&last| last != position.key())
        {
            let value = self.after_a_pass(position, window, ply, stop);
            if self.stopped {
                return 0;
            }
            if value >= beta {
                // The bound alone: a win behind a pass is no proof.
                return beta;
            }
        }
        let hopeless = calm && self.pruning.futility && depth <= 2 && judged + MARGIN * (depth as i32 + 1) <= alpha;
        let best_known = stored.and_then(|entry| entry.best);
        let actions = self.order.ranked(position, best_known, &self.killers[ply]);
        let (mut best, mut value) = (None, -INFINITY);
        for number in 0..actions.len() {
            let (action, gains) = actions[number];
            if hopeless && number > 0 && gains == 0 {
                // What is left gains nothing either. The judgement stands for it.
                value = value.max(judged + MARGIN * (depth as i32 + 1));
                break;
            }
            let next = self.child(position, action, Window { alpha, ..window }, ply, number, gains, stop);
            if self.stopped {
                return 0;
            }
            if next > value {
                (value, best) = (next, Some(action));
                if value > alpha {
                    alpha = value;
                    let (line, below) = self.lines.split_at_mut(ply + 1);
                    line[ply].clear();
                    line[ply].push(action);
                    line[ply].extend_from_slice(&below[0]);
                }
            }
            if value >= beta {
                if gains == 0 {
                    self.killers[ply].remember(action);
                    let tried = actions[..number].iter().map(|(action, _)| *action);
                    self.order.reward(position, action, tried, depth);
                }
                break;
            }
        }
        let bound = if value >= beta {
            Bound::AtLeast
        } else if value > window.alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        };
        self.table.put(key, depth, from_there(value, ply), bound, best);
        value
    }

    /// The value for the player to move if the turn passes, less deeply.
    fn after_a_pass(&mut self, position: &Position, window: Window, ply: usize, stop: Option<&AtomicBool>) -> i32 {
        let passed = position.passed().expect("only a calm position is passed in");
        let less = 3 + window.depth / 4;
        let below = Window {
            depth: window.depth.saturating_sub(less),
            alpha: window.beta - 1,
            beta: window.beta,
        };
        self.judge.push(&passed);
        // The position after a pass is no position of the game. Its own key before it marks that the next ply may not
        // pass.
        self.earlier.push(passed.key());
        let value = -self.value_after_pass(&passed, below.turned(), ply + 1, stop);
        self.earlier.pop();
        self.judge.pop();
        value
    }

    fn value_after_pass(&mut self, position: &Position, window: Window, ply: usize, stop: Option<&AtomicBool>) -> i32 {
        self.nodes += 1;
        self.lines[ply].clear();
        if position.decision().is_some() {
            // Not a move's doing: no reason to cut off.
            return INFINITY;
        }
        match window.depth {
            0 => self.quiescence(position, window, ply, QUIESCENCE, stop),
            _ => self.negamax(position, window, ply, 1, stop),
        }
    }

    /// The value for the player to move if both sides only make actions that gain something, or stop.
    fn quiescence(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        left: u32,
        stop: Option<&AtomicBool>,
    ) -> i32 {
        let mut alpha = window.alpha;
        let unsettled = position.missing() > 0;
        let mut value = match unsettled && left > 0 {
            true => -INFINITY,
            false => self.judge.value(),
        };
        if left == 0 || value >= window.beta {
            return value;
        }
        alpha = alpha.max(value);
        let actions = match unsettled {
            true => self.order.ranked(position, None, &Killers::default()),
            false => self.order.gains(position),
        };
        for (action, _) in actions {
            let mut next = *position;
            next.play_unchecked(action);
            self.nodes += 1;
            self.look_at_limits(stop);
            if self.stopped {
                return 0;
            }
            self.judge.push(&next);
            let found = if let Some((outcome, _)) = next.end(&self.rules, 1) {
                match outcome {
                    Outcome::Win(winner) if winner == position.to_move() => WIN - (ply as i32 + 1),
                    Outcome::Win(_) => ply as i32 + 1 - WIN,
                    Outcome::Draw => 0,
                    Outcome::Truncated if next.to_move() == position.to_move() => self.judge.value(),
                    Outcome::Truncated => -self.judge.value(),
                }
            } else if next.to_move() == position.to_move() {
                self.quiescence(&next, Window { alpha, ..window }, ply + 1, left - 1, stop)
            } else {
                -self.quiescence(&next, Window { alpha, ..window }.turned(), ply + 1, left - 1, stop)
            };
            self.judge.pop();
            value = value.max(found);
            alpha = alpha.max(value);
            if value >= window.beta {
                break;
            }
        }
        value
    }
}

/// Change of value that one ply of quiet play may make, in thousandths of a logit: about half a die between equal
/// players.
const MARGIN: i32 = 350;

/// Plies by which a late action is searched less deeply at first.
fn reduction(depth: u32, number: usize, wide: bool) -> u32 {
    if number < 3 {
        return 0;
    }
    let full = 0.5 + f64::from(depth).ln() * (number as f64).ln() / 2.2;
    (full as u32).saturating_sub(u32::from(wide)).min(depth - 2)
}

/// A value seen from the root, of one stored with the distance from its position.
const fn from_here(value: i32, ply: usize) -> i32 {
    if value > PROVEN {
        value - ply as i32
    } else if value < -PROVEN {
        value + ply as i32
    } else {
        value
    }
}

/// The reverse of [`from_here`].
const fn from_there(value: i32, ply: usize) -> i32 {
    if value > PROVEN {
        value + ply as i32
    } else if value < -PROVEN {
        value - ply as i32
    } else {
        value
    }
}
