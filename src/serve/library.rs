//! The games of the runs that the server was pointed at, read as they are asked for and kept.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chase_experiments::explorer::Collection;

/// Plies of each game that are remembered.
pub const PLIES: usize = 30;
/// How long one request reads games before it answers; the rest comes with the next.
const READING: Duration = Duration::from_millis(500);
/// Moves of positions in memory, by who played or searched them: some 300 MB, and the openings of some 30,000 games.
const MOST_ENTRIES: usize = 3_000_000;

/// What games made of openings, by run.
#[derive(Debug, Default)]
pub struct Library(Mutex<Shelves>);

/// The runs in memory.
#[derive(Debug, Default)]
pub struct Shelves {
    shelves: HashMap<String, Shelf>,
    /// Requests so far.
    requests: u64,
}

#[derive(Debug)]
struct Shelf {
    collection: Collection,
    /// The last request that asked for it.
    used: u64,
}

/// How much of the games is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// All that is there.
    All,
    /// There is more, for the next request.
    More,
    /// There is more, for which there is no memory.
    Full,
}

impl Library {
    /// The runs in memory. Reading holds the lock no longer than one request may read.
    pub fn open(&self) -> MutexGuard<'_, Shelves> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelves {
    /// Reads games of these runs, by name and folder, for as long as a request may.
    pub fn read(&mut self, runs: &[(String, PathBuf)]) -> Progress {
        self.requests += 1;
        for (name, folder) in runs {
            let shelf = self.shelves.entry(name.clone()).or_insert_with(|| Shelf {
                collection: Collection::new(folder, PLIES),
                used: 0,
            });
            shelf.used = self.requests;
        }
        let began = Instant::now();
        for (name, _) in runs {
            let others = self.entries() - self.entries_of(name);
            let Some(shelf) = self.shelves.get_mut(name) else {
                continue;
            };
            let more = shelf
                .collection
                .read(|explorer| began.elapsed() > READING || others + explorer.entries() >= MOST_ENTRIES);
            if more && self.entries() >= MOST_ENTRIES && !self.forget_one() {
                return Progress::Full;
            }
            if more {
                return Progress::More;
            }
        }
        Progress::All
    }

    /// A run's games, if they were asked for.
    pub fn collection(&self, run: &str) -> Option<&Collection> {
        self.shelves.get(run).map(|shelf| &shelf.collection)
    }

    fn entries(&self) -> usize {
        self.shelves
            .values()
            .map(|shelf| shelf.collection.explorer().entries())
            .sum()
    }

    fn entries_of(&self, run: &str) -> usize {
        self.collection(run)
            .map_or(0, |collection| collection.explorer().entries())
    }

    /// Forgets the run that was not asked for for the longest time; not one of those that this request asks for.
    fn forget_one(&mut self) -> bool {
        let others = self.shelves.iter().filter(|(_, shelf)| shelf.used < self.requests);
        let oldest = others.min_by_key(|(_, shelf)| shelf.used).map(|(name, _)| name.clone());
        oldest.is_some_and(|name| self.shelves.remove(&name).is_some())
    }
}
