//! Content of a server, for a person who looks after a cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use async_nats::datetime::{self, DateTime};
use async_nats::jetstream::Context;
use async_nats::jetstream::kv::Store;
use serde::Serialize;
use serde_json::{Value, json};
use tokio_stream::StreamExt;

use crate::address::Address;
use crate::error::{ClusterError, trouble};
use crate::roster::{BUCKET, PlayedUnit, Presence};
use crate::server::{RESULTS, Server, UNITS, all_keys, objects_prefix, results_prefix, units_prefix};

/// Longest text that is taken from what workers say.
const LONGEST: usize = 120;

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

/// The data of a run on a server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunStatus {
    /// The run's key: the beginning of the hash of its `meta.json`.
    pub run: String,
    /// Name of its directory.
    pub name: String,
    /// Units that no worker plays yet.
    pub waiting: u64,
    /// Units that a worker says that it is playing.
    pub in_work: u64,
    /// Units whose result is on the server.
    pub done: u64,
    /// Seconds since the oldest unit without a result was offered; `None` if there is none.
    pub oldest_seconds: Option<f64>,
    /// Bytes of its checkpoints and games.
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
        let status = server.wait(read(server.context()));
        let mut status = status.map_err(|reason| ClusterError::Server {
            address: address.url.clone(),
            reason,
        })?;
        status.server.clone_from(&address.url);
        Ok(status)
    }
}

async fn read(context: &Context) -> Result<Status, String> {
    let mut streams = BTreeMap::new();
    let mut listed = context.streams();
    while let Some(info) = listed.next().await {
        let info = info.map_err(trouble("list streams"))?;
        streams.insert(info.config.name.clone(), info);
    }
    // After the streams, so that it counts what was stored in them until then.
    let account = context.query_account().await.map_err(trouble("ask for the account"))?;
    let units = match streams.contains_key(UNITS) {
        true => Some(context.get_stream(UNITS).await.map_err(trouble("find the units"))?),
        false => None,
    };
    let now = now(context, streams.keys().next()).await;
    let workers = match streams.contains_key(&format!("KV_{BUCKET}")) {
        true => workers(context, now).await?,
        false => Vec::new(),
    };
    let offered = match &units {
        Some(units) => all_keys(units, units_prefix()).await?,
        None => BTreeSet::new(),
    };
    let results = match context.get_key_value(RESULTS).await {
        Ok(results) => all_keys(&results.stream, results_prefix()).await?,
        Err(_) => BTreeSet::new(),
    };
    let played: BTreeSet<&String> = workers
        .iter()
        .flat_map(|worker| worker.presence.playing.iter().map(|unit| &unit.unit))
        .filter(|key| offered.contains(*key))
        .collect();
    let mut runs = Vec::new();
    for (name, info) in &streams {
        let Some(run) = name
            .strip_prefix("OBJ_")
            .and_then(|name| name.strip_prefix(objects_prefix()))
        else {
            continue;
        };
        let of_run = |key: &str| key.split('.').next() == Some(run);
        let all = offered.iter().filter(|key| of_run(key)).count() as u64;
        let in_work = played.iter().filter(|key| of_run(key)).count() as u64;
        let oldest = match &units {
            Some(units) if all > 0 => {
                let subject = format!("{}{run}.>", units_prefix());
                // None, if it was finished meanwhile.
                units.get_first_raw_message_by_subject(subject, 1).await.ok()
            }
            _ => None,
        };
        runs.push(RunStatus {
            run: run.to_owned(),
            name: plain(info.config.description.as_deref().unwrap_or_default()),
            waiting: all - in_work,
            in_work,
            done: results.iter().filter(|key| of_run(key)).count() as u64,
            oldest_seconds: oldest.map(|message| seconds(message.time, now)),
            bytes: info.state.bytes,
            bytes_limit: u64::try_from(info.config.max_bytes).ok(),
        });
    }
    Ok(Status {
        server: String::new(),
        bytes: account.storage,
        bytes_limit: account.limits.max_storage.and_then(|most| u64::try_from(most).ok()),
        runs,
        workers,
    })
}

/// The workers that something was heard of lately.
async fn workers(context: &Context, now: DateTime) -> Result<Vec<WorkerStatus>, String> {
    let store: Store = context
        .get_key_value(BUCKET)
        .await
        .map_err(trouble("find the workers"))?;
    let mut workers = Vec::new();
    for key in all_keys(&store.stream, &format!("$KV.{BUCKET}.")).await? {
        let entry = store.entry(&key).await.map_err(trouble("look for a worker"))?;
        // Gone meanwhile, or of another version of this program.
        let Some(entry) = entry else { continue };
        let Ok(presence) = serde_json::from_slice::<Presence>(&entry.value) else {
            continue;
        };
        workers.push(WorkerStatus {
            heard_seconds: seconds(entry.created, now),
            presence: Presence {
                name: plain(&presence.name),
                version: plain(&presence.version),
                libtorch: plain(&presence.libtorch),
                device: plain(&presence.device),
                playing: presence.playing.iter().map(plain_unit).collect(),
                ..presence
            },
        });
    }
    workers.sort_by(|a, b| a.presence.name.cmp(&b.presence.name));
    Ok(workers)
}

/// The server's time: its clock says how old something is that it has stored.
async fn now(context: &Context, stream: Option<&String>) -> DateTime {
    let Some(stream) = stream else { return datetime::now() };
    let info: Result<Value, _> = context.request(format!("STREAM.INFO.{stream}"), &json!({})).await;
    let time = info
        .ok()
        .and_then(|info| datetime::parse_rfc3339(info["ts"].as_str()?).ok());
    time.unwrap_or_else(datetime::now)
}

fn seconds(from: DateTime, to: DateTime) -> f64 {
    let age = SystemTime::from(to).duration_since(SystemTime::from(from));
    age.unwrap_or_default().as_secs_f64()
}

fn plain_unit(played: &PlayedUnit) -> PlayedUnit {
    PlayedUnit {
        unit: plain(&played.unit),
        seconds: played.seconds,
    }
}

/// A text of someone else, in which nothing is left that a terminal would obey.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}
