//! Alpha–beta search with iterative deepening, for games in which the same player may act twice in a row.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chase_engine::{Game, Outcome, Player};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom;

use crate::heuristic::Heuristic;
use crate::table::{Bound, Table};

/// The value of a game won at once; one won n plies later is worth n less.
pub const WIN: i32 = 1_000_000_000;
/// The most plies that can be searched, quiescence aside.
pub const MAX_DEPTH: u32 = 64;

/// Values beyond this are wins, whose distance in plies is what they lack to [`WIN`].
const PROVEN: i32 = WIN - 1000;
/// The most plies of quiescence search below the horizon.
const QUIESCENCE: u32 = 16;
/// Nodes between two looks at the clock.
const CLOCK: u64 = 1024;
/// Larger than any value, and safe to negate.
const INFINITY: i32 = i32::MAX;
/// Why there is a frame: `begin` makes one for each ply that a search can reach.
const FRAME: &str = "every ply has a frame";

/// Limits of a search: it stops at the first one that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies, from 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Nodes, those of quiescence included. One ply is always searched.
    pub nodes: Option<u64>,
    /// Time for one decision. One ply is always searched. The result then depends on the machine and its load.
    pub time: Option<Duration>,
    /// True if the search continues below its horizon until nothing can be gained at once.
    pub quiescence: bool,
    /// Size of the transposition table, in MiB.
    pub table_mib: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: MAX_DEPTH,
            nodes: None,
            time: None,
            quiescence: true,
            table_mib: 4,
        }
    }
}

/// Result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<A> {
    /// The action to play.
    pub action: A,
    /// Its value for the player to move, in the units of the heuristic; ±[`WIN`] with the plies until then taken from
    /// its magnitude, where the end of the game is proven.
    pub value: i32,
    /// Plies of the last search that was not broken off.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
}

impl<A> Found<A> {
    /// Plies until the proven win of the player to move, negative for a proven loss; `None` if neither is proven.
    pub const fn plies_to_win(&self) -> Option<i32> {
        if self.value.abs() > PROVEN {
            Some((WIN - self.value.abs()) * self.value.signum())
        } else {
            None
        }
    }
}

/// Fixed rules of thought: principal variation search over a hand-written heuristic.
///
/// - Values belong to players: they change sign when the player to move changes, not at every ply.
/// - Ends of the game are exact, and the nearest win or the farthest loss is preferred. A draw is worth 0. A game that
///   the length limit ends has no value, so that it is judged like a position at the horizon.
/// - Repetitions and turn limits are seen, since the search plays on the game with its history. The transposition table
///   uses [`Game::key`], which distinguishes positions with different counters and numbers of occurrences. Still, two
///   lines to one position may differ in earlier positions that could recur; this could only show in searches long
///   enough to repeat a position, and is accepted.
/// - A stored result is used only for the depth it was found at. The value of a search of fixed depth is therefore that
///   of plain minimax.
/// - Nothing is kept from one decision to the next. The choice among several equally good first actions depends on the
///   generator.
pub struct AlphaBeta<G: Game, H> {
    heuristic: H,
    limits: Limits,
    table: Table<G::Action>,
    /// Success of actions so far by policy index, which is relative to the player to move.
    history: Vec<i32>,
    frames: Vec<Frame<G>>,
    nodes: u64,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
    /// True if a limit may end the search; `stopped` is true once it has.
    may_stop: bool,
    stopped: bool,
}

/// Memory of one ply.
#[derive(Clone)]
struct Frame<G: Game> {
    game: G,
    actions: Vec<G::Action>,
    /// The order in which actions are tried, highest first.
    ranks: Vec<i32>,
    /// The last two quiet actions that caused a cut-off at this ply.
    killers: [Option<G::Action>; 2],
}

/// The request for a value: the plies left, the ply it is at, and the window that values of interest lie in.
#[derive(Clone, Copy)]
struct Window {
    depth: u32,
    ply: u32,
    alpha: i32,
    beta: i32,
}

