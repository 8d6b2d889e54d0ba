//! Recorded results stand for workers: each unit is answered at once, by what it was answered before. So the learner and the server
//! meet far more workers than one machine has.
//!
//! A small round is a test. The long form prints what each unit costs:
//! `cargo test --release -p chase-cluster --test cluster -- --ignored --exact load::long --nocapture`

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use chase_cluster::unit::{Effort, Played};
use chase_cluster::{Task, selfplay};
use chase_engine::ConnectFour;
use chase_fixtures::{Nats, SetOnDrop, assert_same_files, essence};

use crate::chaos::command;
use crate::{address, train, work_by};

/// Ticks of a second in which the system counts CPU time.
const TICKS: f64 = 100.0;

/// Not a test of its own: a worker that answers from a folder.
#[test]
fn child() {
    let Ok(folder) = std::env::var("CHASE_TEST_RECORDED") else {
        return;
    };
    let url = std::env::var("CHASE_TEST_CLUSTER").unwrap();
    let recall = |task: &Task<'_>| recall(Path::new(&folder), task).map(Some);
    work_by(&recall, &address(&url), &AtomicBool::new(false), &|_| ());
}

/// Where the result of a unit is recorded.
fn place(folder: &Path, task: &Task<'_>) -> PathBuf {
    let part = &task.unit().part;
    folder.join(format!("{}.{}.{}", part.epoch, part.purpose, part.group))
}

fn record(folder: &Path, task: &Task<'_>) -> Result<Option<Played>, String> {
    let played = selfplay::play::<ConnectFour>(task, &selfplay::config(task)?)?;
    if let Some(Played { content, effort }) = &played {
        let place = place(folder, task);
        fs::write(
            place.with_added_extension("effort"),
            serde_json::to_vec(effort).unwrap(),
        )
        .unwrap();
        fs::write(place, content).unwrap();
    }
    Ok(played)
}

fn recall(folder: &Path, task: &Task<'_>) -> Result<Played, String> {
    let place = place(folder, task);
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{} is not recorded: {error}", path.display()));
    let effort: Effort =
        serde_json::from_slice(&read(&place.with_added_extension("effort"))?).map_err(|error| error.to_string())?;
    let content = read(&place)?;
    Ok(Played { content, effort })
}

/// CPU seconds that a process has used, user and system; it may have ended, but not been waited for.
fn cpu(process: u32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // After the name, which may contain spaces, and its bracket.
    let fields: Vec<&str> = text.rsplit(") ").next().unwrap().split(' ').collect();
    let ticks = |field: usize| fields[field].parse::<f64>().unwrap();
    (ticks(11) + ticks(12)) / TICKS
}

/// Whether a process has ended, without waiting for it, so that its CPU time can still be read.
fn has_ended(process: u32) -> bool {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    text.rsplit(") ").next().unwrap().starts_with('Z')
}

/// What went through a server: messages and bytes, in and out.
fn traffic(nats: &Nats) -> [f64; 4] {
    let address = nats.monitoring();
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET /varz HTTP/1.0\r\nHost: {address}\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let body: serde_json::Value = serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap();
    ["in_msgs", "in_bytes", "out_msgs", "out_bytes"].map(|name| body[name].as_f64().unwrap())
}

/// What the answers to some units have cost; printed whole.
#[derive(Debug)]
struct Cost {
    units: usize,
    games: u64,
    /// Bytes of the results.
    bytes: u64,
    plies: u64,
    seconds: f64,
    /// CPU seconds of the learner, of the server and of all workers.
    learner: f64,
    server: f64,
    workers: f64,
    /// Messages and bytes, in and out.
    traffic: [f64; 4],
}

