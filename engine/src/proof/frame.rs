//! A frame: one position on the current line of the search.

use super::goal::GoalProgress;
use super::numbers::{Found, INFINITE, Numbers};
use crate::Game;

/// A position on the line from the root of a search to the current position.
#[derive(Debug)]
pub(super) struct Frame<G: Game> {
    pub(super) game: G,
    pub(super) progress: GoalProgress,
    pub(super) key: u128,
    /// True if the attacker is to move.
    pub(super) attacks: bool,
    pub(super) children: Vec<Child<G::Action>>,
    /// Index of the child being searched.
    pub(super) selected: usize,
    /// The search leaves the position as soon as one of its numbers reaches the limit.
    pub(super) limits: Numbers,
    /// Nodes spent before this position was entered.
    pub(super) begun: u64,
}

/// A position after one action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<A> {
    pub(super) action: A,
    pub(super) found: Found,
}

impl<G: Game> Frame<G> {
    /// Creates a frame whose game, a clone of `game`, serves as memory.
    pub(super) fn new(game: &G) -> Self {
        Self {
            game: game.clone(),
            progress: GoalProgress { need: 0, turns: None },
            key: 0,
            attacks: false,
            children: Vec::new(),
            selected: 0,
            limits: Numbers::PROVED,
            begun: 0,
        }
    }

    /// Result for the position, at ply `depth` of the line, from those of its children.
    pub(super) fn found(&self, depth: u32) -> Found {
        if self.attacks {
            self.combine(
                depth,
                |numbers| [numbers.proof, numbers.disproof],
                |[proof, disproof]| Numbers { proof, disproof },
            )
        } else {
            self.combine(
                depth,
                |numbers| [numbers.disproof, numbers.proof],
                |[disproof, proof]| Numbers { proof, disproof },
            )
        }
    }

    /// Combines children for both kinds of positions: `split` puts first the number for which one child suffices.
    fn combine(&self, depth: u32, split: impl Fn(Numbers) -> [u32; 2], join: impl Fn([u32; 2]) -> Numbers) -> Found {
        let (mut least, mut greatest, mut open) = (INFINITE, 0, 0_u32);
        for child in &self.children {
            let [one, all] = split(child.found.numbers);
            least = least.min(one);
            if all > 0 {
                greatest = greatest.max(all);
                open += 1;
            }
        }
        if self.children.is_empty() {
            // An undecided position without actions: no goal is reached.
            return Found::new(Numbers::DISPROVED, 0);
        }
        if least > 0 && open > 0 {
            // Weak proof numbers: see the module.
            let all = greatest.saturating_add(open - 1).min(INFINITE - 1);
            return Found::new(join([least, all]), 0);
        }
        let solved = self.children.iter().map(|child| &child.found);
        let (found, plies, anchor) = if least == 0 {
            let decisive = solved.filter(|found| split(found.numbers)[0] == 0);
            // Prefers results that hold anywhere to those that hold only here, then shorter ones.
            let best = decisive.max_by_key(|found| (found.anchor, std::cmp::Reverse(found.plies)));
            let best = best.expect("a child has the least number");
            (join([0, INFINITE]), best.plies, best.anchor)
        } else {
            let (mut plies, mut anchor) = (0, Found::FREE);
            for found in solved {
                plies = plies.max(found.plies);
                anchor = anchor.min(found.anchor);
            }
            (join([INFINITE, 0]), plies, anchor)
        };
        Found {
            numbers: found,
            plies: plies.saturating_add(1),
            // A recurrence of this very position: the disproof began here, so it is free from here on.
            anchor: if anchor >= depth { Found::FREE } else { anchor },
        }
    }

    /// Selects the child to search next, and returns the limits of its numbers. The position must not be solved.
    pub(super) fn select(&mut self) -> Numbers {
        let attacks = self.attacks;
        let number = |numbers: Numbers| if attacks { numbers.proof } else { numbers.disproof };
        let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
        let mut open = 0_u32;
        for (index, child) in self.children.iter().enumerate() {
            let numbers = child.found.numbers;
            if numbers.is_solved() {
                continue;
            }
            open += 1;
            let one = number(numbers);
            if one < least {
                (best, second, least) = (index, least, one);
            } else {
                second = second.min(one);
            }
        }
        self.selected = best;
        // The 1 + ε trick with ε = 1/4: the search changes children when one is clearly better, not at each equal.
        // Other numbers were not measured.
        let rival = second.saturating_add(1 + second / 4);
        let others = open.saturating_sub(1);
        // An infinite limit stays infinite.
        let rest = |limit: u32| {
            if limit == INFINITE {
                limit
            } else {
                limit - others.min(limit)
            }
        };
        let Numbers { proof, disproof } = self.limits;
        if attacks {
            Numbers {
                proof: proof.min(rival),
                disproof: rest(disproof),
            }
        } else {
            Numbers {
                proof: rest(proof),
                disproof: disproof.min(rival),
            }
        }
    }
}
