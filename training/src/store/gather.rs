//! Work in units, each of which leaves a file of its own: an interruption loses what was being made, and nothing else.
//!
//! Studies and books are gathered by this one loop. What a unit is, and how it is made, is said by a [`Gather`].

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::files::{self, FileError};
use crate::parallel;

/// The content of a unit's file.
pub trait FileContent: Sized {
    /// The text of the file.
    fn text(&self) -> String;

    /// Reads such a text.
    ///
    /// # Errors
    /// The reason that it is none.
    fn parse(text: &[u8]) -> Result<Self, String>;
}

/// JSON, one value a line.
impl<T: Serialize + DeserializeOwned> FileContent for Vec<T> {
    fn text(&self) -> String {
        files::lines(self)
    }

    fn parse(text: &[u8]) -> Result<Self, String> {
        files::parse_lines(text)
    }
}

/// Receives the content of a unit that was made elsewhere, by the number of the unit among those that were missing.
pub type Receive<'a, G> = dyn FnMut(usize, <G as Gather>::Content) -> Result<(), <G as Gather>::Error> + 'a;

/// The making, checking and keeping of the units of some work.
pub trait Gather: Sync {
    /// The description that a file is made from.
    type Unit: Sync;
    /// The content of a file.
    type Content: FileContent + Send;
    /// The part of the content that is kept in memory.
    type Kept: Send;
    /// The tools with which a thread makes units, such as an agent; empty at first.
    type Bench: Default;
    /// Reason that a unit cannot be made.
    type Error: From<FileError> + Send;

    /// Set to stop.
    fn stop(&self) -> &AtomicBool;

    /// Path of the unit's file.
    fn file(&self, unit: &Self::Unit) -> PathBuf;

    /// Checks that a file belongs to a unit.
    ///
    /// # Errors
    /// The reason that it is not.
    fn check(&self, unit: &Self::Unit, content: &Self::Content) -> Result<(), String>;

    /// Makes a unit; `None` if it was stopped before.
    ///
    /// # Errors
    /// If it cannot be made.
    fn make(&self, bench: &mut Self::Bench, unit: &Self::Unit) -> Result<Option<Self::Content>, Self::Error>;

    /// Takes the part of a unit that is kept, when its file is there. `stored` is true if it was there before. Called in
    /// any order, from any thread.
    ///
    /// # Errors
    /// If the content is not possible, or what follows from it cannot be stored.
    fn keep(&self, unit: &Self::Unit, content: Self::Content, stored: bool) -> Result<Self::Kept, Self::Error>;

