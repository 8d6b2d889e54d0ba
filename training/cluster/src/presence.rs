//! Reports of workers about themselves, for a person who looks after a cluster. No run depends on them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::{Context, kv};
use chase_training::store::serialised::json;
use serde::{Deserialize, Serialize};

use crate::error::trouble;
use crate::server::purge;
use crate::version::Version;

/// The bucket, with an entry for each worker.
pub(crate) const BUCKET: &str = "chase_workers";
/// Time between two entries of a worker.
const EVERY: Duration = Duration::from_secs(2);
/// An entry as old as this is removed by the server.
const KEPT: Duration = Duration::from_secs(30);
/// Most bytes of all entries: for some ten thousand workers.
const MOST_BYTES: i64 = 16 << 20;

/// The report of a worker about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Its name: host, process, and a number drawn at random, since containers may share the others.
    pub name: String,
    /// Version of its program, which must agree with that of a unit.
    pub version: Version,
    /// Its device: `cpu`, or `cuda:N`.
    pub device: String,
    /// Units that it can do at a time.
    pub threads: u64,
    /// Seconds since it was started.
    pub seconds: f64,
    /// Units that it has done since.
    pub units: u64,
    /// Their games.
    pub games: u64,
    /// Leaves that it has evaluated for them.
    pub evaluations: u64,
    /// The units that it is doing: their names for people, by key.
    pub playing: BTreeMap<String, String>,
}

impl Presence {
    /// Leaves that it has evaluated per second since it was started.
    pub fn evaluations_per_second(&self) -> f64 {
        self.evaluations as f64 / self.seconds.max(1e-3)
    }
}

/// Writes the entry of a worker again and again. What fails is left to the next time: a person sees that nothing is
/// heard of it.
pub(crate) async fn tell(context: Context, presence: Arc<Mutex<Presence>>) {
    let begin = Instant::now();
    loop {
        let mut now = presence.lock().unwrap_or_else(PoisonError::into_inner).clone();
        now.seconds = begin.elapsed().as_secs_f64();
        let _ = write(&context, &now).await;
        tokio::time::sleep(EVERY).await;
    }
}

/// Removes the entry of a worker that ends. If that fails, the server removes it later.
pub(crate) async fn leave(context: &Context, name: &str) {
    if let Ok(store) = context.get_key_value(BUCKET).await {
        let _ = purge(&store.stream, format!("$KV.{BUCKET}.{name}")).await;
    }
}

async fn write(context: &Context, presence: &Presence) -> Result<(), String> {
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
    let written = store.put(&presence.name, json(presence).into()).await;
    written.map(drop).map_err(trouble("write an entry"))
}
