//! Work on many things in parts, each stored in a file of its own, so that an interruption loses little.

use std::sync::atomic::{AtomicUsize, Ordering};

use chase_engine::Playable;
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{BookError, damaged};
use crate::folder::BookFolder;
use crate::panel::{Bench, Panel};
use crate::watch::{BookStage, BookWatch};

/// Things of a part: what an interruption loses, for each thread.
const THINGS: usize = 4;

/// What is done with each of some things.
pub(crate) struct Parts<'a, G: Playable> {
    pub folder: &'a BookFolder,
    pub panel: &'a Panel<G>,
    pub watch: BookWatch<'a>,
    pub stage: BookStage,
    /// The file of a part, after a number is added to it.
    pub file: &'a str,
}

impl<G: Playable> Parts<'_, G> {
    /// The results of `work` for all things, in their order, on all threads of the current pool; `None` if it was
    /// stopped before. Stored results are read instead, if they `fit` their things.
    ///
    /// # Errors
    /// That of `work`, or if a file is damaged, has other results, or cannot be written.
    pub fn each<I: Sync, O: Serialize + DeserializeOwned + Send>(
        &self,
        things: &[I],
        fit: impl Fn(&I, &O) -> bool + Sync,
        work: impl Fn(&mut Bench<G>, &I) -> Result<O, BookError> + Sync,
    ) -> Result<Option<Vec<O>>, BookError> {
        let (done, of) = (AtomicUsize::new(0), things.len());
        let parts = things.par_chunks(THINGS).enumerate().map_init(
            || self.panel.bench(self.watch.stop),
            |bench, (number, things)| {
                let part = self.part(number, things, &fit, |thing| work(bench, thing))?;
                if part.is_some() {
                    let done = things.len() + done.fetch_add(things.len(), Ordering::Relaxed);
                    self.watch.tell(self.stage, done, of);
                }
                Ok(part)
            },
        );
        let parts: Vec<Option<Vec<O>>> = parts.collect::<Result<_, BookError>>()?;
        let all: Option<Vec<Vec<O>>> = parts.into_iter().collect();
        Ok(all.map(|parts| parts.into_iter().flatten().collect()))
    }

    fn part<I, O: Serialize + DeserializeOwned>(
        &self,
        number: usize,
        things: &[I],
        fit: impl Fn(&I, &O) -> bool,
        mut work: impl FnMut(&I) -> Result<O, BookError>,
    ) -> Result<Option<Vec<O>>, BookError> {
        let name = format!("{}{number:05}.jsonl", self.file);
        if let Some(stored) = self.folder.lines::<O>(&name)? {
            let fits =
                stored.len() == things.len() && things.iter().zip(&stored).all(|(thing, stored)| fit(thing, stored));
            return match fits {
                true => Ok(Some(stored)),
                false => Err(damaged(
                    self.folder.path().join(name),
                    &"it has other positions than this book; remove it, to have them judged again",
                )),
            };
        }
        let mut results = Vec::with_capacity(things.len());
        for thing in things {
            results.push(work(thing)?);
            // A search that was cut short is worth nothing.
            if self.watch.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
        }
        self.folder.store_lines(&name, &results)?;
        Ok(Some(results))
    }
}
