//! Workers, the learner and the server are killed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;

use chase_cluster::worker::WorkerEvent;
use chase_fixtures::{Nats, assert_same_files, essence, wait_until};

use crate::{IMPATIENT, train, train_until, work};
use chase_cluster::Address;
use chase_training::events::Ended;

/// More work for each game than in other tests, so that what is killed has something to lose.
pub(crate) const LONGER: [&str; 2] = ["search.simulations=24", "measurement.simulations=12"];
/// The text that a worker prints when it has taken a unit.
const TAKEN: &str = "a unit was taken";

/// Not a test of its own: what the next one starts as processes, to kill them.
#[test]
fn child() {
    let Ok(url) = std::env::var("CHASE_TEST_CLUSTER") else {
        return;
    };
    match std::env::var("CHASE_TEST_RUN") {
        Ok(run) => {
            let server = Address::new(&url);
            let run = Path::new(&run);
            let (ended, _) = train_until(&AtomicBool::new(false), run, &LONGER, Some((&server, IMPATIENT)));
            assert_eq!(ended, Ended::Generations);
        }
        Err(_) => {
            let report = |report: &WorkerEvent<'_>| {
                if let WorkerEvent::Taken(_) = report {
                    writeln!(std::io::stdout(), "{TAKEN}").unwrap();
                }
            };
            work(&Address::new(&url), &AtomicBool::new(false), &report, &|| ());
        }
    }
}

/// The learner of a run, or a worker, as a process.
pub(crate) fn start(url: &str, run: Option<&Path>) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "chaos::child", "--nocapture"]);
    command.env("CHASE_TEST_CLUSTER", url).stderr(Stdio::null());
    match run {
        Some(run) => command.env("CHASE_TEST_RUN", run).stdout(Stdio::null()),
        None => command.env_remove("CHASE_TEST_RUN").stdout(Stdio::piped()),
    };
    command.spawn().unwrap()
}

/// Kills a worker that has just taken a unit.
fn kill_in_a_unit(mut worker: Child) {
    let lines = BufReader::new(worker.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.contains(TAKEN)));
    worker.kill().unwrap();
    worker.wait().unwrap();
}

/// Waits until a run has this many shards.
fn wait_for(run: &Path, shards: usize, learner: &mut Child) {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    // By their names alone: the run renames files meanwhile.
    let found = || {
        let generations = entries(&run.join("games"));
        let names = generations.flat_map(|generation| entries(&generation.path()).map(|entry| entry.file_name()));
        names
            .filter(|name| name.to_string_lossy().ends_with(".parquet"))
            .count()
    };
    wait_until(format_args!("shard {shards}"), || {
        let ended = learner.try_wait().unwrap();
        assert!(ended.is_none(), "the run ended before its shard {shards}: {ended:?}");
        found() >= shards
    });
}

#[test]
fn whatever_is_killed_the_run_is_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, run] = ["straight", "run"].map(|name| directory.path().join(name));
    train(&straight, &LONGER, None);
    let mut nats = Nats::start();
    let url = nats.url();
    let mut learner = start(&url, Some(&run));
    // Its unit is played by the other one.
    kill_in_a_unit(start(&url, None));
    let mut worker = start(&url, None);
    wait_for(&run, 2, &mut learner);
    learner.kill().unwrap();
    learner.wait().unwrap();
    learner = start(&url, Some(&run));
    wait_for(&run, 5, &mut learner);
    nats.restart(false);
    wait_for(&run, 8, &mut learner);
    nats.restart(true);
    // Alone, so that there is a unit for the one that is killed in it.
    worker.kill().unwrap();
    worker.wait().unwrap();
    kill_in_a_unit(start(&url, None));
    worker = start(&url, None);
    let ended = learner.wait().unwrap();
    assert!(ended.success(), "{ended}");
    worker.kill().unwrap();
    worker.wait().unwrap();
    assert_same_files(&essence(&run), &essence(&straight));
    assert_eq!(nats.messages(), 0);
}
