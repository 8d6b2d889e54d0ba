//! The search at its first position: deeper and deeper, for one best action or several.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use chase_engine::Chase;
use chase_engine::chase::{Action, Position};

use super::found::{Found, PROVEN, WIN};
use super::judge::Judge;
use super::limits::{Limits, MAX_DEPTH};
use super::order::Killers;
use super::searcher::Searcher;
use super::window::{Candidate, INFINITY, Window};

/// The largest bonus of an action: less than a proven win is worth.
const MOST_BONUS: i32 = WIN / 4;

impl<J: Judge> Searcher<J> {
    /// The best action of a game that is not over. `watch` is called after every depth that was searched to its end;
    /// the search ends soon after `stop` is set.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search(
        &mut self,
        game: &Chase,
        limits: &Limits,
        stop: Option<&AtomicBool>,
        watch: &mut dyn FnMut(&Found),
    ) -> Found {
        self.search_with(game, limits, &mut |_| 0, stop, watch)
    }

    /// As [`Searcher::search`], where actions of the first position are compared by their values plus a `bonus` for
    /// each, in thousandths of a logit. The value that is found is that of the action itself.
    ///
    /// With bonuses drawn from Gumbel's distribution, times a temperature, the choice is a draw from the softmax of the
    /// values at this temperature, though no value is computed but those that are near the best (Gumbel-max).
    ///
    /// # Panics
    /// If the game is over.
    pub fn search_with(
        &mut self,
        game: &Chase,
        limits: &Limits,
        bonus: &mut dyn FnMut(Action) -> i32,
        stop: Option<&AtomicBool>,
        watch: &mut dyn FnMut(&Found),
    ) -> Found {
        let mut watch = |lines: &[Found]| watch(&lines[0]);
        let mut lines = self.deepen(game, limits, bonus, 1, stop, &mut watch);
        lines.swap_remove(0)
    }

    /// The `count` best actions of a game that is not over, or all if there are fewer: the best one first, each with its
    /// own value and line. `watch` is called after every depth that was searched to its end for all of them. The search
    /// ends soon after `stop` is set; with several actions a depth that was broken off then counts for nothing.
    ///
    /// Each is found by a search without those before it: several take several times as long as one.
    ///
    /// # Panics
    /// If the game is over.
    pub fn lines(
        &mut self,
        game: &Chase,
        limits: &Limits,
        count: usize,
        stop: Option<&AtomicBool>,
        watch: &mut dyn FnMut(&[Found]),
    ) -> Vec<Found> {
        self.deepen(game, limits, &mut |_| 0, count, stop, watch)
    }

    fn deepen(
        &mut self,
        game: &Chase,
        limits: &Limits,
        bonus: &mut dyn FnMut(Action) -> i32,
        count: usize,
        stop: Option<&AtomicBool>,
        watch: &mut dyn FnMut(&[Found]),
    ) -> Vec<Found> {
        self.begin(game, limits);
        let root = *game.position();
        let actions = self.order.ranked(&root, None, &Killers::default());
        let mut candidates: Vec<Candidate> = actions
            .into_iter()
            .map(|(action, _)| Candidate::new(action, bonus(action).clamp(-MOST_BONUS, MOST_BONUS)))
            .collect();
        let count = count.clamp(1, candidates.len());
        let mut found = Vec::new();
        for depth in 1..=limits.depth.clamp(1, MAX_DEPTH) {
            self.may_stop = depth > 1;
            for first in 0..count {
                self.best_of(&root, &mut candidates[first..], depth, stop);
                if self.stopped && count > 1 {
                    // Values of different depths would be in no order.
                    found.iter_mut().for_each(|found: &mut Found| found.nodes = self.nodes);
                    return found;
                }
                if self.stopped {
                    candidates[first].depth = depth - 1;
                    return self.found(&candidates[..count]);
                }
                candidates[first].depth = depth;
            }
            // A later search may have found more in an action than an earlier one.
            candidates[..count].sort_by_key(|candidate| Reverse(candidate.value + candidate.bonus));
            found = self.found(&candidates[..count]);
            watch(&found);
            let settled = found.iter().all(|found| found.value.abs() > PROVEN);
            if settled || (candidates.len() == 1 && limits.time.is_some()) {
                break;
            }
        }
        found
    }

    fn found(&self, candidates: &[Candidate]) -> Vec<Found> {
        let found = candidates.iter().map(|candidate| Found {
            action: candidate.action,
            value: candidate.value,
            depth: candidate.depth,
            nodes: self.nodes,
            line: candidate.line.clone(),
        });
        found.collect()
    }

    /// Finds the best of these actions at the root and puts it first, with a window around the value that the first one
    /// had at the depth before. The window grows until it holds.
    fn best_of(&mut self, root: &Position, candidates: &mut [Candidate], depth: u32, stop: Option<&AtomicBool>) {
        let mut reach = 250;
        let expected = candidates[0].value;
        let narrow = self.pruning.aspiration && depth > 3 && expected.abs() < PROVEN;
        let expected = expected + candidates[0].bonus;
        let (mut alpha, mut beta) = match narrow {
            true => (expected - reach, expected + reach),
            false => (-INFINITY, INFINITY),
        };
        loop {
            let window = Window { depth, alpha, beta };
            let (value, best) = self.root(root, candidates, window, stop);
            // An action above the lower end is better than what was known, even if the search was broken off.
            if let Some(best) = best.filter(|_| value > alpha) {
                candidates[..=best].rotate_right(1);
                let first = &mut candidates[0];
                first.value = value - first.bonus;
                first.line.clear();
                first.line.push(first.action);
                first.line.extend_from_slice(&self.lines[1]);
            }
            if self.stopped {
                return;
            }
            reach *= 4;
            if value <= alpha && alpha > -INFINITY {
                alpha = if reach > 20_000 {
                    -INFINITY
                } else {
                    value.max(-WIN) - reach
                };
            } else if value >= beta && beta < INFINITY {
                beta = if reach > 20_000 {
                    INFINITY
                } else {
                    value.min(WIN) + reach
                };
            } else {
                return;
            }
        }
    }

    /// The best sum of value and bonus at the root, and the number of the best action; `None` if the search was broken
    /// off before the first action had a value.
    fn root(
        &mut self,
        root: &Position,
        actions: &[Candidate],
        window: Window,
        stop: Option<&AtomicBool>,
    ) -> (i32, Option<usize>) {
        let (mut best, mut value, mut alpha) = (None, -INFINITY, window.alpha);
        let mut line = Vec::new();
        for (number, &Candidate { action, bonus, .. }) in actions.iter().enumerate() {
            let own = Window { alpha, ..window }.without(bonus);
            let next = self.child(root, action, own, 0, number, 0, stop) + bonus;
            if self.stopped {
                break;
            }
            if next > value {
                (value, best) = (next, Some(number));
                line.clone_from(&self.lines[1]);
                alpha = alpha.max(value);
            }
            if value >= window.beta {
                break;
            }
        }
        self.lines[1] = line;
        (value, best)
    }
}
