//! `chase train` and `chase match` whose games `chase worker`s play, as people start them.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use chase_fixtures::{Nats, SMALL_RUN, assert_same_files, essence, wait_until};
use serde_json::Value;

use super::program::{chase, run};

/// Starts a worker, which has seen that there is no work yet.
fn worker(home: &Path, url: &str) -> Child {
    let mut command = chase(home, &["worker", url, "--threads", "1"]);
    let log = fs::File::create(home.join(LOG)).unwrap();
    let mut worker = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
    wait_until("a worker that waits for work", || {
        assert_eq!(worker.try_wait().unwrap(), None);
        fs::read_to_string(home.join(LOG)).unwrap().contains("waiting for work")
    });
    worker
}

/// Where a worker says what it does.
const LOG: &str = "worker.log";

/// Stops a worker as a service manager does; what it has printed, and what it said.
fn stop(worker: Child, home: &Path) -> [String; 2] {
    let pid = rustix::process::Pid::from_child(&worker);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let output = worker.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    [printed, fs::read_to_string(home.join(LOG)).unwrap()]
}

/// Evaluations without their times.
fn evaluations(run: &Path) -> Vec<Value> {
    let mut files: Vec<_> = fs::read_dir(run.join("evaluations")).unwrap().collect();
    files.sort_by_key(|entry| entry.as_ref().unwrap().file_name());
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let mut report: Value = serde_json::from_slice(&fs::read(entry.unwrap().path()).unwrap()).unwrap();
        report["games"]["cost"]["seconds"] = Value::Null;
        report
    };
    files.into_iter().map(read).collect()
}

#[test]
fn workers_play_whatever_is_offered_on_their_server() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::write(home.join("small.toml"), SMALL_RUN).unwrap();
    let nats = Nats::start();
    let url = nats.url();
    // Before anything is offered.
    let working = worker(home, &url);

    let players = [
        "match",
        "random",
        "rollouts:simulations=4",
        "--game",
        "connect-four",
        "--pairs",
        "5",
        "-q",
    ];
    for elsewhere in [
        &["--run-dir", "alone"][..],
        &["--run-dir", "together", "--cluster", &url],
    ] {
        let output = run(home, &[&players[..], elsewhere].concat());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
    let games = ["alone", "together"].map(|name| fs::read(home.join(name).join("games.jsonl")).unwrap());
    assert!(games[0] == games[1] && !games[0].is_empty());

    let training = [
        "train",
        "small.toml",
        "-q",
        "--set",
        "limits.generations=2",
        "--set",
        "measurement.every=0",
    ];
    let evaluation = [
        "--set",
        "evaluation.games=4",
        "--set",
        "evaluation.simulations=2",
        "--set",
    ];
    let opponents = ["evaluation.opponents=['random']", "--run-dir"];
    for elsewhere in [&["trained-alone"][..], &["trained-together", "--cluster", &url]] {
        let output = run(home, &[&training[..], &evaluation, &opponents, elsewhere].concat());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
    let [alone, together] = ["trained-alone", "trained-together"].map(|name| home.join(name));
    assert_same_files(&without_seconds(&together), &without_seconds(&alone));
    let reports = evaluations(&alone);
    assert!(!reports.is_empty() && reports == evaluations(&together), "{reports:?}");

    let [printed, said] = stop(working, home);
    assert!(!said.contains("warning"), "{said}");
    assert!(
        said.contains("tournament unit 1 of 5: random – rollouts:simulations=4 of run "),
        "{said}"
    );
    assert!(
        said.contains("generation 1, selfplay group 0 by gen-000000 of run "),
        "{said}"
    );
    assert!(
        said.contains("generation 2, evaluation unit 1 of 1: gen-000002 – random of run "),
        "{said}"
    );
    assert!(printed.starts_with("played "), "{printed}");
    assert_eq!(nats.messages(), 0);
}

/// What of a run must be the same: evaluations take their time.
fn without_seconds(run: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut files = essence(run);
    let metrics = files.get_mut("metrics.jsonl").unwrap();
    let lines = String::from_utf8(metrics.clone()).unwrap();
    let lines = lines.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record.as_object_mut().unwrap().remove("eval/seconds");
        record.to_string()
    });
    *metrics = lines.collect::<Vec<_>>().join("\n").into_bytes();
    files
}

#[test]
fn players_that_workers_cannot_have_are_refused_before_anything_is_written() {
    let home = tempfile::tempdir().unwrap();
    let nats = Nats::start();
    let url = nats.url();
    for (players, message) in [
        (
            ["random", "ugi:command=engine"],
            "player `ugi:command=engine`: it is a program on this machine",
        ),
        (
            ["random", "alpha-beta:ms=5"],
            "player `alpha-beta:ms=5`: it is limited by time",
        ),
    ] {
        let args = [&["match"][..], &players, &["--cluster", &url, "--run-dir", "refused"]].concat();
        let output = run(home.path(), &args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(message), "{output:?}");
        assert!(!home.path().join("refused").exists());
    }
}
