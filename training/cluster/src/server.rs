//! The server, as learners and workers use it.

use std::collections::BTreeSet;
use std::error::Error;
use std::future::Future;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::object_store::{self, ObjectMetadata, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{self, Context, kv};
use async_nats::{ConnectError, ConnectErrorKind};
use chase_models::manifest::FileFacts;
use tokio::io::AsyncReadExt;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use crate::address::Address;
use crate::error::{ClusterError, trouble};

/// The stream of units.
pub(crate) const UNITS: &str = "CHASE_UNITS";
/// The consumer that all workers share.
pub(crate) const WORKERS: &str = "workers";
/// The bucket of results.
pub(crate) const RESULTS: &str = "chase_results";
/// Time in which a server answers, and in which it sends an object.
const ANSWER: Duration = Duration::from_secs(15);
const TRANSFER: Duration = Duration::from_secs(120);
/// Time after which data is removed that no learner has come back for.
const KEPT: Duration = Duration::from_secs(14 * 24 * 3600);
/// Most bytes of all units and of all entries of results: for each some hundred thousand.
const MOST_ENTRIES: i64 = 256 << 20;
/// Most units that workers play at a time, and most workers that wait for one.
const MOST_WORKERS: i64 = 100_000;

/// A connection to a server. It survives the loss of its server: what is asked meanwhile fails.
#[derive(Debug)]
pub(crate) struct Server {
    runtime: Runtime,
    context: Context,
}

impl Server {
    pub(crate) fn connect(address: &Address, name: &str) -> Result<Self, ClusterError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|source| ClusterError::System {
            action: "start the network's thread",
            source,
        })?;
        let server = address.server()?;
        let options = address.options()?;
        let options = options
            .name(name)
            .require_tls(server.tls_required())
            .connection_timeout(ANSWER)
            .request_timeout(Some(ANSWER));
        let fault = |reason: String| ClusterError::Server {
            address: address.url.clone(),
            reason,
        };
        let client = runtime
            .block_on(options.connect(server))
            .map_err(|error| fault(reason(&error)))?;
        // It starts a task.
        let inside = runtime.enter();
        let mut context = jetstream::new(client);
        drop(inside);
        context.set_timeout(ANSWER);
        runtime.block_on(context.query_account()).map_err(|error| {
            fault(format!(
                "{error}; expected a server with JetStream, as `nats-server --jetstream` starts one"
            ))
        })?;
        Ok(Self { runtime, context })
    }

    /// Does something with the server.
    pub(crate) fn wait<F: Future>(&self, work: F) -> F::Output {
        self.runtime.block_on(work)
    }

    /// Begins work that continues while this thread does something else.
    pub(crate) fn begin(&self, work: impl Future<Output = ()> + Send + 'static) -> tokio::task::JoinHandle<()> {
        self.runtime.spawn(work)
    }

    /// Creates what is not there: the stream of units and its consumer, the bucket of results, and the run's objects.
    pub(crate) async fn create(
        &self,
        run: &str,
        description: &str,
        silence: Duration,
        most_bytes: i64,
    ) -> Result<(), String> {
        let units = self.context.get_or_create_stream(stream::Config {
            name: UNITS.to_owned(),
            subjects: vec![format!("{}>", units_prefix())],
            retention: RetentionPolicy::WorkQueue,
            // A unit that is still there is not offered twice.
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_bytes: MOST_ENTRIES,
            max_age: KEPT,
            ..stream::Config::default()
        });
        let units = units.await.map_err(trouble("create the stream of units"))?;
        if self.context.get_key_value(RESULTS).await.is_err() {
            let results = self.context.create_key_value(kv::Config {
                bucket: RESULTS.to_owned(),
                history: 1,
                max_age: KEPT,
                max_bytes: MOST_ENTRIES,
                ..kv::Config::default()
            });
            results.await.map_err(trouble("create the bucket of results"))?;
        }
        let bucket = objects(run);
        if self.context.get_object_store(&bucket).await.is_err() {
            let objects = self.context.create_object_store(object_store::Config {
                bucket,
                description: Some(description.to_owned()),
                max_age: KEPT,
                max_bytes: most_bytes,
                ..object_store::Config::default()
            });
            objects.await.map_err(trouble("create the run's objects"))?;
        }
        // Last: whoever finds it finds the rest.
        let workers = units.create_consumer(pull::Config {
            durable_name: Some(WORKERS.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: silence,
            max_ack_pending: MOST_WORKERS,
            max_waiting: MOST_WORKERS,
            ..pull::Config::default()
        });
        workers.await.map(drop).map_err(trouble("create the consumer of units"))
    }

    pub(crate) const fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) async fn units(&self) -> Result<stream::Stream, String> {
        let units = self.context.get_stream(UNITS).await;
        units.map_err(trouble("find the stream of units"))
    }

    pub(crate) async fn results(&self) -> Result<kv::Store, String> {
        let results = self.context.get_key_value(RESULTS).await;
        results.map_err(trouble("find the bucket of results"))
    }

    pub(crate) async fn objects(&self, run: &str) -> Result<ObjectStore, String> {
        let objects = self.context.get_object_store(objects(run)).await;
        objects.map_err(trouble("find the run's objects"))
    }

    /// Removes everything of a run.
    pub(crate) async fn forget(&self, run: &str) -> Result<(), String> {
        let units = self.units().await?.purge().filter(format!("{}{run}.>", units_prefix()));
        units.await.map_err(trouble("remove the run's units"))?;
        let objects = self.context.delete_object_store(objects(run)).await;
        objects.map(drop).map_err(trouble("remove the run's objects"))?;
        // Last: a worker that stores one later finds no objects, and removes it.
        let results = self.results().await?.stream;
        let results = results.purge().filter(format!("{}{run}.>", results_prefix()));
        results.await.map(drop).map_err(trouble("remove the run's results"))
    }
}

