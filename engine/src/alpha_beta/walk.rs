//! The search below its first position.

use std::sync::atomic::{AtomicBool, Ordering};

use super::frame::Frame;
use super::settings::{Limits, MAX_DEPTH, Memory};
use super::table::{Bound, Entry};
use super::value::{INFINITY, WIN, from_here, from_there, is_proven};
use super::window::Window;
use super::{AlphaBeta, Evaluator};
use crate::{Game, Moment, Outcome};

/// The most plies of quiescence search below the horizon.
// Without quiescence −121 Elo [−174, −68] at 3,000 nodes (study 0045). Its limit was not measured.
const QUIESCENCE: u32 = 16;
/// The most plies of a line: extensions may double the depth.
const MAX_PLIES: usize = (2 * MAX_DEPTH + QUIESCENCE) as usize + 2;
/// Change of value that one ply of quiet play may make, in thousandths of a logit: in Chase, about half a die between equal
/// players.
// Without futility −106 Elo [−151, −60] at 3,000 nodes and −168 [−243, −94] at 20,000 (study 0045). Other margins were
// not measured.
const MARGIN: i32 = 350;

/// One search under way.
pub(super) struct Walk<'s, G: Game, E> {
    pub search: &'s mut AlphaBeta<G, E>,
    limits: Limits,
    deadline: Option<Moment>,
    stop: Option<&'s AtomicBool>,
    pub nodes: u64,
    /// True if a limit may end the search; `stopped` is true once it has.
    pub may_stop: bool,
    pub stopped: bool,
}

impl<'s, G: Game, E: Evaluator<G>> Walk<'s, G, E> {
    /// Forgets all earlier searches, and sets the clock.
    pub fn new(search: &'s mut AlphaBeta<G, E>, game: &G, limits: Limits, stop: Option<&'s AtomicBool>) -> Self {
        search.table.clear();
        search.history.clear();
        search.evaluator.begin(game);
        for frame in &mut search.frames {
            frame.killers = [None; 2];
            frame.follows = false;
        }
        match search.frames.first_mut() {
            Some(frame) => frame.game.clone_from(game),
            None => search.frames.push(Frame::new(game.clone())),
        }
        Self {
            search,
            limits,
            deadline: limits.time.map(|time| Moment::now() + time),
            stop,
            nodes: 0,
            may_stop: false,
            stopped: false,
        }
    }