    /// Has units made by other machines, if there are any, and gives their contents to `receive`. Those that are left
    /// are made here.
    ///
    /// # Errors
    /// That of `receive`, or if these machines cannot be used.
    fn elsewhere(&self, _missing: &[&Self::Unit], _receive: &mut Receive<'_, Self>) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// The kept parts of all units, in their order; `None` if it was stopped. Files that are there are read; those that are
/// missing are made elsewhere, or here on all threads of the current pool. Units are begun in their order. The result
/// depends neither on who makes them nor on earlier interruptions.
///
/// # Errors
/// If a file is damaged or cannot be written, or a unit cannot be made.
pub fn gather<G: Gather>(work: &G, units: &[G::Unit]) -> Result<Option<Vec<G::Kept>>, G::Error> {
    // All files are read before the first one is made, so that damage is reported at once, and always the same file
    // first.
    let stored = |(): &mut (), number: usize| stored(work, &units[number]);
    let mut found = parallel::each(units.len(), &|| (), &stored)?;
    if work.stop().load(Ordering::Relaxed) {
        return Ok(None);
    }
    let missing: Vec<usize> = (0..units.len()).filter(|&number| found[number].is_none()).collect();
    if !missing.is_empty() {
        let wanted: Vec<&G::Unit> = missing.iter().map(|&number| &units[number]).collect();
        work.elsewhere(&wanted, &mut |number, content| {
            let number = missing[number];
            found[number] = Some(store(work, &units[number], content)?);
            Ok(())
        })?;
    }
    let missing: Vec<usize> = missing.into_iter().filter(|&number| found[number].is_none()).collect();
    let make = |bench: &mut G::Bench, number: usize| made(work, bench, &units[missing[number]]);
    let made = parallel::each(missing.len(), &G::Bench::default, &make)?;
    for (&number, kept) in missing.iter().zip(made) {
        found[number] = kept;
    }
    Ok(found.into_iter().collect())
}

/// The kept part of a unit whose file is there; `None` if it is not.
fn stored<G: Gather>(work: &G, unit: &G::Unit) -> Result<Option<G::Kept>, G::Error> {
    let path = work.file(unit);
    if work.stop().load(Ordering::Relaxed) || !path.exists() {
        return Ok(None);
    }
    let content = G::Content::parse(&files::read(&path)?);
    let content = content.and_then(|content| work.check(unit, &content).map(|()| content));
    let content = content.map_err(|reason| FileError::damaged(path, reason))?;
    work.keep(unit, content, true).map(Some)
}

/// Makes a unit and stores it; `None` if it was stopped before.
fn made<G: Gather>(work: &G, bench: &mut G::Bench, unit: &G::Unit) -> Result<Option<G::Kept>, G::Error> {
    if work.stop().load(Ordering::Relaxed) {
        return Ok(None);
    }
    let content = work.make(bench, unit)?;
    content.map(|content| store(work, unit, content)).transpose()
}

fn store<G: Gather>(work: &G, unit: &G::Unit, content: G::Content) -> Result<G::Kept, G::Error> {
    files::write_whole(&work.file(unit), content.text().as_bytes())?;
    work.keep(unit, content, false)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;
    use std::path::Path;
    use std::sync::Mutex;

    use super::*;

    /// Squares of numbers. Another machine makes those of even ones, and everything stops after some.
    struct Squares<'a> {
        folder: &'a Path,
        helped: bool,
        stop: AtomicBool,
        most: usize,
        /// The numbers whose squares were made here.
        made: Mutex<Vec<u64>>,
    }

    impl Gather for Squares<'_> {
        type Unit = u64;
        type Content = Vec<u64>;
        type Kept = (u64, bool);
        type Bench = ();
        type Error = FileError;

        fn stop(&self) -> &AtomicBool {
            &self.stop
        }

        fn file(&self, number: &u64) -> PathBuf {
            self.folder.join(format!("{number}.jsonl"))
        }

        fn check(&self, number: &u64, content: &Vec<u64>) -> Result<(), String> {
            let right = content[..] == [number * number];
            right.then_some(()).ok_or_else(|| "it has another square".into())
        }

        fn make(&self, (): &mut (), number: &u64) -> Result<Option<Vec<u64>>, FileError> {
            let mut made = self.made.lock().unwrap();
            made.push(*number);
            self.stop.store(made.len() == self.most, Ordering::Relaxed);
            Ok(Some(vec![number * number]))
        }

        fn keep(&self, _: &u64, content: Vec<u64>, stored: bool) -> Result<(u64, bool), FileError> {
            Ok((content[0], stored))
        }

        fn elsewhere(&self, missing: &[&u64], receive: &mut Receive<'_, Self>) -> Result<(), FileError> {
            let even = missing.iter().enumerate().filter(|(_, number)| **number % 2 == 0);
            even.filter(|_| self.helped)
                .try_for_each(|(place, number)| receive(place, vec![*number * *number]))
        }
    }

    fn squares(folder: &Path, most: usize) -> Squares<'_> {
        Squares {
            folder,
            helped: false,
            stop: AtomicBool::new(false),
            most,
            made: Mutex::default(),
        }
    }

    #[test]
    fn what_is_there_is_read_and_what_is_missing_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let units: Vec<u64> = (0..40).collect();
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let stopped = squares(folder.path(), 7);
        assert_eq!(one.install(|| gather(&stopped, &units)).unwrap(), None);
        assert_eq!(*stopped.made.lock().unwrap(), (0..7).collect::<Vec<_>>());
        let helped = Squares {
            helped: true,
            ..squares(folder.path(), 99)
        };
        let found = gather(&helped, &units).unwrap().unwrap();
        let expected = units.iter().map(|number| (number * number, *number < 7));
        assert_eq!(found, expected.collect::<Vec<_>>());
        let mut made = helped.made.into_inner().unwrap();
        made.sort_unstable();
        assert_eq!(made, (7..40).filter(|number| number % 2 == 1).collect::<Vec<_>>());
        assert_eq!(fs::read_to_string(folder.path().join("6.jsonl")).unwrap(), "36\n");
    }

    #[test]
    fn a_damaged_file_is_told_before_anything_is_made() {
        let folder = tempfile::tempdir().unwrap();
        for (number, text, reason) in [(5, "24\n", "it has another square"), (3, "x\n", "line 1: ")] {
            fs::write(folder.path().join(format!("{number}.jsonl")), text).unwrap();
            let work = squares(folder.path(), 99);
            let told = gather(&work, &[0, 1, 2, 3, 4, 5]).unwrap_err().to_string();
            assert!(told.contains(&format!("{number}.jsonl is damaged: {reason}")), "{told}");
            assert!(work.made.into_inner().unwrap().is_empty());
        }
    }
}