impl<G: Game> Frame<G> {
    /// Moves the action of highest rank among those from `next` on to `next`, and returns it.
    fn pick(&mut self, next: usize) -> G::Action {
        let mut best = next;
        for index in next + 1..self.ranks.len() {
            if self.ranks[index] > self.ranks[best] {
                best = index;
            }
        }
        self.ranks.swap(next, best);
        self.actions.swap(next, best);
        self.actions[next]
    }
}

impl<G: Game, H: Heuristic<G>> AlphaBeta<G, H> {
    /// A new player. A depth outside of 1 to [`MAX_DEPTH`] counts as the nearest inside.
    pub fn new(heuristic: H, limits: Limits) -> Self {
        Self {
            heuristic,
            limits: Limits {
                depth: limits.depth.clamp(1, MAX_DEPTH),
                ..limits
            },
            table: Table::new(limits.table_mib),
            history: vec![0; G::POLICY_SIZE],
            frames: Vec::new(),
            nodes: 0,
            deadline: None,
            stop: None,
            may_stop: false,
            stopped: false,
        }
    }

    /// The same player, whose searches end soon after `stop` is set. One ply is always searched.
    #[must_use]
    pub fn stopped_by(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Sets the limit of nodes of the searches that follow.
    pub const fn limit_nodes(&mut self, nodes: Option<u64>) {
        self.limits.nodes = nodes;
    }

    /// The limits of each search.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The best action of a game that is not over.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> Found<G::Action> {
        self.search_watched(game, rng, |_| {})
    }