    /// The value of an action of the game at `ply` for its player to move, the `number`-th one that is tried; the first
    /// one searched in full, others only if they may be better. `gain` is what it gains.
    pub fn child(&mut self, ply: usize, action: G::Action, window: Window, number: usize, gain: i32) -> i32 {
        let same = self.play(ply, action);
        // Who acts again has made half a ply: in Chase, the choice of a die that absorbs.
        // Without this extension −65 Elo [−110, −20] at 3,000 nodes (study 0045).
        let free = self.search.settings.pruning.extensions && same;
        let below = Window {
            depth: window.depth - u32::from(!free),
            ..window
        };
        let value = |walk: &mut Self, window: Window| match same {
            true => walk.value(ply + 1, window),
            false => -walk.value(ply + 1, window.turned()),
        };
        let result = 'result: {
            if number == 0 {
                break 'result value(self, below);
            }
            let null = Window {
                beta: below.alpha + 1,
                ..below
            };
            // Not at the root: there reductions bring −1 Elo [−4, 1] (study 0060).
            let may_reduce = ply > 0 && !same && gain == 0 && window.depth >= 3;
            if may_reduce && self.search.settings.pruning.reductions && !self.search.frames[ply + 1].game.is_unsettled()
            {
                let less = reduction(window.depth, number, !window.is_null());
                if less > 0 {
                    let depth = null.depth.saturating_sub(less).max(1);
                    let found = value(self, Window { depth, ..null });
                    if found <= window.alpha || self.stopped {
                        break 'result found;
                    }
                }
            }
            let found = value(self, null);
            if found <= window.alpha || found >= window.beta || self.stopped {
                break 'result found;
            }
            value(self, below)
        };
        self.search.evaluator.pop();
        result
    }

    /// Plays an action of the game at `ply`, in the frame after it. True if the same player acts again.
    fn play(&mut self, ply: usize, action: G::Action) -> bool {
        let frames = &mut self.search.frames;
        if frames.len() == ply + 1 {
            frames.push(Frame::new(frames[ply].game.clone()));
        }
        let (before, after) = frames.split_at_mut(ply + 1);
        let (game, next) = (&before[ply].game, &mut after[0].game);
        if after[0].follows {
            next.replace(game, action);
        } else {
            next.clone_from(game);
            next.apply(action);
            after[0].follows = true;
        }
        if let Some(frame) = after.get_mut(1) {
            frame.follows = false;
        }
        let next = &after[0].game;
        self.search.evaluator.push(next);
        next.to_move() == game.to_move()
    }

    /// The value of the game at `ply` for its player to move.
    fn value(&mut self, ply: usize, window: Window) -> i32 {
        self.nodes += 1;
        self.search.frames[ply].line.clear();
        self.look_at_limits();
        if self.stopped {
            return 0;
        }
        if let Some(value) = self.end(ply) {
            return value;
        }
        if window.depth > 0 && ply + QUIESCENCE as usize + 2 < MAX_PLIES {
            self.negamax(ply, window)
        } else if self.search.settings.pruning.quiescence {
            self.quiescence(ply, window, QUIESCENCE)
        } else {
            self.judgement(ply)
        }
    }

    /// The value of the game at `ply` without a search.
    fn judgement(&mut self, ply: usize) -> i32 {
        self.search.evaluator.value(&self.search.frames[ply].game)
    }

    /// The value of the game at `ply` if it is over; `None` if it continues.
    fn end(&mut self, ply: usize) -> Option<i32> {
        let game = &self.search.frames[ply].game;
        Some(match game.outcome()? {
            Outcome::Win(winner) if winner == game.to_move() => WIN - ply as i32,
            Outcome::Win(_) => ply as i32 - WIN,
            Outcome::Draw => 0,
            // A game that the length limit ends has no value: it is judged like a position at the horizon.
            Outcome::Truncated => self.judgement(ply),
        })
    }

    fn look_at_limits(&mut self) {
        if !self.may_stop || self.stopped {
            return;
        }
        let nodes = self.limits.nodes.is_some_and(|most| self.nodes > most);
        let late = || self.deadline.is_some_and(|deadline| Moment::now() >= deadline);
        let told = || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.stopped = nodes || (self.nodes.is_multiple_of(self.search.evaluator.nodes_a_look()) && (told() || late()));
    }

    /// The key of a position in the table.
    fn key(&self, ply: usize) -> u128 {
        let game = &self.search.frames[ply].game;
        match self.search.settings.memory {
            Memory::SameDepth => game.key(),
            Memory::Deeper => game.near_key(),
        }
    }

    /// The value of a stored result, if it decides.
    fn decided(&self, entry: &Entry<G::Action>, window: Window, ply: usize) -> Option<i32> {
        let enough = match self.search.settings.memory {
            Memory::SameDepth => entry.depth == window.depth,
            // In a wide window the line is wanted too.
            Memory::Deeper => entry.depth >= window.depth && window.is_null(),
        };
        let value = from_here(entry.value, ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= window.beta,
            Bound::AtMost => value <= window.alpha,
        };
        (self.search.settings.pruning.results && enough && decides).then_some(value)
    }

    fn negamax(&mut self, ply: usize, window: Window) -> i32 {
        let Window { depth, beta, .. } = window;
        let mut alpha = window.alpha;
        let key = self.key(ply);
        let stored = self.search.table.get(key);
        if let Some(value) = stored.and_then(|entry| self.decided(&entry, window, ply)) {
            return value;
        }
        let pruning = self.search.settings.pruning;
        let shortcuts = pruning.futility || pruning.null_move;
        let calm = shortcuts && window.is_null() && !is_proven(beta) && !self.search.frames[ply].game.is_unsettled();
        let judged = if calm { self.judgement(ply) } else { 0 };
        // Good enough even if every ply that is left lost a margin. The depth of 3 was not measured.
        if calm && pruning.futility && depth <= 3 && judged - MARGIN * depth as i32 >= beta {
            return judged;
        }
        // No effect is shown, +7 Elo [−13, 26] at 3,000 nodes (study 0045): it stays, since all agents were trained
        // with it.
        if calm && pruning.null_move && depth >= 3 && judged >= beta {
            let value = self.after_a_pass(ply, window);
            if self.stopped {
                return 0;
            }
            if value.is_some_and(|value| value >= beta) {
                // The bound alone: a win behind a pass does not prove a win.
                return beta;
            }
        }
        // One margin more than above, since the action itself may gain one. This and the depth of 2 were not measured.
        let most = judged + MARGIN * (depth as i32 + 1);
        let hopeless = calm && pruning.futility && depth <= 2 && most <= alpha;
        let AlphaBeta { frames, history, .. } = &mut *self.search;
        frames[ply].rank(history, stored.map(|entry| entry.best));
        let (mut best, mut value) = (None, -INFINITY);
        for number in 0..self.search.frames[ply].actions.len() {
            let tried = self.search.frames[ply].pick(number, self.search.settings.memory);
            if hopeless && number > 0 && tried.gain == 0 {
                // What is left gains nothing either. The judgement stands for it.
                value = value.max(most);
                break;
            }
            let next = self.child(ply, tried.action, Window { alpha, ..window }, number, tried.gain);
            if self.stopped {
                return 0;
            }
            if next > value {
                (value, best) = (next, Some(tried.action));
                if value > alpha {
                    alpha = value;
                    self.lead(ply, tried.action);
                }
            }
            if value >= beta {
                if tried.gain == 0 {
                    let AlphaBeta { frames, history, .. } = &mut *self.search;
                    frames[ply].remember_cut(number, depth, history);
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
        let best = best.expect("a game that is not over has an action, and its value is above -INFINITY");
        self.search.table.put(key, depth, from_there(value, ply), bound, best);
        value
    }

    /// The line from `ply` on begins with an action, and continues as the last search below it found.
    fn lead(&mut self, ply: usize, action: G::Action) {
        let (before, after) = self.search.frames.split_at_mut(ply + 1);
        let line = &mut before[ply].line;
        line.clear();
        line.push(action);
        line.extend_from_slice(&after[0].line);
    }

    /// The value for the player to move at `ply` if the turn passes, less deeply; `None` if passing says nothing here.
    fn after_a_pass(&mut self, ply: usize, window: Window) -> Option<i32> {
        let frames = &mut self.search.frames;
        let passed = frames[ply].game.null_move()?;
        if passed.outcome().is_some() {
            // Not a move's doing: no reason to cut off.
            self.nodes += 1;
            return None;
        }
        self.search.evaluator.push(&passed);
        match frames.get_mut(ply + 1) {
            Some(frame) => {
                frame.game = passed;
                frame.follows = false;
                frame.line.clear();
            }
            None => frames.push(Frame::new(passed)),
        }
        if let Some(frame) = frames.get_mut(ply + 2) {
            frame.follows = false;
        }
        self.nodes += 1;
        // Stockfish's reduction of its years 2012 and 2013. Not measured here.
        let less = 3 + window.depth / 4;
        let below = Window {
            depth: window.depth.saturating_sub(less),
            alpha: window.beta - 1,
            beta: window.beta,
        };
        // Threats are what matters here, so there is quiescence search whatever the settings are.
        let value = match below.depth {
            0 => -self.quiescence(ply + 1, below.turned(), QUIESCENCE),
            _ => -self.negamax(ply + 1, below.turned()),
        };
        self.search.evaluator.pop();
        Some(value)
    }

    /// The value for the player to move if both sides only make actions that gain something, or stop.
    fn quiescence(&mut self, ply: usize, window: Window, left: u32) -> i32 {
        let unsettled = left > 0 && self.search.frames[ply].game.is_unsettled();
        let mut value = match unsettled {
            true => -INFINITY,
            false => self.judgement(ply),
        };
        if left == 0 || value >= window.beta {
            return value;
        }
        let mut alpha = window.alpha.max(value);
        let AlphaBeta { frames, history, .. } = &mut *self.search;
        frames[ply].rank_gains(history, unsettled);
        for number in 0..self.search.frames[ply].actions.len() {
            let tried = self.search.frames[ply].pick(number, self.search.settings.memory);
            self.nodes += 1;
            self.look_at_limits();
            if self.stopped {
                return 0;
            }
            let same = self.play(ply, tried.action);
            let below = Window { alpha, ..window };
            let found = match (self.end(ply + 1), same) {
                (Some(end), _) => end,
                (None, true) => self.quiescence(ply + 1, below, left - 1),
                (None, false) => self.quiescence(ply + 1, below.turned(), left - 1),
            };
            self.search.evaluator.pop();
            value = value.max(if same { found } else { -found });
            alpha = alpha.max(value);
            if value >= window.beta {
                break;
            }
        }
        value
    }
}

/// Plies by which a late action is searched less deeply at first.
fn reduction(depth: u32, number: usize, wide: bool) -> u32 {
    // Not the first three: the best known action, and what the order takes for best. Not measured.
    if number < 3 {
        return 0;
    }
    // Logarithms of both, as in Stockfish. The two numbers were not tuned. Without reductions −74 Elo [−143, −5] at
    // 20,000 nodes (study 0045).
    let full = 0.5 + f64::from(depth).ln() * (number as f64).ln() / 2.2;
    (full as u32).saturating_sub(u32::from(wide)).min(depth - 2)
}
