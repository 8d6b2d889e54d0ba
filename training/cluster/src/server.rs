//! The server, as runs and workers use it.

use std::collections::BTreeSet;
use std::error::Error;
use std::future::Future;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store::{self, ObjectMetadata, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use async_nats::{ConnectError, ConnectErrorKind};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use tokio::io::AsyncReadExt;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use crate::address::Address;
use crate::error::{ClusterError, trouble};

/// The stream of units, and the beginning of their subjects, which end with the unit's [key](crate::unit::Unit::key).
pub(crate) const UNITS: &str = "CHASE_WORK";
pub(crate) const SUBJECTS: &str = "chase.work.";
/// Stands for the version in the subjects of units that workers of any version may take.
pub(crate) const MIXED: &str = "mixed";
/// The beginning of the names of the stores of objects, which end with the keys of their runs.
pub(crate) const OBJECTS: &str = "chase_";
/// Usual time in which nothing is heard of a worker before its unit is given to another.
pub(crate) const SILENCE: Duration = Duration::from_secs(30);
/// Time in which a server answers, and in which it sends an object.
const ANSWER: Duration = Duration::from_secs(15);
const TRANSFER: Duration = Duration::from_secs(120);
/// Time after which data is removed that nobody has come back for.
const KEPT: Duration = Duration::from_secs(14 * 24 * 3600);
/// Most bytes of all units: for some hundred thousand.
const MOST_BYTES: i64 = 256 << 20;
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
                "{error}; expected a server with JetStream, started by `nats-server --jetstream`"
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

    pub(crate) const fn context(&self) -> &Context {
        &self.context
    }

    /// The stream of units, which is created if it is not there.
    pub(crate) async fn units(&self) -> Result<stream::Stream, String> {
        let units = self.context.get_or_create_stream(stream::Config {
            name: UNITS.to_owned(),
            subjects: vec![format!("{SUBJECTS}>")],
            retention: RetentionPolicy::WorkQueue,
            // A unit that is still there is not offered twice.
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_bytes: MOST_BYTES,
            max_age: KEPT,
            ..stream::Config::default()
        });
        units.await.map_err(trouble("find the stream of units"))
    }

    /// The consumer that all workers of a version share, which is created if it is not there, and changed if `silence`
    /// is given. It delivers no units of others: none of these can be in the way.
    pub(crate) async fn consumer(&self, version: &str, silence: Option<Duration>) -> Result<PullConsumer, String> {
        let config = pull::Config {
            durable_name: Some(version.to_owned()),
            filter_subject: format!("{SUBJECTS}{version}.>"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: silence.unwrap_or(SILENCE),
            max_ack_pending: MOST_WORKERS,
            max_waiting: MOST_WORKERS,
            inactive_threshold: KEPT,
            ..pull::Config::default()
        };
        let units = self.units().await?;
        let consumer = match silence {
            Some(_) => units.create_consumer(config).await,
            None => units.get_or_create_consumer(version, config).await,
        };
        consumer.map_err(trouble("find the consumer of units"))
    }

    pub(crate) async fn objects(&self, run: &str) -> Result<ObjectStore, String> {
        let objects = self.context.get_object_store(format!("{OBJECTS}{run}")).await;
        objects.map_err(trouble("find the run's objects"))
    }

    /// The objects of a run, which are created if they are not there.
    pub(crate) async fn create_objects(&self, run: &str, description: String, most_bytes: i64) -> Result<(), String> {
        if self.objects(run).await.is_ok() {
            return Ok(());
        }
        let objects = self.context.create_object_store(object_store::Config {
            bucket: format!("{OBJECTS}{run}"),
            description: Some(description),
            max_age: KEPT,
            max_bytes: most_bytes,
            ..object_store::Config::default()
        });
        objects.await.map(drop).map_err(trouble("create the run's objects"))
    }

    /// Names of the objects of a run.
    pub(crate) async fn names(&self, run: &str) -> Result<BTreeSet<String>, String> {
        let prefix = format!("$O.{OBJECTS}{run}.M.");
        let stream = self.context.get_stream_no_info(format!("OBJ_{OBJECTS}{run}")).await;
        let stream = stream.map_err(trouble("find the run's objects"))?;
        let subjects = subjects(&stream, format!("{prefix}>")).await?;
        let name = |subject: &String| String::from_utf8(URL_SAFE.decode(subject.strip_prefix(&prefix)?).ok()?).ok();
        Ok(subjects.iter().filter_map(name).collect())
    }

    /// Stores an object of a run.
    pub(crate) async fn put(&self, run: &str, name: &str, description: String, content: &[u8]) -> Result<(), String> {
        let objects = self.objects(run).await?;
        let meta = ObjectMetadata {
            name: name.to_owned(),
            description: Some(description),
            ..ObjectMetadata::default()
        };
        let mut content = content;
        let stored = timeout(TRANSFER, objects.put(meta, &mut content)).await;
        let stored = stored.map_err(trouble(&format!("store {name}")))?;
        stored.map(drop).map_err(trouble(&format!("store {name}")))
    }

    /// An object of a run, and its description. The client compares its hash.
    pub(crate) async fn get(&self, run: &str, name: &str) -> Result<(Vec<u8>, String), String> {
        let action = format!("fetch {name}");
        let objects = self.objects(run).await?;
        let fetched = timeout(TRANSFER, async {
            let mut object = objects.get(name).await.map_err(trouble(&action))?;
            let mut content = Vec::new();
            object.read_to_end(&mut content).await.map_err(trouble(&action))?;
            Ok((content, object.info().description.clone().unwrap_or_default()))
        });
        fetched.await.map_err(trouble(&action))?
    }

    /// Removes an object of a run, so that its name is gone too.
    pub(crate) async fn remove(&self, run: &str, name: &str) -> Result<(), String> {
        let action = format!("remove {name}");
        let objects = self.objects(run).await?;
        let info = objects.info(name).await.map_err(trouble(&action))?;
        let stream = self.context.get_stream_no_info(format!("OBJ_{OBJECTS}{run}")).await;
        let stream = stream.map_err(trouble(&action))?;
        for part in [format!("M.{}", URL_SAFE.encode(name)), format!("C.{}", info.nuid)] {
            purge(&stream, format!("$O.{OBJECTS}{run}.{part}")).await?;
        }
        Ok(())
    }

    /// Removes everything of a run, or units that are none whose subjects begin with this word.
    pub(crate) async fn forget(&self, run: &str) -> Result<(), String> {
        let units = self.units().await?;
        for filter in [format!("*.{run}.>"), format!("{run}.>"), run.to_owned()] {
            purge(&units, format!("{SUBJECTS}{filter}")).await?;
        }
        if self.objects(run).await.is_ok() {
            let removed = self.context.delete_object_store(format!("{OBJECTS}{run}")).await;
            removed.map_err(trouble("remove the run's objects"))?;
        }
        Ok(())
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
        return format!(
            "it refuses the connection ({text}); expected --credentials FILE with credentials that it accepts"
        );
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

/// Subjects with a message.
pub(crate) async fn subjects<I>(stream: &stream::Stream<I>, filter: String) -> Result<BTreeSet<String>, String> {
    let listed = stream.info_with_subjects(filter).await;
    let mut listed = listed.map_err(trouble("list subjects"))?;
    let mut subjects = BTreeSet::new();
    while let Some(subject) = listed.next().await {
        subjects.insert(subject.map_err(trouble("list subjects"))?.0);
    }
    Ok(subjects)
}

/// Removes the messages of a subject.
pub(crate) async fn purge<I>(stream: &stream::Stream<I>, subject: String) -> Result<(), String> {
    let purged = stream.purge().filter(subject).await;
    purged.map(drop).map_err(trouble("remove messages"))
}
