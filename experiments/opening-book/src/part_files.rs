//! Work on many things in parts, each stored in a file of its own, so that an interruption loses little.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chase_engine::Playable;
use chase_training::store::gather::{Gather, gather};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::BookError;
use crate::folder::BookFolder;
use crate::panel::{Bench, Panel};
use crate::progress::{BookStage, BookWatch};

/// Things of a part: what an interruption loses, for each thread.
const THINGS: usize = 4;

/// Does the work on one thing.
pub(crate) type Work<'a, G, I, O> = dyn Fn(&mut Bench<G>, &I) -> Result<O, BookError> + Sync + 'a;

/// The same work for each of some things.
pub(crate) struct Parts<'a, G: Playable, I, O> {
    pub folder: &'a BookFolder,
    pub panel: &'a Panel<G>,
    pub watch: BookWatch<'a>,
    pub stage: BookStage,
    /// The file of a part, after a number is added to it.
    pub file: &'a str,
    pub things: &'a [I],
    /// True if a stored result is that of a thing.
    pub fits: &'a (dyn Fn(&I, &O) -> bool + Sync),
    pub work: &'a Work<'a, G, I, O>,
    /// Things that are finished.
    pub done: AtomicUsize,
}

impl<'a, G, I, O> Parts<'a, G, I, O>
where
    G: Playable,
    I: Sync,
    O: Serialize + DeserializeOwned + Send,
{
    /// The results of all things, in their order, on all threads of the current pool; `None` if it was stopped before.
    ///
    /// # Errors
    /// That of the work, or if a file is damaged, has other results, or cannot be written.
    pub fn results(&self) -> Result<Option<Vec<O>>, BookError> {
        let parts: Vec<(usize, &'a [I])> = self.things.chunks(THINGS).enumerate().collect();
        let all = gather(self, &parts)?;
        Ok(all.map(|parts| parts.into_iter().flatten().collect()))
    }
}

impl<'a, G, I, O> Gather for Parts<'a, G, I, O>
where
    G: Playable,
    I: Sync,
    O: Serialize + DeserializeOwned + Send,
{
    /// The number of a part, and its things.
    type Unit = (usize, &'a [I]);
    type Content = Vec<O>;
    type Kept = Vec<O>;
    type Bench = Option<Bench<G>>;
    type Error = BookError;

    fn stop(&self) -> &AtomicBool {
        self.watch.stop
    }

    fn file(&self, (number, _): &Self::Unit) -> PathBuf {
        self.folder.path().join(format!("{}{number:05}.jsonl", self.file))
    }

    fn check(&self, (_, things): &Self::Unit, results: &Vec<O>) -> Result<(), String> {
        let pairs = || things.iter().zip(results);
        match things.len() == results.len() && pairs().all(|(thing, result)| (self.fits)(thing, result)) {
            true => Ok(()),
            false => Err("its positions are not the positions of this book; remove it to judge them again".into()),
        }
    }

    fn make(&self, bench: &mut Self::Bench, (_, things): &Self::Unit) -> Result<Option<Vec<O>>, BookError> {
        let bench = bench.get_or_insert_with(|| self.panel.bench(self.watch.stop));
        let mut results = Vec::with_capacity(things.len());
        for thing in *things {
            results.push((self.work)(bench, thing)?);
            // A search that was cut short is worth nothing.
            if self.watch.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
        }
        Ok(Some(results))
    }

    fn keep(&self, (_, things): &Self::Unit, results: Vec<O>, _: bool) -> Result<Vec<O>, BookError> {
        let done = things.len() + self.done.fetch_add(things.len(), Ordering::Relaxed);
        self.watch.tell(self.stage, done, self.things.len());
        Ok(results)
    }
}
