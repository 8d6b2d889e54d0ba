//! Files of evidence that the workers of a cluster make.
//!
//! A study consists of files: games, forks and searches, each made whole from what its unit names. Workers can make
//! those that are missing. Their content comes from machines that may be wrong, so each kind of file is checked by the
//! module that it belongs to, and written here. Later steps read them as if they had been made here.

use std::collections::VecDeque;
use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_arena::remote::Package;
use chase_cluster::unit::{self, Part, UnitResult};
use chase_cluster::work::{Common, Taken};
use chase_cluster::{Cluster, ClusterError, Work};
use serde::{Deserialize, Serialize};

/// The kind of these units.
pub const KIND: &str = "study";

/// The workers of a cluster, as a place where files of a study are made.
pub struct Elsewhere<'a> {
    /// The cluster.
    pub cluster: &'a Cluster,
    /// Directory of the study.
    pub directory: &'a Path,
    /// The terms of all units, with the networks.
    pub package: Package,
    /// Set to stop.
    pub stop: &'a AtomicBool,
    /// Receives warnings.
    pub warn: &'a (dyn Fn(&str) + Sync),
}

impl fmt::Debug for Elsewhere<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere")
            .field("directory", &self.directory)
            .finish_non_exhaustive()
    }
}

/// The work of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask<T> {
    /// SHA-256 of the terms of all units.
    pub terms: String,
    /// The file to make.
    pub file: T,
}

/// A file to make, and its place in the study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Errand<T> {
    /// Its number among those of the same epoch and purpose.
    pub number: usize,
    /// Its name for people.
    pub title: String,
    /// The games in it.
    pub games: usize,
    /// The file.
    pub file: T,
}

/// Checks and writes the content of a file, given its number. The inner error is the reason that the content cannot be
/// right.
pub(crate) type Accept<'a, E> = &'a mut dyn FnMut(usize, &[u8]) -> Result<Result<(), String>, E>;

impl Elsewhere<'_> {
    /// Has files made, and gives the content of each to `accept`. Ends early if the study is stopped.
    ///
    /// # Errors
    /// If a file cannot be written, or the content of one was refused again and again.
    pub(crate) fn make<T: Serialize, E: From<ClusterError>>(
        &self,
        purpose: &'static str,
        epoch: usize,
        errands: Vec<Errand<T>>,
        accept: Accept<'_, E>,
    ) -> Result<(), E> {
        let part = |errand: Errand<T>| Part {
            kind: KIND.to_owned(),
            epoch: epoch as u64,
            purpose: purpose.to_owned(),
            group: errand.number as u32,
            title: unit::title(&errand.title),
            games: u32::try_from(errand.games).unwrap_or(u32::MAX),
            work: serde_json::to_value(Ask {
                terms: self.package.terms.clone(),
                file: errand.file,
            })
            .unwrap_or_default(),
        };
        let mut files = Files {
            waiting: errands.into_iter().map(part).collect(),
            accept,
        };
        let common = Common {
            directory: self.directory,
            files: self.package.files.clone(),
            arithmetic: self.package.arithmetic.clone(),
        };
        let mut tick = |warning: Option<String>| {
            if let Some(warning) = warning {
                (self.warn)(&warning);
            }
        };
        self.cluster.finish(&mut files, common, self.stop, &mut tick)
    }
}

/// Files as work for others.
struct Files<'a, E> {
    waiting: VecDeque<Part>,
    accept: Accept<'a, E>,
}

impl<E: From<ClusterError>> Work for Files<'_, E> {
    type Error = E;

    fn next(&mut self) -> Option<Part> {
        self.waiting.pop_front()
    }

    fn take(&mut self, part: &Part, played: UnitResult) -> Result<Taken, E> {
        Ok(match (self.accept)(part.group as usize, &played.content)? {
            Ok(()) => Taken::Counted,
            Err(reason) => Taken::Refused(reason),
        })
    }

    /// Every file that was taken is on disk.
    fn settle(&mut self) -> Result<bool, E> {
        Ok(true)
    }
}