/// The reason that a connection was not made, with advice if there is any.
fn reason(error: &ConnectError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        // Some errors repeat their causes, others do not.
        if !text.contains(&inner.to_string()) {
            text = format!("{text}: {inner}");
        }
        cause = inner.source();
    }
    if matches!(
        error.kind(),
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication
    ) {
        return format!("it refuses to let in ({text}); expected --credentials FILE with what its settings ask for");
    }
    let help = [
        (
            "certificate",
            "expected --authority FILE with the certificate of the authority that signed it",
        ),
        (
            "corrupt message",
            "it does not encrypt with TLS; expected an address that begins with nats://",
        ),
    ];
    match help.into_iter().find(|(sign, _)| text.contains(sign)) {
        Some((_, help)) => format!("{text}; {help}"),
        None => text,
    }
}

/// The beginning of the subjects of units, which end with their keys.
pub(crate) const fn units_prefix() -> &'static str {
    "chase.units."
}

/// The beginning of the subjects of results, which end with the keys of their units.
pub(crate) const fn results_prefix() -> &'static str {
    "$KV.chase_results."
}

/// The beginning of the names of the stores of objects, which end with the keys of their runs.
pub(crate) const fn objects_prefix() -> &'static str {
    "chase_"
}

fn objects(run: &str) -> String {
    format!("{}{run}", objects_prefix())
}

/// Keys of a run for which a stream has messages.
pub(crate) async fn keys(stream: &stream::Stream, prefix: &str, run: &str) -> Result<BTreeSet<String>, String> {
    keys_of(stream, prefix, format!("{prefix}{run}.>")).await
}

/// Keys of all runs for which a stream has messages.
pub(crate) async fn all_keys(stream: &stream::Stream, prefix: &str) -> Result<BTreeSet<String>, String> {
    keys_of(stream, prefix, format!("{prefix}>")).await
}

async fn keys_of(stream: &stream::Stream, prefix: &str, filter: String) -> Result<BTreeSet<String>, String> {
    let subjects = stream.info_with_subjects(filter).await;
    let mut subjects = subjects.map_err(trouble("list keys"))?;
    let mut keys = BTreeSet::new();
    while let Some(subject) = subjects.next().await {
        let (subject, _) = subject.map_err(trouble("list keys"))?;
        keys.extend(subject.strip_prefix(prefix).map(str::to_owned));
    }
    Ok(keys)
}

/// Stores an object.
pub(crate) async fn put(objects: &ObjectStore, name: &str, content: &[u8]) -> Result<(), String> {
    let meta = ObjectMetadata {
        name: name.to_owned(),
        ..ObjectMetadata::default()
    };
    let mut content = content;
    let stored = timeout(TRANSFER, objects.put(meta, &mut content)).await;
    let stored = stored.map_err(trouble(&format!("store {name}")))?;
    stored.map(drop).map_err(trouble(&format!("store {name}")))
}

/// Stores an object whose name says its content, if it is not there.
pub(crate) async fn put_once(objects: &ObjectStore, name: &str, content: &[u8]) -> Result<(), String> {
    match objects.info(name).await {
        Ok(info) if !info.deleted && info.size == content.len() => Ok(()),
        _ => put(objects, name, content).await,
    }
}

/// An object of at most this size, if it has this hash.
pub(crate) async fn get(objects: &ObjectStore, name: &str, most: u64, sha256: &str) -> Result<Vec<u8>, String> {
    let action = format!("fetch {name}");
    let content = timeout(TRANSFER, async {
        let object = objects.get(name).await.map_err(trouble(&action))?;
        if object.info().size as u64 > most {
            let size = object.info().size;
            return Err(format!("cannot {action}: it has {size} bytes, expected at most {most}"));
        }
        let mut content = Vec::new();
        let read = object.take(most + 1).read_to_end(&mut content).await;
        read.map_err(trouble(&action))?;
        Ok(content)
    });
    let content = content.await.map_err(trouble(&action))??;
    let found = FileFacts::of(&content).sha256;
    match found == sha256 {
        true => Ok(content),
        false => Err(format!("cannot {action}: its SHA-256 is {found}, expected {sha256}")),
    }
}