/// Has a run played and recorded, and then again with workers that answer from the record. Both must be the same.
fn again(settings: &[&str], games_of_unit: u64, workers: usize) -> Cost {
    let directory = tempfile::tempdir().unwrap();
    let [recorded, first, second] = ["recorded", "first", "second"].map(|name| directory.path().join(name));
    fs::create_dir(&recorded).unwrap();
    {
        let nats = Nats::start();
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let _end = SetOnDrop(&stop);
            for _ in 0..2 {
                scope.spawn(|| {
                    let record = |task: &Task<'_>| record(&recorded, task);
                    work_by(&record, &address(&nats.url()), &stop, &|_| ())
                });
            }
            train(&first, settings, Some(&nats.url()));
        });
    }
    let results: Vec<u64> = fs::read_dir(&recorded)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| !entry.file_name().to_string_lossy().ends_with(".effort"))
        .map(|entry| entry.metadata().unwrap().len())
        .collect();
    let efforts = fs::read_dir(&recorded).unwrap().map(|entry| entry.unwrap().path());
    let efforts = efforts.filter(|path| path.extension().is_some_and(|extension| extension == "effort"));
    let plies = efforts.map(|path| {
        serde_json::from_slice::<Effort>(&fs::read(path).unwrap())
            .unwrap()
            .plies
    });

    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join(chase_fixtures::nats::SETTINGS),
        "http: \"127.0.0.1:-1\"\n",
    )
    .unwrap();
    let nats = Nats::start_in(folder);
    let start = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "load::child", "--nocapture"])
            .stdout(Stdio::null());
        command
            .env("CHASE_TEST_CLUSTER", nats.url())
            .env("CHASE_TEST_RECORDED", &recorded);
        command.spawn().unwrap()
    };
    let mut workers: Vec<_> = (0..workers).map(|_| start()).collect();
    // So that they are ready.
    thread::sleep(Duration::from_secs(2));
    let ready: f64 = workers.iter().map(|worker| cpu(worker.id())).sum();
    let (begin, before) = (Instant::now(), traffic(&nats));
    let mut learner = command(&nats.url(), Some(&second), &settings.join(" "))
        .spawn()
        .unwrap();
    while !has_ended(learner.id()) {
        thread::sleep(Duration::from_millis(5));
    }
    let after = traffic(&nats);
    let cost = Cost {
        units: results.len(),
        games: results.len() as u64 * games_of_unit,
        bytes: results.iter().sum(),
        plies: plies.sum(),
        seconds: begin.elapsed().as_secs_f64(),
        learner: cpu(learner.id()),
        server: cpu(nats.process_id()),
        workers: workers.iter().map(|worker| cpu(worker.id())).sum::<f64>() - ready,
        traffic: [0, 1, 2, 3].map(|number: usize| after[number] - before[number]),
    };
    let ended = learner.wait().unwrap();
    for worker in &mut workers {
        worker.kill().unwrap();
        worker.wait().unwrap();
    }
    assert!(ended.success(), "{ended}");
    assert_same_files(&essence(&second), &essence(&first));
    cost
}

#[test]
fn recorded_results_stand_for_workers() {
    let cost = again(&["measurement.every=0"], 6, 1);
    // Three generations of 20 games in groups of 6.
    assert_eq!(cost.units, 3 * 4);
    assert!(cost.traffic.iter().all(|number| *number > 12.0), "{cost:?}");
}

#[test]
#[ignore = "measures: see the module"]
fn long() {
    const COMMON: [&str; 6] = [
        "measurement.every=0",
        "evaluation.every=0",
        "selfplay.group_games=64",
        "selfplay.in_flight=64",
        "search.simulations=2",
        "search.fast_simulations=1",
    ];
    // The cost of a unit is the difference of two runs with different numbers of them. Both learn from the same number of rows.
    for (units, workers) in [(10, 2), (200, 1), (200, 4)] {
        let games = format!("selfplay.games={}", 64 * units);
        let rows = ["limits.generations=1", "replay.window_rows=1000", "replay.reuse=0.01"];
        let settings: Vec<&str> = COMMON.into_iter().chain(rows).chain([games.as_str()]).collect();
        let cost = again(&settings, 64, workers);
        writeln!(std::io::stdout(), "{workers} workers: {cost:?}").unwrap();
    }
}