    /// As [`AlphaBeta::search`]; `watch` is called after every depth that was searched to its end.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search_watched(
        &mut self,
        game: &G,
        rng: &mut Xoshiro256PlusPlus,
        mut watch: impl FnMut(&Found<G::Action>),
    ) -> Found<G::Action> {
        self.begin(game);
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        actions.shuffle(rng);
        let gains: Vec<_> = actions
            .iter()
            .map(|&action| self.heuristic.gain(game, action))
            .collect();
        let mut order: Vec<_> = actions.into_iter().zip(gains).collect();
        order.sort_by_key(|&(_, gain)| -gain);
        let mut order: Vec<_> = order.into_iter().map(|(action, _)| action).collect();
        let mut frames = std::mem::take(&mut self.frames);
        let mut found = Found {
            action: order[0],
            value: -INFINITY,
            depth: 0,
            nodes: 0,
        };
        for depth in 1..=self.limits.depth {
            self.may_stop = depth > 1;
            let (value, best) = self.root(&mut frames, &order, depth);
            // The best action so far comes first, so that also a search broken off has something to say.
            if let Some(best) = best {
                order[..=best].rotate_right(1);
                found.action = order[0];
                found.value = value;
            }
            if self.stopped {
                break;
            }
            found.depth = depth;
            found.nodes = self.nodes;
            watch(&found);
            if value.abs() > PROVEN {
                break;
            }
        }
        self.frames = frames;
        found.nodes = self.nodes;
        found
    }

    /// Forgets what was thought before, and sets the clock.
    fn begin(&mut self, game: &G) {
        self.table.clear();
        self.history.fill(0);
        self.nodes = 0;
        self.stopped = false;
        self.deadline = self.limits.time.map(|time| Instant::now() + time);
        let plies = (self.limits.depth + if self.limits.quiescence { QUIESCENCE } else { 0 }) as usize + 1;
        if self.frames.len() < plies {
            let frame = Frame {
                game: game.clone(),
                actions: Vec::new(),
                ranks: Vec::new(),
                killers: [None; 2],
            };
            self.frames.resize(plies, frame);
        }
        self.frames[0].game.clone_from(game);
        for frame in &mut self.frames {
            frame.killers = [None; 2];
        }
    }

    /// The value for the player to move at the root, and the number of the best action; `None` if the search was broken
    /// off before the first action had a value.
    fn root(&mut self, frames: &mut [Frame<G>], order: &[G::Action], depth: u32) -> (i32, Option<usize>) {
        let (mut best, mut value) = (None, -INFINITY);
        for (number, &action) in order.iter().enumerate() {
            let window = Window {
                depth,
                ply: 0,
                alpha: value,
                beta: INFINITY,
            };
            let next = self.child(frames, action, window, number == 0);
            if self.stopped {
                break;
            }
            if next > value {
                (value, best) = (next, Some(number));
            }
        }
        (value, best)
    }

    /// The value of an action for the player to move; the first one searched in full, others only if they may be
    /// better.
    fn child(&mut self, frames: &mut [Frame<G>], action: G::Action, window: Window, first: bool) -> i32 {
        let (frame, rest) = frames.split_first_mut().expect(FRAME);
        let player = frame.game.to_move();
        rest[0].game.clone_from(&frame.game);
        rest[0].game.apply(action);
        let below = Window {
            depth: window.depth - 1,
            ply: window.ply + 1,
            ..window
        };
        if first {
            return self.value(rest, player, below);
        }
        let narrow = Window {
            beta: below.alpha + 1,
            ..below
        };
        let value = self.value(rest, player, narrow);
        if value <= window.alpha || value >= window.beta || self.stopped {
            return value;
        }
        self.value(rest, player, below)
    }

    /// The value for `player` of the game in the first frame.
    fn value(&mut self, frames: &mut [Frame<G>], player: Player, window: Window) -> i32 {
        self.nodes += 1;
        self.look_at_limits();
        if self.stopped {
            return 0;
        }
        let game = &frames[0].game;
        if let Some(outcome) = game.outcome() {
            return self.end(game, outcome, player, window.ply);
        }
        let same = game.to_move() == player;
        let turned = if same { window } else { window.turned() };
        let value = if window.depth > 0 {
            self.negamax(frames, turned)
        } else if self.limits.quiescence {
            self.quiescence(frames, turned, QUIESCENCE)
        } else {
            self.heuristic.evaluate(game, game.to_move())
        };
        if same { value } else { -value }
    }

    fn end(&self, game: &G, outcome: Outcome, player: Player, ply: u32) -> i32 {
        match outcome {
            Outcome::Win(winner) if winner == player => WIN - ply as i32,
            Outcome::Win(_) => ply as i32 - WIN,
            Outcome::Draw => 0,
            Outcome::Truncated => self.heuristic.evaluate(game, player),
        }
    }

    fn look_at_limits(&mut self) {
        if !self.may_stop || self.stopped {
            return;
        }
        let nodes = self.limits.nodes.is_some_and(|most| self.nodes > most);
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let told = || self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.stopped = nodes || (self.nodes.is_multiple_of(CLOCK) && (told() || late()));
    }

    /// The value for the player to move of a game that is not over, with plies left to search.
    fn negamax(&mut self, frames: &mut [Frame<G>], window: Window) -> i32 {
        let Window { depth, ply, beta, .. } = window;
        let mut alpha = window.alpha;
        let key = frames[0].game.key();
        let stored = self.table.get(key).copied();
        if let Some(entry) = stored.filter(|entry| entry.depth == depth) {
            let value = from_here(entry.value, ply);
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= beta,
                Bound::AtMost => value <= alpha,
            };
            if decides {
                return value;
            }
        }
        self.rank(&mut frames[0], stored.map(|entry| entry.best));
        let count = frames[0].actions.len();
        let (mut best, mut value) = (None, -INFINITY);
        for number in 0..count {
            let action = frames[0].pick(number);
            let next = self.child(frames, action, Window { alpha, ..window }, number == 0);
            if self.stopped {
                return 0;
            }
            if next > value {
                (value, best) = (next, Some(action));
                alpha = alpha.max(value);
            }
            if value >= beta {
                self.remember_cut(&mut frames[0], action, depth);
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
        if let Some(best) = best {
            self.table.put(key, depth, from_there(value, ply), bound, best);
        }
        value
    }

    /// The value for the player to move if both sides only make actions that gain something, or stop.
    fn quiescence(&mut self, frames: &mut [Frame<G>], window: Window, left: u32) -> i32 {
        let Window { beta, ply, .. } = window;
        let mut alpha = window.alpha;
        let game = &frames[0].game;
        let player = game.to_move();
        let mut value = self.heuristic.evaluate(game, player);
        if left == 0 {
            return value;
        }
        let unsettled = self.heuristic.is_unsettled(game);
        if unsettled {
            value = -INFINITY;
        } else if value >= beta {
            return value;
        }
        alpha = alpha.max(value);
        let frame = &mut frames[0];
        frame.game.legal_actions(&mut frame.actions);
        if !unsettled {
            frame
                .actions
                .retain(|&action| self.heuristic.gain(&frame.game, action) > 0);
        }
        let gains = frame
            .actions
            .iter()
            .map(|&action| self.heuristic.gain(&frame.game, action));
        frame.ranks.clear();
        frame.ranks.extend(gains);
        for number in 0..frames[0].actions.len() {
            let action = frames[0].pick(number);
            let (frame, rest) = frames.split_first_mut().expect(FRAME);
            rest[0].game.clone_from(&frame.game);
            rest[0].game.apply(action);
            self.nodes += 1;
            self.look_at_limits();
            if self.stopped {
                return 0;
            }
            let below = Window {
                alpha,
                ply: ply + 1,
                ..window
            };
            let game = &rest[0].game;
            let next = if let Some(outcome) = game.outcome() {
                self.end(game, outcome, player, ply + 1)
            } else if game.to_move() == player {
                self.quiescence(rest, below, left - 1)
            } else {
                -self.quiescence(rest, below.turned(), left - 1)
            };
            value = value.max(next);
            alpha = alpha.max(value);
            if value >= beta {
                break;
            }
        }
        value
    }

    /// Lists the legal actions of a frame, with what says which to try first: the best one known, gains, killers, and
    /// then success so far.
    fn rank(&self, frame: &mut Frame<G>, best: Option<G::Action>) {
        const GAIN: i32 = 1 << 28;
        let Frame {
            game,
            actions,
            ranks,
            killers,
        } = frame;
        game.legal_actions(actions);
        ranks.clear();
        ranks.extend(actions.iter().map(|&action| {
            let gain = self.heuristic.gain(game, action);
            if best == Some(action) {
                INFINITY
            } else if gain > 0 {
                GAIN + gain
            } else if killers[0] == Some(action) {
                GAIN - 1
            } else if killers[1] == Some(action) {
                GAIN - 2
            } else {
                self.history[game.policy_index(action)]
            }
        }));
    }

    /// Notes that an action refuted the one before.
    fn remember_cut(&mut self, frame: &mut Frame<G>, action: G::Action, depth: u32) {
        if self.heuristic.gain(&frame.game, action) > 0 {
            return;
        }
        if frame.killers[0] != Some(action) {
            frame.killers = [Some(action), frame.killers[0]];
        }
        let success = &mut self.history[frame.game.policy_index(action)];
        *success += (depth * depth) as i32;
        if *success > 1 << 24 {
            self.history.iter_mut().for_each(|success| *success /= 2);
        }
    }
}

