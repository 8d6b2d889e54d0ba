//! Content of a server, for a person who looks after a cluster.

use std::collections::BTreeMap;
use std::time::SystemTime;

use async_nats::datetime::DateTime;
use async_nats::jetstream::Context;
use async_nats::jetstream::stream;
use serde::Serialize;
use tokio_stream::StreamExt;

use crate::address::Address;
use crate::error::{ClusterError, trouble};
use crate::presence::{BUCKET, Presence};
use crate::server::{OBJECTS, SUBJECTS, Server, UNITS, subjects};
use crate::unit::Unit;
use crate::version::Version;

/// Runs and workers of a server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Status {
    /// Its address.
    pub server: String,
    /// Bytes that the account has stored there.
    pub bytes: u64,
    /// Most bytes that the account may store; `None` if only the server's disk limits it.
    pub bytes_limit: Option<u64>,
    /// Its runs, by their keys.
    pub runs: Vec<RunStatus>,
    /// Its workers, by their names.
    pub workers: Vec<WorkerStatus>,
}

/// The data of a run on a server, or units that are none.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunStatus {
    /// The run's key: the beginning of the hash of its `meta.json`. Of units that are none, a word of their subjects.
    pub run: String,
    /// Name of its directory, and the machine that has it.
    pub name: String,
    /// The version of the workers that may do its units; `None` if it has none, or none that can be read.
    pub version: Option<Version>,
    /// Workers that may do its units.
    pub workers: u64,
    /// Units that no worker does yet.
    pub waiting: u64,
    /// Units that a worker says that it is doing.
    pub in_work: u64,
    /// Units whose result is on the server.
    pub done: u64,
    /// Seconds since one of its units without a result was offered; `None` if there is none.
    pub oldest_seconds: Option<f64>,
    /// Bytes of its input files and results.
    pub bytes: u64,
    /// Most bytes that these may have.
    pub bytes_limit: Option<u64>,
}

/// A worker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerStatus {
    /// Its report about itself.
    #[serde(flatten)]
    pub presence: Presence,
    /// Seconds since that report.
    pub heard_seconds: f64,
}

impl Status {
    /// The present one of a server.
    ///
    /// # Errors
    /// If the address or a file is wrong, or the server does not answer, refuses, or has no JetStream.
    pub fn of(address: &Address) -> Result<Self, ClusterError> {
        let server = Server::connect(address, "chase cluster status")?;
        let status = server.wait(read(&server));
        let mut status = status.map_err(|reason| fault(address, reason))?;
        status.server.clone_from(&address.url);
        Ok(status)
    }
}

/// Removes everything of a run from a server, by its key in the [`Status`]. A run that continues offers it again.
///
/// # Errors
/// As [`Status::of`], and if the server has no such run.
pub fn remove(address: &Address, run: &str) -> Result<(), ClusterError> {
    let server = Server::connect(address, "chase cluster remove")?;
    server
        .wait(async {
            if !read(&server).await?.runs.iter().any(|known| known.run == run) {
                return Err(format!("it has no run `{run}`"));
            }
            server.forget(run).await
        })
        .map_err(|reason| fault(address, reason))
}

fn fault(address: &Address, reason: String) -> ClusterError {
    let address = address.url.clone();
    ClusterError::Server { address, reason }
}

