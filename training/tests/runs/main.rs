//! Whole runs, on Connect Four with a tiny network: the same result whatever happens on the way.
//!
//! One test binary, since each that links libtorch takes a quarter of a second to start.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod branching;
mod changes;
mod damage;
mod foreign;
mod interruption;
mod learning;
mod memory;
mod whole;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::ConnectFour;
use chase_fixtures::{assert_same_files, files};
use chase_training::config::Config;
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::game_record::Purpose;
use chase_training::training_loop::{Training, TrainingError};
use tch::Kind;

/// Three small generations.
const SMALL: &str = r#"
game = "connect-four"
seed = 11
threads = 2
device = "cpu"
precision = "f32"
[network]
blocks = 1
channels = 8
pooling = 1
policy_channels = 4
value_channels = 4
value_hidden = 8
hex = false
wrap = false
auxiliary = { occupancy = true, plies_left = true }
[search]
simulations = 8
fast_simulations = 3
[selfplay]
random_opening_share = 0.4
random_opening_plies = 4
games = 20
group_games = 6
in_flight = 4
[measurement]
every = 2
games = 8
simulations = 6
[replay]
window_rows = 300
reuse = 3.0
[learner]
batch = 32
replicas = 2
warmup_steps = 5
average_rows = 500
[evaluation]
every = 2
[checkpoints]
keep_last = 2
keep_every = 0
[limits]
generations = 3
"#;

fn config(overrides: &[&str]) -> Config {
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    Config::load(Some(("small", SMALL)), &overrides).unwrap()
}

/// Notes what it is told.
#[derive(Default)]
struct Notes {
    events: Vec<String>,
    warnings: Vec<String>,
    evaluated: Vec<u64>,
}

impl Observer<ConnectFour> for Notes {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Warning(text) => self.warnings.push(text.clone()),
            Event::Playing { .. } | Event::Learning { .. } => {}
            _ => self.events.push(event.to_string()),
        }
    }

    fn evaluate(&mut self, generation: u64, request: &EvaluationRequest<'_, ConnectFour>) -> EvaluationResult {
        self.evaluated.push(generation);
        assert!(request.checkpoint.join("manifest.json").exists());
        // Of this network, not of another.
        let biases = request
            .network
            .trainable()
            .map(|(_, tensor)| tensor.abs().sum(Kind::Double));
        let sum: f64 = biases.map(|sum| sum.double_value(&[])).sum();
        Ok(vec![("eval/score".into(), sum)])
    }
}

/// Sets the stop flag at the first event that it is waiting for.
struct StopWhen<'a> {
    when: fn(&Event<'_>) -> bool,
    stop: &'a AtomicBool,
}

impl Observer<ConnectFour> for StopWhen<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if (self.when)(event) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn evaluate(&mut self, generation: u64, request: &EvaluationRequest<'_, ConnectFour>) -> EvaluationResult {
        Notes::default().evaluate(generation, request)
    }
}

/// A run that is stopped at an event.
fn create_and_stop(directory: &Path, overrides: &[&str], when: fn(&Event<'_>) -> bool) {
    let stop = AtomicBool::new(false);
    let mut stopper = StopWhen { when, stop: &stop };
    let training = Training::create(directory, config(overrides), &mut stopper).unwrap();
    assert_eq!(training.run(&mut stopper, &stop).unwrap(), Ended::Stopped);
}

/// When some of the games that are measured after the second generation have been played.
fn in_the_measurement_of_the_second(event: &Event<'_>) -> bool {
    matches!(event, Event::Playing { generation: 2, purpose: Purpose::Measurement, games, .. } if *games > 5)
}

fn create(directory: &Path, overrides: &[&str]) -> (Result<Ended, TrainingError>, Notes) {
    let mut notes = Notes::default();
    let training = Training::create(directory, config(overrides), &mut notes);
    let ended = training.and_then(|training| training.run(&mut notes, &AtomicBool::new(false)));
    (ended, notes)
}

fn resume(directory: &Path, overrides: &[&str]) -> (Result<Ended, TrainingError>, Notes) {
    let mut notes = Notes::default();
    let text = fs::read_to_string(directory.join("config.toml")).unwrap();
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    let config = Config::resume(("config.toml", &text), &overrides).unwrap();
    let training = Training::resume(directory, config, &mut notes);
    let ended = training.and_then(|training| training.run(&mut notes, &AtomicBool::new(false)));
    (ended, notes)
}

/// Everything in a run that must not depend on threads, time or interruptions: by path, the content.
fn essence(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(directory);
    files.retain(|path, _| {
        ["games/", "checkpoints/", "openings/"]
            .iter()
            .any(|folder| path.starts_with(folder))
    });
    for content in files
        .iter_mut()
        .filter(|(path, _)| path.ends_with("/manifest.json"))
        .map(|(_, content)| content)
    {
        // The configuration's hash covers the number of threads.
        let mut manifest: serde_json::Value = serde_json::from_slice(content).unwrap();
        manifest["origin"]["config"] = serde_json::Value::Null;
        *content = manifest.to_string().into_bytes();
    }
    files.insert("state.json".into(), counters(directory));
    files.insert("metrics.jsonl".into(), figures(directory));
    files
}

/// The state without times.
fn counters(directory: &Path) -> Vec<u8> {
    let mut state: serde_json::Value =
        serde_json::from_slice(&fs::read(directory.join("state.json")).unwrap()).unwrap();
    state["milliseconds"] = 0.into();
    state["last_milliseconds"] = 0.into();
    // The sum of lines with times.
    state["metrics"] = serde_json::Value::Null;
    state.to_string().into_bytes()
}

/// The metrics without times and rates.
fn figures(directory: &Path) -> Vec<u8> {
    let mut lines: Vec<String> = Vec::new();
    for line in fs::read_to_string(directory.join("metrics.jsonl")).unwrap().lines() {
        let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
        let object = record.as_object_mut().unwrap();
        object.retain(|name, _| {
            // A batch mean counts what this process evaluated, not what it found.
            let of_the_process = ["process/memory_mib", "inference/batch_mean"].contains(&name.as_str());
            !name.ends_with("_per_s") && !name.starts_with("time") && !of_the_process
        });
        lines.push(record.to_string());
    }
    lines.join("\n").into_bytes()
}

fn assert_same(found: &Path, expected: &Path) {
    assert_same_files(&essence(found), &essence(expected));
}
