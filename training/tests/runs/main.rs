//! Whole runs, most on Connect Four with a tiny network: the same result whatever happens on the way.
//!
//! One test binary, since each that links libtorch takes a quarter of a second to start.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod branching;
mod carrying;
mod changes;
mod damage;
mod fused;
mod interruption;
mod learning;
mod memory;
mod nnue;
mod refitting;
mod whole;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::ConnectFour;
use chase_fixtures::{SMALL_RUN, assert_same_files, essence};
use chase_training::config::Config;
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::game_record::Purpose;
use chase_training::kinds::residual::Residual;
use chase_training::replay::shard;
use chase_training::settings::{Change, Setting, Settings};
use chase_training::training_loop::{Training, TrainingError};
use tch::Kind;

fn config(overrides: &[&str]) -> Config {
    let overrides = Setting::list(overrides);
    Config::load(Some(("small", SMALL_RUN)), &overrides).unwrap()
}

/// Records events, warnings and evaluations.
#[derive(Debug, Default)]
struct Notes {
    events: Vec<String>,
    warnings: Vec<String>,
    evaluated: Vec<u64>,
}

impl Observer<Residual<ConnectFour>> for Notes {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Warning(text) => self.warnings.push(text.clone()),
            Event::Playing { .. } | Event::Learning { .. } => {}
            _ => self.events.push(event.to_string()),
        }
    }

    fn evaluate(
        &mut self,
        generation: u64,
        request: &EvaluationRequest<'_, Residual<ConnectFour>>,
    ) -> EvaluationResult {
        self.evaluated.push(generation);
        assert!(request.checkpoint.join("manifest.json").exists());
        // Of this network, not of another.
        let biases = request
            .player
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

impl Observer<Residual<ConnectFour>> for StopWhen<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if (self.when)(event) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn evaluate(
        &mut self,
        generation: u64,
        request: &EvaluationRequest<'_, Residual<ConnectFour>>,
    ) -> EvaluationResult {
        Notes::default().evaluate(generation, request)
    }
}

/// A run that is asked to stop at an event.
fn create_until(directory: &Path, overrides: &[&str], when: fn(&Event<'_>) -> bool) -> Ended {
    let stop = AtomicBool::new(false);
    let mut stopper = StopWhen { when, stop: &stop };
    let training = Training::create(directory, config(overrides), &mut stopper).unwrap();
    training.run(&mut stopper, &stop).unwrap()
}

/// A run that is stopped at an event.
fn create_and_stop(directory: &Path, overrides: &[&str], when: fn(&Event<'_>) -> bool) {
    assert_eq!(create_until(directory, overrides, when), Ended::Stopped);
}

/// A run that is stopped when some of the games have been played that are measured after the second generation, but not
/// all, which are in so many shards.
fn create_and_stop_in_the_second_measurement(directory: &Path, overrides: &[&str], shards: usize) {
    let some = |event: &Event<'_>| matches!(event, Event::Playing { generation: 2, purpose: Purpose::Measurement, games, .. } if *games > 5);
    // While one thread hears of the first games, another may play the last; then it is tried again.
    let stopped = (0..100).any(|_| {
        let ended = create_until(directory, overrides, some);
        let found = shard::of_generation(&directory.join("games"), 2, Purpose::Measurement).unwrap();
        let in_the_midst = ended == Ended::Stopped && found.len() < shards;
        if !in_the_midst {
            fs::remove_dir_all(directory).unwrap();
        }
        in_the_midst
    });
    assert!(stopped, "a hundred times all games were measured");
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
    let overrides = Setting::list(overrides);
    let config = Config::changed(("config.toml", &text), &overrides, Change::Resume).unwrap();
    let training = Training::resume(directory, config, &mut notes);
    let ended = training.and_then(|training| training.run(&mut notes, &AtomicBool::new(false)));
    (ended, notes)
}

/// The records of a run, in order.
fn metrics(run: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The values of a metric in a run, in order.
fn metric(run: &Path, name: &str) -> Vec<f64> {
    metrics(run).iter().filter_map(|record| record[name].as_f64()).collect()
}

fn assert_same(found: &Path, expected: &Path) {
    assert_same_files(&essence(found), &essence(expected));
}
