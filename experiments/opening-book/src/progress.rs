//! The progress of a book in the making.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The work that is being done for a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookStage {
    /// The positions of a ply, from 0, are judged.
    Ply(u32),
    /// The best moves of positions are challenged.
    Challenges,
    /// Pairs of games after the best first moves are played, a round of them.
    Contest,
}

/// Progress of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookProgress {
    /// The work that is being done.
    pub stage: BookStage,
    /// Finished positions or pairs, including stored ones.
    pub done: usize,
    /// All positions or pairs of this stage.
    pub of: usize,
}

/// Watches a book in the making.
#[derive(Clone, Copy)]
pub struct BookWatch<'a> {
    /// Set to stop.
    pub stop: &'a Arc<AtomicBool>,
    /// Called as positions are judged.
    pub on_progress: &'a (dyn Fn(BookProgress) + Sync),
}

impl BookWatch<'_> {
    pub(crate) fn tell(&self, stage: BookStage, done: usize, of: usize) {
        (self.on_progress)(BookProgress { stage, done, of });
    }
}