impl Window {
    /// The window as the other player sees it.
    fn turned(self) -> Self {
        Self {
            alpha: -self.beta,
            beta: -self.alpha,
            ..self
        }
    }
}

/// A value as it is stored: proven results by their distance from the position rather than from the root.
fn from_there(value: i32, ply: u32) -> i32 {
    match value {
        value if value > PROVEN => value + ply as i32,
        value if value < -PROVEN => value - ply as i32,
        value => value,
    }
}

/// The inverse of [`from_there`].
fn from_here(value: i32, ply: u32) -> i32 {
    match value {
        value if value > PROVEN => value - ply as i32,
        value if value < -PROVEN => value + ply as i32,
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_values_are_stored_by_their_distance_from_the_position() {
        // Won three plies after a position at ply 5; met again at ply 2.
        for sign in [1, -1] {
            let stored = from_there(sign * (WIN - 8), 5);
            assert_eq!(stored, sign * (WIN - 3));
            assert_eq!(from_here(stored, 2), sign * (WIN - 5));
        }
        assert_eq!((from_there(1234, 5), from_here(-1234, 5)), (1234, -1234));
    }

    #[test]
    fn a_proven_end_is_told_in_plies() {
        let plies = |value| {
            let found = Found {
                action: (),
                value,
                depth: 1,
                nodes: 1,
            };
            found.plies_to_win()
        };
        assert_eq!([WIN - 3, 4 - WIN].map(plies), [Some(3), Some(-4)]);
        assert_eq!([0, 100_000_000, PROVEN, -PROVEN].map(plies), [None; 4]);
    }
}