async fn read(server: &Server) -> Result<Status, String> {
    let context = server.context();
    let mut streams = BTreeMap::new();
    let mut listed = context.streams();
    while let Some(info) = listed.next().await {
        let info = info.map_err(trouble("list streams"))?;
        streams.insert(info.config.name.clone(), info);
    }
    // After the streams, so that it counts what was stored in them until then.
    let account = context.query_account().await.map_err(trouble("ask for the account"))?;
    let workers = match streams.contains_key(&format!("KV_{BUCKET}")) {
        true => workers(context).await?,
        false => Vec::new(),
    };
    let mut runs: BTreeMap<String, RunStatus> = BTreeMap::new();
    for (name, info) in &streams {
        if let Some(run) = name.strip_prefix("OBJ_").and_then(|name| name.strip_prefix(OBJECTS)) {
            let names = server.names(run).await?;
            let status = RunStatus {
                name: plain(info.config.description.as_deref().unwrap_or_default()),
                done: names.iter().filter(|name| name.starts_with("result/")).count() as u64,
                bytes: info.state.bytes,
                bytes_limit: u64::try_from(info.config.max_bytes).ok(),
                ..RunStatus::default()
            };
            runs.insert(run.to_owned(), status);
        }
    }
    if streams.contains_key(UNITS) {
        let units = context.get_stream(UNITS).await.map_err(trouble("find the units"))?;
        add_units(&mut runs, &units, &workers).await?;
    }
    for (run, status) in &mut runs {
        status.run.clone_from(run);
    }
    Ok(Status {
        server: String::new(),
        bytes: account.storage,
        bytes_limit: account.limits.max_storage.and_then(|most| u64::try_from(most).ok()),
        runs: runs.into_values().collect(),
        workers,
    })
}

/// Adds the units without a result to their runs.
async fn add_units(
    runs: &mut BTreeMap<String, RunStatus>,
    units: &stream::Stream,
    workers: &[WorkerStatus],
) -> Result<(), String> {
    let is_played = |key: &str| workers.iter().any(|worker| worker.presence.playing.contains_key(key));
    for subject in subjects(units, format!("{SUBJECTS}>")).await? {
        let words: Vec<&str> = subject.trim_start_matches(SUBJECTS).split('.').collect();
        // The version, the run and the hash, or units that are none.
        let (run, key) = match words[..] {
            [_, run, hash] => (run, format!("{run}.{hash}")),
            _ => (words[0], String::new()),
        };
        let status = runs.entry(plain(run)).or_default();
        if is_played(&key) {
            status.in_work += 1;
        } else {
            status.waiting += 1;
        }
        if status.in_work + status.waiting == 1
            // It may have been finished meanwhile.
            && let Ok(first) = units.get_first_raw_message_by_subject(&subject, 1).await
        {
            status.oldest_seconds = Some(seconds_since(first.time));
            let unit = serde_json::from_slice::<Unit>(&first.payload).ok();
            let takes = |worker: &&WorkerStatus| {
                let is_of = |unit: &Unit| unit.mixed || unit.version == worker.presence.version;
                unit.as_ref().is_some_and(is_of)
            };
            status.workers = workers.iter().filter(takes).count() as u64;
            status.version = unit.map(|unit| unit.version);
        }
    }
    Ok(())
}

/// The workers that something was heard of lately.
async fn workers(context: &Context) -> Result<Vec<WorkerStatus>, String> {
    let store = context
        .get_key_value(BUCKET)
        .await
        .map_err(trouble("find the workers"))?;
    let prefix = format!("$KV.{BUCKET}.");
    let mut workers = Vec::new();
    for subject in subjects(&store.stream, format!("{prefix}>")).await? {
        let entry = store.entry(subject.trim_start_matches(&prefix)).await;
        let entry = entry.map_err(trouble("look for a worker"))?;
        // Gone meanwhile, or of another version of this program.
        let Some(entry) = entry else { continue };
        if let Ok(presence) = serde_json::from_slice::<Presence>(&entry.value) {
            workers.push(WorkerStatus {
                heard_seconds: seconds_since(entry.created),
                presence,
            });
        }
    }
    workers.sort_by(|a, b| a.presence.name.cmp(&b.presence.name));
    Ok(workers)
}

/// Seconds since a time of the server, by this machine's clock.
fn seconds_since(time: DateTime) -> f64 {
    let age = SystemTime::now().duration_since(SystemTime::from(time));
    age.unwrap_or_default().as_secs_f64()
}

/// A text without what a terminal would obey.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}
