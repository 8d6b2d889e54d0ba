//! Runs that are stopped or killed.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use chase_engine::ConnectFour;
use chase_fixtures::{assert_same_files, kill_again_and_again};
use chase_models::manifest::FileFacts;
use chase_training::config::Config;
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::kinds::residual::Residual;
use chase_training::settings::{Change, Setting, Settings};
use chase_training::training_loop::Training;

use crate::{Notes, assert_same, config, create, create_and_stop, essence, metrics, resume};

/// Sets the stop flag at the n-th event.
struct Stopper<'a> {
    left: usize,
    stop: &'a AtomicBool,
}

impl Observer<Residual<ConnectFour>> for Stopper<'_> {
    fn event(&mut self, _: &Event<'_>) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
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

/// Stops a run after each of these numbers of events, and compares its result with that of a run that was not stopped.
pub fn stop_and_go_on(overrides: &[&str], after: &[usize]) {
    let directory = tempfile::tempdir().unwrap();
    let straight = directory.path().join("straight");
    create(&straight, overrides).0.unwrap();
    for &events in after {
        let stopped = directory.path().join(format!("stopped-{events}"));
        let stop = AtomicBool::new(false);
        let mut stopper = Stopper {
            left: events,
            stop: &stop,
        };
        let training = Training::create(&stopped, config(overrides), &mut stopper).unwrap();
        assert_eq!(
            training.run(&mut stopper, &stop).unwrap(),
            Ended::Stopped,
            "{events} events"
        );
        let (ended, notes) = resume(&stopped, &[]);
        assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
        assert_same(&stopped, &straight);
    }
}

#[test]
fn a_run_that_is_stopped_anywhere_goes_on_as_if_it_had_not_been() {
    stop_and_go_on(&[], &[1, 3, 8, 15, 30]);
}

/// Stopped before it has come to its new limit.
#[test]
fn what_a_resumed_run_changes_holds_until_it_is_changed_again() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    create(run, &["limits.generations=1"]).0.unwrap();
    let text = || std::fs::read_to_string(run.join("config.toml")).unwrap();
    let load = |overrides: &[&str]| {
        let overrides = Setting::list(overrides);
        Config::changed(("config.toml", &text()), &overrides, Change::Resume).unwrap()
    };
    let mut notes = Notes::default();
    let longer = load(&["limits.generations=2", "threads=1"]);
    let training = Training::resume(run, longer.clone(), &mut notes).unwrap();
    assert_eq!(
        training.run(&mut notes, &AtomicBool::new(true)).unwrap(),
        Ended::Stopped
    );
    assert_eq!(load(&[]), longer);
    let log = std::fs::read_to_string(run.join("log.txt")).unwrap();
    assert!(log.contains("config.toml: limits.generations = 2 (was 1)"), "{log}");
    let (written, (ended, notes)) = (text(), resume(run, &[]));
    assert_eq!(ended.unwrap(), Ended::Generations);
    assert!(notes.events.iter().any(|event| event.starts_with("generation 2: ")));
    assert_eq!(text(), written);
    // What was trained says under which configuration.
    let manifest = std::fs::read_to_string(run.join("checkpoints/gen-000002/manifest.json")).unwrap();
    assert!(manifest.contains(&FileFacts::of(written.as_bytes()).sha256));
}

/// The figures of self-play of a generation.
fn selfplay_record(run: &Path, generation: u64) -> serde_json::Value {
    let wanted = |record: &serde_json::Value| record["part"] == "selfplay" && record["generation"] == generation;
    metrics(run).into_iter().find(wanted).unwrap()
}

