//! Runs and workers of a cluster, as Prometheus reads them.

use std::fmt;
use std::sync::atomic::AtomicU64;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use chase_cluster::Status;
use prometheus_client::encoding::text;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::Server;
use super::cluster;
use super::refusal::Refusal;

/// The type of what is answered.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Labels = Vec<(&'static str, String)>;

/// `GET /metrics`
pub async fn metrics(State(server): State<Server>) -> Result<impl IntoResponse, Refusal> {
    let status = cluster::status_of(&server).await?;
    let text = text_of(&status).map_err(Refusal::fault)?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text))
}

/// All figures of a cluster. A figure without a value has no line.
fn text_of(status: &Status) -> Result<String, fmt::Error> {
    let mut registry = Registry::with_prefix("chase");
    let mut gauge = |name: &str, help: &str, values: Vec<(Labels, Option<f64>)>| {
        let family = Family::<Labels, Gauge<f64, AtomicU64>>::default();
        for (labels, value) in values {
            if let Some(value) = value {
                family.get_or_create(&labels).set(value);
            }
        }
        registry.register(name, help, family);
    };
    let count = |number: u64| Some(number as f64);
    gauge(
        "cluster_stored_bytes",
        "Bytes that the account has stored on the server",
        vec![(Vec::new(), count(status.bytes))],
    );
    gauge(
        "cluster_stored_bytes_limit",
        "Most bytes that the account may store on the server",
        vec![(Vec::new(), status.bytes_limit.and_then(count))],
    );
    let of_run = |value: &dyn Fn(&chase_cluster::status::RunStatus) -> Option<f64>| {
        let runs = status.runs.iter();
        runs.map(|run| (vec![("run", run.run.clone()), ("name", run.name.clone())], value(run)))
            .collect::<Vec<_>>()
    };
    gauge(
        "run_units_waiting",
        "Units that no worker plays yet",
        of_run(&|run| count(run.waiting)),
    );
    gauge(
        "run_workers",
        "Workers of the version that may play its units",
        of_run(&|run| count(run.workers)),
    );
    gauge(
        "run_units_in_work",
        "Units that a worker plays",
        of_run(&|run| count(run.in_work)),
    );
    gauge(
        "run_units_done",
        "Units whose result is on the server",
        of_run(&|run| count(run.done)),
    );
    gauge(
        "run_oldest_unit_seconds",
        "Time since the oldest unit without a result was offered",
        of_run(&|run| run.oldest_seconds),
    );
    gauge(
        "run_stored_bytes",
        "Bytes of checkpoints and games",
        of_run(&|run| count(run.bytes)),
    );
    gauge(
        "run_stored_bytes_limit",
        "Most bytes of checkpoints and games",
        of_run(&|run| run.bytes_limit.and_then(count)),
    );
    let of_worker = |value: &dyn Fn(&chase_cluster::status::WorkerStatus) -> f64| {
        let workers = status.workers.iter();
        workers
            .map(|worker| {
                let presence = &worker.presence;
                let labels = vec![
                    ("worker", presence.name.clone()),
                    ("version", presence.version.to_string()),
                    ("device", presence.device.clone()),
                ];
                (labels, Some(value(worker)))
            })
            .collect::<Vec<_>>()
    };
    gauge(
        "worker_threads",
        "Units that it can play at a time",
        of_worker(&|worker| worker.presence.threads as f64),
    );
    gauge(
        "worker_units",
        "Units that it has played since it was started",
        of_worker(&|worker| worker.presence.units as f64),
    );
    gauge(
        "worker_games",
        "Games that it has played since it was started",
        of_worker(&|worker| worker.presence.games as f64),
    );
    gauge(
        "worker_evaluations_per_second",
        "Positions that it has evaluated in a second since it was started",
        of_worker(&|worker| worker.presence.evaluations_per_second()),
    );
    gauge(
        "worker_heard_seconds",
        "Time since something was heard of it",
        of_worker(&|worker| worker.heard_seconds),
    );
    let mut text = String::new();
    text::encode(&mut text, &registry)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_cluster::status::RunStatus;

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
