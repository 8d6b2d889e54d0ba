//! Leaves waiting for their evaluations.

use super::evaluator::Leaf;
use super::tree::Step;
use crate::Game;

/// A leaf of a search, and the path to it from the root.
#[derive(Debug)]
pub(super) struct PendingLeaf<G: Game> {
    pub path: Vec<Step>,
    pub game: G,
    /// Legal actions; empty if the game is over.
    pub actions: Vec<G::Action>,
}

/// A queue of leaves that reuses their memory.
#[derive(Debug)]
pub(super) struct PendingLeaves<G: Game> {
    leaves: Vec<PendingLeaf<G>>,
    /// Index of the first waiting leaf.
    first: usize,
    /// Index after the last waiting leaf.
    end: usize,
}

impl<G: Game> PendingLeaves<G> {
    pub const fn new() -> Self {
        Self {
            leaves: Vec::new(),
            first: 0,
            end: 0,
        }
    }

    pub const fn len(&self) -> usize {
        self.end - self.first
    }

    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Total number of legal actions of the waiting leaves.
    pub fn actions(&self) -> usize {
        self.waiting().iter().map(|leaf| leaf.actions.len()).sum()
    }

    pub fn waiting(&self) -> &[PendingLeaf<G>] {
        &self.leaves[self.first..self.end]
    }

    /// Memory for the next leaf, which is not waiting yet; `root` initializes its game.
    pub fn next(&mut self, root: &G) -> &mut PendingLeaf<G> {
        if self.is_empty() {
            (self.first, self.end) = (0, 0);
        }
        if self.end == self.leaves.len() {
            self.leaves.push(PendingLeaf {
                path: Vec::new(),
                game: root.clone(),
                actions: Vec::new(),
            });
        }
        &mut self.leaves[self.end]
    }

    /// Enqueues the leaf that [`PendingLeaves::next`] returned.
    pub const fn push(&mut self) {
        self.end += 1;
    }

    /// Dequeues the leaf that has waited longest. It stays valid until another leaf takes its memory.
    pub fn pop(&mut self) -> Option<&PendingLeaf<G>> {
        let leaf = self.leaves[..self.end].get(self.first)?;
        self.first += 1;
        Some(leaf)
    }
}

impl<G: Game> PendingLeaf<G> {
    pub const fn view(&self) -> Leaf<'_, G> {
        Leaf {
            game: &self.game,
            actions: self.actions.as_slice(),
        }
    }
}
