//! The games of the server's runs, read on request and cached.

use std::any::Any;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chase_arena::explorer::Collection;
use chase_engine::{GameName, Playable};

/// Plies that are indexed in each game.
pub const PLIES: usize = 30;
/// Time that one request may spend on reading games; the next one continues.
const READING: Duration = Duration::from_millis(500);
/// Measured memory of an entry (a move of a position and a player who played or searched it): three million of them,
/// the first plies of 10,176 games, made the server grow by about 100 MB.
const ENTRY_BYTES: usize = 35;

/// Indexed games, by run.
#[derive(Debug)]
pub struct Library(Mutex<Shelves>);

/// The runs in memory.
#[derive(Debug)]
pub struct Shelves {
    /// By game and name of the run.
    shelves: HashMap<(GameName, String), Shelf>,
    /// Number of requests so far.
    requests: u64,
    /// Most entries in memory.
    most: usize,
}

#[derive(Debug)]
struct Shelf {
    /// A [`Collection`] of the type of its game.
    collection: Box<dyn Any + Send>,
    /// Number of its entries.
    entries: usize,
    /// The last request that used it.
    used: u64,
}

/// Progress in reading games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadProgress {
    /// All games are read.
    All,
    /// There are more, for the next request.
    More,
    /// There are more, but no memory for them.
    Full,
}

impl Library {
    /// Creates a library with this much memory, approximately, in MiB.
    pub fn new(mib: u32) -> Self {
        Self(Mutex::new(Shelves::new((mib as usize) * (1 << 20) / ENTRY_BYTES)))
    }

    /// Locks the runs in memory. The lock is held no longer than one request may read.
    pub fn open(&self) -> MutexGuard<'_, Shelves> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelves {
    fn new(most: usize) -> Self {
        Self {
            shelves: HashMap::new(),
            requests: 0,
            most,
        }
    }

    /// Reads games of these runs of a game, by name and folder, within the time of a request. If memory does not
    /// suffice for all of them, the first ones take precedence, whatever was requested before.
    pub fn read<G: Playable>(&mut self, game: GameName, runs: &[(String, PathBuf)]) -> ReadProgress {
        self.requests += 1;
        for (name, folder) in runs {
            let new = || Shelf {
                collection: Box::new(Collection::<G>::new(folder, game, PLIES)),
                entries: 0,
                used: 0,
            };
            let shelf = self.shelves.entry((game, name.clone())).or_insert_with(new);
            shelf.used = self.requests;
        }
        let began = Instant::now();
        let most = self.most;
        for (index, (name, _)) in runs.iter().enumerate() {
            let others = self.entries() - self.entries_of(game, name);
            let shelf = self.shelves.get_mut(&(game, name.clone()));
            let shelf = shelf.expect("it was put there, and only later ones are emptied");
            let collection: &mut Collection<G> = shelf.collection.downcast_mut().expect("it is of this game");
            let more = collection.read(|explorer| began.elapsed() > READING || others + explorer.entries() >= most);
            shelf.entries = collection.explorer().entries();
            if more && self.entries() >= most && !self.forget_one() && !self.empty_one(game, &runs[index + 1..]) {
                return ReadProgress::Full;
            }
            if more {
                return ReadProgress::More;
            }
        }
        ReadProgress::All
    }

    /// A run's games, of the type of their game, if they have been requested.
    pub fn collection<G: Playable>(&self, game: GameName, run: &str) -> Option<&Collection<G>> {
        let shelf = self.shelves.get(&(game, run.to_owned()))?;
        shelf.collection.downcast_ref()
    }

    fn entries(&self) -> usize {
        self.shelves.values().map(|shelf| shelf.entries).sum()
    }

    fn entries_of(&self, game: GameName, run: &str) -> usize {
        let shelf = self.shelves.get(&(game, run.to_owned()));
        shelf.map_or(0, |shelf| shelf.entries)
    }

    /// Drops the least recently requested run, other than those of this request.
    fn forget_one(&mut self) -> bool {
        let others = self.shelves.iter().filter(|(_, shelf)| shelf.used < self.requests);
        let oldest = others.min_by_key(|(_, shelf)| shelf.used).map(|(name, _)| name.clone());
        oldest.is_some_and(|name| self.shelves.remove(&name).is_some())
    }

    /// Drops the games of the last of these runs with games in memory.
    fn empty_one(&mut self, game: GameName, runs: &[(String, PathBuf)]) -> bool {
        let last = runs.iter().rev().find(|(name, _)| self.entries_of(game, name) > 0);
        last.is_some_and(|(name, _)| self.shelves.remove(&(game, name.clone())).is_some())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;
    use std::path::Path;

    use chase_engine::Chase;
    use serde_json::json;

    use super::*;

    const GAME: GameName = GameName::Chase;

    /// A study of two games in two files.
    fn study(folder: &Path) {
        let games = folder.join("games/round-00");
        fs::create_dir_all(&games).unwrap();
        for number in 0..2 {
            let game = json!({
                "series": "0/free", "number": number, "values": [null],
                "result": {"outcome": "draw", "reason": "", "plies": 1, "opening_plies": 0, "actions": ["A3NW"]},
            });
            fs::write(games.join(format!("player-00-{number:05}.jsonl")), game.to_string()).unwrap();
        }
    }

    #[test]
    fn memory_is_for_those_who_ask() {
        let folder = tempfile::tempdir().unwrap();
        let run = |name: &str| {
            let path = folder.path().join(name);
            study(&path);
            vec![(name.to_owned(), path)]
        };
        let (one, other) = (run("one"), run("other"));
        let mut shelves = Shelves::new(1);
        let games = |shelves: &Shelves, name: &str| {
            let collection = shelves.collection::<Chase>(GAME, name)?;
            Some(collection.explorer().games(|_| true))
        };
        // On a busy machine the time of a request may be over before the first game.
        let read_on = |shelves: &mut Shelves, runs: &[_]| loop {
            match shelves.read::<Chase>(GAME, runs) {
                ReadProgress::More => {}
                progress => return progress,
            }
        };
        assert_eq!(read_on(&mut shelves, &one), ReadProgress::Full);
        assert_eq!((games(&shelves, "one"), games(&shelves, "other")), (Some(1), None));
        // The run that is no longer requested makes room.
        assert_eq!(shelves.read::<Chase>(GAME, &other), ReadProgress::More);
        assert_eq!(read_on(&mut shelves, &other), ReadProgress::Full);
        assert_eq!((games(&shelves, "one"), games(&shelves, "other")), (None, Some(1)));
        // Of two requested runs the first gets the memory, whatever was requested before.
        let both = [one, other].concat();
        assert_eq!(read_on(&mut shelves, &both), ReadProgress::Full);
        assert_eq!((games(&shelves, "one"), games(&shelves, "other")), (Some(1), Some(0)));
        shelves.most = 10;
        assert_eq!(read_on(&mut shelves, &both), ReadProgress::All);
        assert_eq!((games(&shelves, "one"), games(&shelves, "other")), (Some(2), Some(2)));
    }
}