#[test]
fn what_an_interrupted_attempt_has_left_counts_with_its_time_and_makes_nothing_faster() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path();
    create_and_stop(run, &[], |event| matches!(event, Event::Learning { generation: 3, .. }));
    let clock = run.join("clock.json");
    let mut times: serde_json::Value = serde_json::from_slice(&std::fs::read(&clock).unwrap()).unwrap();
    assert!(times["milliseconds"].as_u64().unwrap() > 0);
    assert_eq!(
        (&times["generation"], &times["purpose"]),
        (&3.into(), &"selfplay".into())
    );
    times["milliseconds"] = 3_600_000.into();
    std::fs::write(&clock, times.to_string()).unwrap();
    let (ended, notes) = resume(run, &["limits.generations=4"]);
    assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
    let [found, played] = [3, 4].map(|generation| selfplay_record(run, generation));
    // One hour, whatever the rest takes on this machine, and not two.
    let hour = 60.0..119.0;
    for record in [&found, &played] {
        assert!(hour.contains(&record["time/minutes"].as_f64().unwrap()), "{record}");
    }
    for name in [
        "selfplay/games_per_s",
        "selfplay/positions_per_s",
        "inference/evals_per_s",
        "inference/batch_mean",
    ] {
        assert!(found[name].is_null(), "{name} of {found}");
        assert!(played[name].as_f64().unwrap() > 0.0, "{name} of {played}");
    }
    let state = std::fs::read_to_string(run.join("state.json")).unwrap();
    let state: serde_json::Value = serde_json::from_str(&state).unwrap();
    assert!(
        state["last_milliseconds"].as_u64().unwrap() < 3_600_000,
        "the hour was of generation 3"
    );
}

/// Stops the run while its second evaluation ends.
struct StopInEvaluation<'a>(&'a AtomicBool, Notes);

impl Observer<Residual<ConnectFour>> for StopInEvaluation<'_> {
    fn event(&mut self, event: &Event<'_>) {
        self.1.event(event);
    }

    fn evaluate(
        &mut self,
        generation: u64,
        request: &EvaluationRequest<'_, Residual<ConnectFour>>,
    ) -> EvaluationResult {
        self.0.store(generation == 2, Ordering::Relaxed);
        self.1.evaluate(generation, request)
    }
}

#[test]
fn an_evaluation_that_has_come_to_its_end_counts_though_the_run_is_stopped() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, stopped] = ["straight", "stopped"].map(|name| directory.path().join(name));
    create(&straight, &[]).0.unwrap();
    let stop = AtomicBool::new(false);
    let mut observer = StopInEvaluation(&stop, Notes::default());
    let training = Training::create(&stopped, config(&[]), &mut observer).unwrap();
    assert_eq!(training.run(&mut observer, &stop).unwrap(), Ended::Stopped);
    let StopInEvaluation(_, notes) = observer;
    assert_eq!(notes.evaluated, [0, 2]);
    let (ended, notes) = resume(&stopped, &[]);
    assert_eq!((ended.unwrap(), notes.evaluated), (Ended::Generations, vec![3]));
    assert_same(&stopped, &straight);
}

/// Killed between the state of the last generation and the removal of checkpoints, or in the midst of one.
#[test]
fn what_was_left_to_remove_is_removed_when_a_run_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, left] = ["straight", "left"].map(|name| directory.path().join(name));
    create(&straight, &[]).0.unwrap();
    create(&left, &[]).0.unwrap();
    let checkpoints = left.join("checkpoints");
    for name in ["gen-000001", ".removed.tmp"] {
        std::fs::create_dir(checkpoints.join(name)).unwrap();
        std::fs::copy(
            checkpoints.join("gen-000003/manifest.json"),
            checkpoints.join(name).join("manifest.json"),
        )
        .unwrap();
    }
    resume(&left, &[]).0.unwrap();
    assert_same(&left, &straight);
    assert!(!checkpoints.join(".removed.tmp").exists());
}

/// Not a test of its own: what the next one starts as a process, to kill it.
#[test]
fn child() {
    let Some(directory) = std::env::var_os("CHASE_TEST_RUN") else {
        return;
    };
    let directory = Path::new(&directory);
    let settings = std::env::var("CHASE_TEST_SETTINGS").unwrap();
    let settings: Vec<&str> = settings.split_whitespace().collect();
    let ended = if directory.join("meta.json").exists() {
        resume(directory, &[]).0
    } else {
        create(directory, &settings).0
    };
    assert_eq!(ended.unwrap(), Ended::Generations);
}

