//! Units as they travel, and what is stored with their results.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use chase_training::selfplay::Counters;
use chase_training::store::serialised::json_sha256;
use serde::{Deserialize, Serialize};

use crate::version::Version;

/// A unit of work: the description of a job, and the files that it needs. Its result depends on nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The [kind](crate::Job::KIND) of the job.
    pub kind: String,
    /// Its name for people.
    pub title: String,
    /// Number of its games.
    pub games: u32,
    /// The run: the beginning of the hash of its `meta.json`.
    pub run: String,
    /// The version of the machine that offers it.
    pub version: Version,
    /// True if machines of any version may do it.
    pub mixed: bool,
    /// SHA-256 of its input files, by name.
    pub files: BTreeMap<String, String>,
    /// The job, in the form of its kind.
    pub job: serde_json::Value,
}

impl Unit {
    /// The unit's identity: its run, and a hash of everything that its result depends on.
    pub(crate) fn key(&self) -> String {
        format!("{}.{}", self.run, &json_sha256(self)[..16])
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of run {}", self.title, self.run)
    }
}

/// The work done for a result, as far as it is known: plies, evaluations, batches and simulations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort([u64; 4]);

impl Effort {
    fn counters(of: &Counters) -> [&AtomicU64; 4] {
        [&of.plies, &of.evaluations, &of.batches, &of.simulations]
    }

    /// The effort that the counters show.
    pub(crate) fn of(counters: &Counters) -> Self {
        Self(Self::counters(counters).map(|counter| counter.load(Ordering::Relaxed)))
    }

    /// Adds it to counters.
    pub fn add_to(&self, counters: &Counters) {
        for (counter, number) in Self::counters(counters).into_iter().zip(self.0) {
            counter.fetch_add(number, Ordering::Relaxed);
        }
    }

    /// Positions that networks have evaluated.
    pub const fn evaluations(&self) -> u64 {
        self.0[1]
    }
}

/// The statement of a worker about a result, which is stored as its description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) worker: String,
    pub(crate) version: Version,
    pub(crate) effort: Effort,
}
