//! One position of the line that is searched.

use super::goal::Progress;
use super::numbers::{Found, INFINITE, Numbers};
use crate::Game;

/// A position on the line from the root of a search to where it is now.
#[derive(Debug)]
pub(super) struct Frame<G: Game> {
    pub(super) game: G,
    pub(super) progress: Progress,
    pub(super) key: u128,
    /// Whether the attacker acts here.
    pub(super) attacks: bool,
    pub(super) children: Vec<Child<G::Action>>,
    /// Index of the child that is searched.
    pub(super) selected: usize,
    /// The search leaves the position as soon as one of its numbers reaches its limit.
    pub(super) limits: Numbers,
    /// Nodes spent before this one was entered.
    pub(super) begun: u64,
}

/// A position that one action leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<A> {
    pub(super) action: A,
    pub(super) found: Found,
}

impl<G: Game> Frame<G> {
    /// Memory for a position, `game` or another one.
    pub(super) fn new(game: &G) -> Self {
        Self {
            game: game.clone(),
            progress: Progress { need: 0, turns: None },
            key: 0,
            attacks: false,
            children: Vec::new(),
            selected: 0,
            limits: Numbers::PROVED,
            begun: 0,
        }
    }

    /// What the children say about the position, which stands at ply `depth` of the line.
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

    /// Both kinds of positions in one: `split` puts first the number of what one child suffices for.
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
            // No goal is reached where it is not decided and nothing can be done.
            return Found::new(Numbers::DISPROVED, 0);
        }
        if least > 0 && open > 0 {
            let all = greatest.saturating_add(open - 1).min(INFINITE - 1);
            return Found::new(join([least, all]), 0);
        }
        let solved = self.children.iter().map(|child| &child.found);
        let (found, plies, anchor) = if least == 0 {
            let decisive = solved.filter(|found| split(found.numbers)[0] == 0);
            // A result that holds anywhere before one that holds here, then the shortest.
            let best = decisive.max_by_key(|found| (found.anchor, std::cmp::Reverse(found.plies)));
            let (plies, anchor) = best.map_or((0, Found::FREE), |best| (best.plies, best.anchor));
            (join([0, INFINITE]), plies, anchor)
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
            // Recurrences of this very position: whoever comes back here is where the disproof began.
            anchor: if anchor >= depth { Found::FREE } else { anchor },
        }
    }

    /// Selects the child to search next, and returns the limits of its numbers. The position is not solved.
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
        let rival = second.saturating_add(1 + second / 4);
        let others = open.saturating_sub(1);
        // An infinite limit stays one.
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
