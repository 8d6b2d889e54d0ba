//! The server that workers and runs share, also as Prometheus reads it.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use chase_cluster::status::{RunStatus, WorkerStatus};
use chase_cluster::{Address, Status};
use prometheus_client::encoding::text;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::Server;
use super::refusal::{Refusal, aside};

/// Time for which an answer is given again: no number of pages asks the server more often.
const AGAIN: Duration = Duration::from_secs(2);

/// A cluster that pages look at.
#[derive(Debug)]
pub struct Watched {
    address: Address,
    last: Mutex<Option<(Instant, Status)>>,
}

impl Watched {
    pub fn new(address: Address) -> Self {
        Self {
            address,
            last: Mutex::default(),
        }
    }

    fn status(&self) -> Result<Status, Refusal> {
        // Others wait meanwhile for the same answer.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, status)) = &*last
            && asked.elapsed() < AGAIN
        {
            return Ok(status.clone());
        }
        let status = Status::of(&self.address).map_err(Refusal::fault)?;
        *last = Some((Instant::now(), status.clone()));
        Ok(status)
    }
}

/// `GET /api/cluster`
pub async fn status(State(server): State<Server>) -> Result<Json<Status>, Refusal> {
    status_of(&server).await.map(Json)
}

/// The present status of the cluster that this server was told of.
async fn status_of(server: &Server) -> Result<Status, Refusal> {
    let Some(cluster) = server.cluster.clone() else {
        return Err(Refusal::missing("no cluster was named when this server was started"));
    };
    aside(move || cluster.status()).await
}

/// The type of what is answered.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Labels = Vec<(&'static str, String)>;

/// `GET /metrics`
pub async fn metrics(State(server): State<Server>) -> Result<impl IntoResponse, Refusal> {
    let status = status_of(&server).await?;
    let text = text_of(&status).map_err(Refusal::fault)?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text))
}

/// A figure of something: its name, its meaning, and its value, if there is one.
type Figure<T> = (&'static str, &'static str, fn(&T) -> Option<f64>);

const OF_CLUSTER: [Figure<Status>; 2] = [
    (
        "cluster_stored_bytes",
        "Bytes that the account has stored on the server",
        |status| Some(status.bytes as f64),
    ),
    (
        "cluster_stored_bytes_limit",
        "Most bytes that the account may store on the server",
        |status| Some(status.bytes_limit? as f64),
    ),
];

const OF_RUNS: [Figure<RunStatus>; 7] = [
    ("run_units_waiting", "Units that no worker plays yet", |run| {
        Some(run.waiting as f64)
    }),
    ("run_workers", "Workers of the version that may play its units", |run| {
        Some(run.workers as f64)
    }),
    ("run_units_in_work", "Units that a worker plays", |run| {
        Some(run.in_work as f64)
    }),
    ("run_units_done", "Units whose result is on the server", |run| {
        Some(run.done as f64)
    }),
    (
        "run_oldest_unit_seconds",
        "Time since the oldest unit without a result was offered",
        |run| run.oldest_seconds,
    ),
    ("run_stored_bytes", "Bytes of checkpoints and games", |run| {
        Some(run.bytes as f64)
    }),
    ("run_stored_bytes_limit", "Most bytes of checkpoints and games", |run| {
        Some(run.bytes_limit? as f64)
    }),
];

const OF_WORKERS: [Figure<WorkerStatus>; 5] = [
    ("worker_threads", "Units that it can play at a time", |worker| {
        Some(worker.presence.threads as f64)
    }),
    (
        "worker_units",
        "Units that it has played since it was started",
        |worker| Some(worker.presence.units as f64),
    ),
    (
        "worker_games",
        "Games that it has played since it was started",
        |worker| Some(worker.presence.games as f64),
    ),
    (
        "worker_evaluations_per_second",
        "Positions that it has evaluated in a second since it was started",
        |worker| Some(worker.presence.evaluations_per_second()),
    ),
    (
        "worker_heard_seconds",
        "Time since something was heard of it",
        |worker| Some(worker.heard_seconds),
    ),
];

/// All figures of a cluster. A figure without a value has no line.
fn text_of(status: &Status) -> Result<String, fmt::Error> {
    let mut registry = Registry::with_prefix("chase");
    register(&mut registry, &OF_CLUSTER, std::slice::from_ref(status), |_| Vec::new());
    register(&mut registry, &OF_RUNS, &status.runs, |run| {
        vec![("run", run.run.clone()), ("name", run.name.clone())]
    });
    register(&mut registry, &OF_WORKERS, &status.workers, |worker| {
        let presence = &worker.presence;
        vec![
            ("worker", presence.name.clone()),
            ("version", presence.version.to_string()),
            ("device", presence.device.clone()),
        ]
    });
    let mut text = String::new();
    text::encode(&mut text, &registry)?;
    Ok(text)
}

/// Adds the figures of these things, with their labels.
fn register<T>(registry: &mut Registry, figures: &[Figure<T>], things: &[T], labels: impl Fn(&T) -> Labels) {
    for (name, help, value) in figures {
        let family = Family::<Labels, Gauge<f64, AtomicU64>>::default();
        for thing in things {
            if let Some(value) = value(thing) {
                family.get_or_create(&labels(thing)).set(value);
            }
        }
        registry.register(*name, *help, family);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn names_of_others_cannot_forge_a_line_and_what_is_not_known_has_none() {
        let run = RunStatus {
            run: "0123456789abcdef".into(),
            name: "a\"} 1\nchase_forged 2".into(),
            waiting: 3,
            done: 2,
            bytes: 5,
            bytes_limit: Some(6),
            ..RunStatus::default()
        };
        let status = Status {
            server: "nats://localhost".into(),
            bytes: 7,
            bytes_limit: None,
            runs: vec![run],
            workers: Vec::new(),
        };
        let text = text_of(&status).unwrap();
        let labels = r#"run="0123456789abcdef",name="a\"} 1\nchase_forged 2""#;
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let expected = [
            "chase_cluster_stored_bytes 7.0".to_owned(),
            format!("chase_run_units_waiting{{{labels}}} 3.0"),
            format!("chase_run_workers{{{labels}}} 0.0"),
            format!("chase_run_units_in_work{{{labels}}} 0.0"),
            format!("chase_run_units_done{{{labels}}} 2.0"),
            format!("chase_run_stored_bytes{{{labels}}} 5.0"),
            format!("chase_run_stored_bytes_limit{{{labels}}} 6.0"),
        ];
        assert_eq!(lines, expected);
    }
}
