//! Progress of work in files.

use std::sync::atomic::{AtomicU64, Ordering};

/// A file is finished. Reports about different files come in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Work of the file: forks, or simulations.
    pub work: u64,
    /// Work done, with this and stored files.
    pub done: u64,
    /// All work that is planned.
    pub planned: u64,
    /// True if the file was already stored.
    pub stored: bool,
}

/// Counts finished files.
pub(crate) struct Counter<'a> {
    planned: u64,
    done: AtomicU64,
    on_event: &'a (dyn Fn(Finished) + Sync),
}

impl<'a> Counter<'a> {
    /// Nothing is done yet.
    pub const fn new(planned: u64, on_event: &'a (dyn Fn(Finished) + Sync)) -> Self {
        Self {
            planned,
            done: AtomicU64::new(0),
            on_event,
        }
    }

    /// Counts a file, and reports it.
    pub fn add(&self, work: u64, stored: bool) {
        (self.on_event)(Finished {
            work,
            done: work + self.done.fetch_add(work, Ordering::Relaxed),
            planned: self.planned,
            stored,
        });
    }
}
