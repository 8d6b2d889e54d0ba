//! Reports of workers about themselves, for a person who looks after a cluster. No run depends on them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::{Context, kv};
use chase_models::LIBTORCH_VERSION;
use chase_models::device::Device;
use chase_training::selfplay::Counters;
use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::arithmetic::program;
use crate::error::trouble;
use crate::server::Server;

/// The bucket, with an entry for each worker.
pub(crate) const BUCKET: &str = "chase_workers";
/// Time between two entries of a worker; if it has taken or finished a unit since, the shorter one.
const EVERY: Duration = Duration::from_secs(5);
const AFTER_A_CHANGE: Duration = Duration::from_millis(500);
/// An entry as old as this is removed by the server.
const KEPT: Duration = Duration::from_secs(30);
/// Most bytes of all entries: for some ten thousand workers.
const MOST_BYTES: i64 = 16 << 20;
/// Time that a worker that ends takes for removing its entry.
const LEAVE: Duration = Duration::from_secs(2);

/// Numbers the workers of this process.
static STARTED: AtomicU64 = AtomicU64::new(0);

/// The report of a worker about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Its name: host and process.
    pub name: String,
    /// Version of its program, and the commit that it was built from.
    pub version: String,
    /// Version of libtorch.
    pub libtorch: String,
    /// Its device: `cpu`, or `cuda:N`.
    pub device: String,
    /// Units that it can play at a time.
    pub threads: u64,
    /// Seconds since it was started.
    pub seconds: f64,
    /// Units and games that it has played since.
    pub units: u64,
    /// Games that it has played since.
    pub games: u64,
    /// Leaves that it evaluates per second, since the entry before this one.
    pub evaluations_per_second: f64,
    /// The units that it is playing.
    pub playing: Vec<PlayedUnit>,
}

/// A unit that is being played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedUnit {
    /// Its key.
    pub unit: String,
    /// Seconds since it was begun.
    pub seconds: f64,
}

/// Keeps the entry of a worker.
#[derive(Debug)]
pub(crate) struct Roster {
    key: String,
    begin: Instant,
    /// The part that does not change.
    facts: Presence,
    /// By the number of the unit.
    playing: Mutex<BTreeMap<u64, Work>>,
    /// Evaluations for units that are not being played any more.
    evaluations: AtomicU64,
    /// Units that were begun or ended.
    changes: AtomicU64,
    last: Mutex<Last>,
}

/// A unit in work.
#[derive(Debug)]
struct Work {
    key: String,
    begin: Instant,
    counters: Arc<Counters>,
}

/// The newest entry.
#[derive(Debug, Default)]
struct Last {
    written: Option<Instant>,
    changes: u64,
    evaluations: u64,
    task: Option<JoinHandle<()>>,
}

/// A unit is being played until this is dropped.
#[derive(Debug)]
pub(crate) struct InWork<'a> {
    roster: &'a Roster,
    number: u64,
}

impl Drop for InWork<'_> {
    fn drop(&mut self) {
        if let Some(work) = held(&self.roster.playing).remove(&self.number) {
            let evaluations = work.counters.evaluations.load(Ordering::Relaxed);
            self.roster.evaluations.fetch_add(evaluations, Ordering::Relaxed);
        }
        self.roster.changes.fetch_add(1, Ordering::Relaxed);
    }
}

impl Roster {
    pub(crate) fn new(name: &str, device: Device, threads: usize) -> Self {
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        Self {
            key: format!("{name}.{number}"),
            begin: Instant::now(),
            facts: Presence {
                name: name.to_owned(),
                version: program(),
                libtorch: LIBTORCH_VERSION.to_owned(),
                device: match device {
                    Device::Cuda(index) => format!("cuda:{index}"),
                    _ => "cpu".to_owned(),
                },
                threads: threads as u64,
                seconds: 0.0,
                units: 0,
                games: 0,
                evaluations_per_second: 0.0,
                playing: Vec::new(),
            },
            playing: Mutex::default(),
            evaluations: AtomicU64::new(0),
            changes: AtomicU64::new(0),
            last: Mutex::default(),
        }
    }

    /// Notes that the unit with this key is being played.
    pub(crate) fn begin(&self, key: &str, counters: &Arc<Counters>) -> InWork<'_> {
        let number = self.changes.fetch_add(1, Ordering::Relaxed);
        let work = Work {
            key: key.to_owned(),
            begin: Instant::now(),
            counters: Arc::clone(counters),
        };
        held(&self.playing).insert(number, work);
        InWork { roster: self, number }
    }

    /// Writes the entry if it is time to. Does not wait for the server, and what fails is left to the next time.
    pub(crate) fn keep(&self, server: &Server, units: u64, games: u64) {
        let mut last = held(&self.last);
        let changes = self.changes.load(Ordering::Relaxed);
        let every = if changes == last.changes { EVERY } else { AFTER_A_CHANGE };
        let due = last.written.is_none_or(|written| written.elapsed() >= every);
        if !due || last.task.as_ref().is_some_and(|task| !task.is_finished()) {
            return;
        }
        let playing: Vec<PlayedUnit>;
        let evaluations;
        {
            let works = held(&self.playing);
            let counted = works
                .values()
                .map(|work| work.counters.evaluations.load(Ordering::Relaxed));
            evaluations = self.evaluations.load(Ordering::Relaxed) + counted.sum::<u64>();
            let played = |work: &Work| PlayedUnit {
                unit: work.key.clone(),
                seconds: work.begin.elapsed().as_secs_f64(),
            };
            playing = works.values().map(played).collect();
        }
        let since = last.written.map_or(self.begin.elapsed(), |written| written.elapsed());
        let presence = Presence {
            seconds: self.begin.elapsed().as_secs_f64(),
            units,
            games,
            evaluations_per_second: evaluations.saturating_sub(last.evaluations) as f64 / since.as_secs_f64().max(1e-3),
            playing,
            ..self.facts.clone()
        };
        let (context, key) = (server.context().clone(), self.key.clone());
        *last = Last {
            written: Some(Instant::now()),
            changes,
            evaluations,
            task: Some(server.begin(async move {
                // A person sees that nothing is heard of this worker.
                let _ = write(&context, &key, &presence).await;
            })),
        };
    }

    /// Removes the entry of a worker that ends.
    pub(crate) fn leave(&self, server: &Server) {
        let task = held(&self.last).task.take();
        let leave = async {
            if let Some(task) = task {
                // So that it does not write after the removal.
                let _ = task.await;
            }
            let store = server.context().get_key_value(BUCKET).await.ok()?;
            let entry = store.stream.purge().filter(format!("$KV.{BUCKET}.{}", self.key));
            entry.await.ok()
        };
        // If it fails, the server removes the entry later.
        let _ = server.wait(async { timeout(LEAVE, leave).await });
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn write(context: &Context, key: &str, presence: &Presence) -> Result<(), String> {
    let store = match context.get_key_value(BUCKET).await {
        Ok(store) => store,
        Err(_) => {
            let created = context.create_key_value(kv::Config {
                bucket: BUCKET.to_owned(),
                history: 1,
                max_age: KEPT,
                max_bytes: MOST_BYTES,
                ..kv::Config::default()
            });
            created.await.map_err(trouble("create the bucket of workers"))?
        }
    };
    let text = serde_json::to_vec(presence).map_err(trouble("write an entry"))?;
    let written = store.put(key, text.into()).await;
    written.map(drop).map_err(trouble("write an entry"))
}
