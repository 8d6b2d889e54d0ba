//! The search at its first position: deeper and deeper, for one best action or several.

use std::cmp::Reverse;

use rand::seq::SliceRandom;

use super::request::{Found, Request, Watch};
use super::settings::MAX_DEPTH;
use super::value::{INFINITY, WIN, is_proven};
use super::walk::Walk;
use super::window::Window;
use super::{AlphaBeta, Evaluator, logistic};
use crate::Game;

/// The largest bonus of an action: far less than a proven win is worth.
const MOST_BONUS: i32 = WIN / 100;

/// An action at the root, and what is known of it.
#[derive(Clone, Debug)]
struct Candidate<A> {
    action: A,
    /// Added to its value in comparisons.
    bonus: i32,
    /// Its value, `-INFINITY` before there is one.
    value: i32,
    /// Plies of the last search that found it best and was not broken off.
    depth: u32,
    /// The line that begins with it.
    line: Vec<A>,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// The best actions of a game that is not over, best first. `watch` sees them after every depth that was searched to its
    /// end for all of them.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search(
        &mut self,
        game: &G,
        request: Request<'_, G::Action>,
        watch: &mut Watch<'_, G::Action>,
    ) -> Vec<Found<G::Action>> {
        let Request {
            limits,
            lines,
            shuffle,
            bonus,
            stop,
        } = request;
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        assert!(!actions.is_empty(), "the game is over");
        if let Some(rng) = shuffle {
            actions.shuffle(rng);
        }
        actions.sort_by_cached_key(|&action| Reverse(game.gain(action)));
        let mut no_bonus = |_| 0;
        let bonus: &mut dyn FnMut(G::Action) -> i32 = match bonus {
            Some(bonus) => bonus,
            None => &mut no_bonus,
        };
        let candidate = |action| Candidate {
            action,
            bonus: bonus(action).clamp(-MOST_BONUS, MOST_BONUS),
            value: -INFINITY,
            depth: 0,
            line: vec![action],
        };
        let mut candidates: Vec<_> = actions.into_iter().map(candidate).collect();
        let count = lines.clamp(1, candidates.len());
        let mut walk = Walk::new(self, game, limits, stop);
        let mut found: Vec<Found<G::Action>> = Vec::new();
        for depth in 1..=limits.depth.clamp(1, MAX_DEPTH) {
            walk.may_stop = depth > 1;
            for first in 0..count {
                walk.best_of(&mut candidates[first..], depth);
                if walk.stopped && count > 1 {
                    // Values of different depths would be in no order.
                    found.iter_mut().for_each(|found| found.nodes = walk.nodes);
                    return found;
                }
                if walk.stopped {
                    candidates[first].depth = depth - 1;
                    return walk.found(&candidates[..count]);
                }
                candidates[first].depth = depth;
            }
            // A later search may have found more in an action than an earlier one.
            candidates[..count].sort_by_key(|candidate| Reverse(candidate.value + candidate.bonus));
            found = walk.found(&candidates[..count]);
            watch(&found);
            let settled = found.iter().all(|found| is_proven(found.value));
            if settled || (candidates.len() == 1 && limits.time.is_some()) {
                break;
            }
        }
        found
    }
}

impl<G: Game, E: Evaluator<G>> Walk<'_, G, E> {
    fn found(&self, candidates: &[Candidate<G::Action>]) -> Vec<Found<G::Action>> {
        let score = |value| match is_proven(value) {
            true => f64::from(u8::from(value > 0)),
            false => logistic(self.search.evaluator.logit(&self.search.frames[0].game, value)),
        };
        let found = candidates.iter().map(|candidate| Found {
            action: candidate.action,
            value: candidate.value,
            score: score(candidate.value),
            depth: candidate.depth,
            nodes: self.nodes,
            line: candidate.line.clone(),
        });
        found.collect()
    }

    /// Finds the best of these actions at the root and puts it first, with a window around the value that the first one
    /// had at the depth before. The window grows until it holds.
    fn best_of(&mut self, candidates: &mut [Candidate<G::Action>], depth: u32) {
        // A quarter of a logit, in Chase about a third of a die. Without aspiration −49 Elo [−85, −13] at 3,000 nodes
        // (study 0045); widths were not measured.
        let mut reach = 250;
        let expected = candidates[0].value;
        // From depth 4 on: values of the first depths move too much. Not measured.
        let narrow = self.search.settings.pruning.aspiration && depth > 3 && !is_proven(expected);
        let expected = expected + candidates[0].bonus;
        let (mut alpha, mut beta) = match narrow {
            true => (expected - reach, expected + reach),
            false => (-INFINITY, INFINITY),
        };
        loop {
            let value = self.root(candidates, Window { depth, alpha, beta });
            if self.stopped {
                return;
            }
            // 1,000, 4,000, 16,000, then unbounded: 20 logits are a certain win.
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

    /// The best sum of value and bonus at the root. An action above the lower end of the window is better than what was
    /// known, and comes first, even if the search was broken off.
    fn root(&mut self, candidates: &mut [Candidate<G::Action>], window: Window) -> i32 {
        let (mut best, mut value, mut alpha) = (None, -INFINITY, window.alpha);
        let mut line = Vec::new();
        for (number, &Candidate { action, bonus, .. }) in candidates.iter().enumerate() {
            let own = Window { alpha, ..window }.without(bonus);
            let next = self.child(0, action, own, number, 0) + bonus;
            if self.stopped {
                break;
            }
            value = value.max(next);
            if value > alpha {
                (alpha, best) = (value, Some(number));
                line.clone_from(&self.search.frames[1].line);
            }
            if value >= window.beta {
                break;
            }
        }
        if let Some(best) = best {
            candidates[..=best].rotate_right(1);
            let first = &mut candidates[0];
            first.value = value - first.bonus;
            first.line.truncate(1);
            first.line.append(&mut line);
        }
        value
    }
}