/// A process that begins the run in a directory under these settings, or continues it.
fn start(run: &Path, settings: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "interruption::child", "--nocapture"]);
    command
        .env("CHASE_TEST_RUN", run)
        .env("CHASE_TEST_SETTINGS", settings)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Kills a run under these settings again and again, and compares it with one that was not.
pub fn kill_and_go_on(settings: &str) {
    let directory = tempfile::tempdir().unwrap();
    let straight = directory.path().join("straight");
    let begin = Instant::now();
    assert!(start(&straight, settings).wait().unwrap().success());
    let whole = begin.elapsed();
    let killed = directory.path().join("killed");
    kill_again_and_again(&killed, whole, 3, |run| start(run, settings));
    assert_same(&killed, &straight);
}

#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_end() {
    kill_and_go_on("");
}

/// Fails when these generations are evaluated, each once, as where a file cannot be written.
struct FailInEvaluation {
    left: Vec<u64>,
    notes: Notes,
}

impl Observer<Residual<ConnectFour>> for FailInEvaluation {
    fn event(&mut self, event: &Event<'_>) {
        self.notes.event(event);
    }

    fn evaluate(
        &mut self,
        generation: u64,
        request: &EvaluationRequest<'_, Residual<ConnectFour>>,
    ) -> EvaluationResult {
        let values = self.notes.evaluate(generation, request);
        match self.left.iter().position(|&left| left == generation) {
            None => values,
            Some(place) => {
                self.left.remove(place);
                Err("no space left".into())
            }
        }
    }
}

/// A whole run whose evaluations of these generations fail.
fn run_that_fails(directory: &Path, changes: &[&str], left: &[u64]) -> Notes {
    let mut observer = FailInEvaluation {
        left: left.to_vec(),
        notes: Notes::default(),
    };
    let training = Training::create(directory, config(changes), &mut observer).unwrap();
    let ended = training.run(&mut observer, &AtomicBool::new(false)).unwrap();
    assert_eq!(ended, Ended::Generations);
    assert!(
        observer.notes.warnings.len() == left.len() && observer.notes.warnings[0].contains("failed: no space left; "),
        "{:?}",
        observer.notes.warnings
    );
    observer.notes
}

#[test]
fn an_evaluation_that_fails_in_the_end_is_made_up_for_by_the_next_process() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, failed] = ["straight", "failed"].map(|name| directory.path().join(name));
    create(&straight, &["evaluation.every=3"]).0.unwrap();
    let notes = run_that_fails(&failed, &["evaluation.every=3"], &[3]);
    assert_eq!(notes.evaluated, [0, 3]);
    let (ended, notes) = resume(&failed, &[]);
    assert_eq!((ended.unwrap(), notes.evaluated), (Ended::Generations, vec![3]));
    assert_same(&failed, &straight);
    // It is done now.
    assert!(resume(&failed, &[]).1.evaluated.is_empty());
}

#[test]
fn an_evaluation_that_fails_on_the_way_is_made_up_for_with_the_next() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, failed] = ["straight", "failed"].map(|name| directory.path().join(name));
    // Of older checkpoints none stay: that of an evaluation to be made up for must.
    let changes = [
        "evaluation.every=1",
        "checkpoints.keep_last=1",
        "checkpoints.keep_every=0",
    ];
    create(&straight, &changes).0.unwrap();
    let notes = run_that_fails(&failed, &changes, &[0, 1, 3]);
    // 1 waits for 0, which waits for the first trained network and then fails; 2 waits for 1.
    assert_eq!(notes.evaluated, [0, 0, 1, 1, 2, 3]);
    let (ended, notes) = resume(&failed, &[]);
    assert_eq!((ended.unwrap(), notes.evaluated), (Ended::Generations, vec![3]));
    // Figures that are made up for come later than others.
    let in_order = |run: &Path| {
        let mut files = essence(run);
        let figures = String::from_utf8(files["metrics.jsonl"].clone()).unwrap();
        let mut lines: Vec<&str> = figures.lines().collect();
        lines.sort_unstable();
        files.insert("metrics.jsonl".into(), lines.join("\n").into_bytes());
        files
    };
    assert_same_files(&in_order(&failed), &in_order(&straight));
}
