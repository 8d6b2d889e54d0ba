//! Runs whose games are played by workers over a real server: the same as on one machine, whatever happens on the way.
//!
//! One test binary, since each that links libtorch takes a quarter of a second to start.

#![allow(clippy::print_stderr, reason = "a soak of hours says how far it is")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod chaos;
mod login;
mod slow;
mod soak;
mod status;
mod strangers;
mod versions;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Barrier, Once};
use std::thread;
use std::time::Duration;

use chase_cluster::presence::Presence;
use chase_cluster::selfplay::Games;
use chase_cluster::worker::WorkerEvent;
use chase_cluster::{Address, Cluster, ClusterError, Task, Worker, cluster, provenance};
use chase_engine::{Chase, ConnectFour};
use chase_fixtures::{Nats, SMALL_RUN, SetOnDrop, assert_same_files, essence, wait_for};
use chase_models::device::Device;
use chase_training::config::Config;
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::kinds::nnue::{self, Nnue};
use chase_training::kinds::residual::Residual;
use chase_training::kinds::{Kind, NetworkKind};
use chase_training::settings::{Change, Setting, Settings};
use chase_training::training_loop::Training;

/// Notes the warnings.
#[derive(Default)]
struct Notes {
    warnings: Vec<String>,
}

impl<K: Kind> Observer<K> for Notes {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Warning(text) = event {
            self.warnings.push(text.clone());
        }
    }

    fn evaluate(&mut self, generation: u64, _: &EvaluationRequest<'_, K>) -> EvaluationResult {
        Ok(vec![("eval/score".into(), generation as f64)])
    }
}

/// For a learner that has lost no worker. On a busy machine a worker that is alive may say nothing for a second, or play
/// a unit for longer than others have had nothing to do: then two play it, which is no fault, but is counted.
const PATIENT: Duration = Duration::from_secs(30);
/// For a learner whose workers are killed or hang.
const IMPATIENT: Duration = Duration::from_secs(1);

/// Connects to a server that may be about to be started again.
fn connect<T>(mut attempt: impl FnMut() -> Result<T, ClusterError>) -> T {
    wait_for("a connection to the server", &mut attempt)
}

/// Waits for workers for so long before their units are given to others.
fn connect_learner(address: &Address, silence: Duration) -> Cluster {
    let options = cluster::Options {
        silence,
        ..cluster::Options::default()
    };
    connect(|| Cluster::connect(address, options))
}

/// Begins the run in a directory, or continues it, on one machine or on a cluster.
fn train(directory: &Path, overrides: &[&str], server: Option<&str>) -> Notes {
    train_at(directory, overrides, server.map(Address::new).as_ref())
}

fn train_at(directory: &Path, overrides: &[&str], server: Option<&Address>) -> Notes {
    let server = server.map(|address| (address, PATIENT));
    let (ended, notes) = train_until(&AtomicBool::new(false), directory, overrides, server);
    assert_eq!(ended, Ended::Generations);
    notes
}

/// On a cluster, workers are waited for as long as is said with its address.
fn train_until(
    stop: &AtomicBool,
    directory: &Path,
    overrides: &[&str],
    server: Option<(&Address, Duration)>,
) -> (Ended, Notes) {
    let mut notes = Notes::default();
    let overrides = Setting::list(overrides);
    let mut training: Training<Residual<ConnectFour>> = if directory.join("meta.json").exists() {
        let text = std::fs::read_to_string(directory.join("config.toml")).unwrap();
        let config = Config::changed(("config.toml", &text), &overrides, Change::Resume).unwrap();
        Training::resume(directory, config, &mut notes).unwrap()
    } else {
        let config = Config::load(Some(("small", SMALL_RUN)), &overrides).unwrap();
        Training::create(directory, config, &mut notes).unwrap()
    };
    if let Some((address, silence)) = server {
        training = training.at(Box::new(connect_learner(address, silence)));
    }
    let ended = training.run(&mut notes, stop).unwrap();
    (ended, notes)
}

/// Plays units until `stop` is set. `first` is called in the first one.
fn work(
    address: &Address,
    stop: &AtomicBool,
    report: &(dyn Fn(&WorkerEvent<'_>) + Sync),
    first: &(dyn Fn() + Sync),
) -> Presence {
    let worker = connect(|| Worker::connect(address, Device::Cpu, 1, Duration::from_secs(60)));
    let once = Once::new();
    let play = |task: &Task<'_>| {
        once.call_once(first);
        match NetworkKind::of_settings(&task.terms::<String>()?) {
            NetworkKind::Residual => task.run::<Games<Residual<ConnectFour>>>(),
            NetworkKind::Nnue => task.run::<Games<Nnue<Chase>>>(),
        }
    };
    worker.run(&play, stop, report)
}

/// Does something while workers play; returns what each has played. None plays before each has a unit.
fn with_workers(url: &str, workers: usize, something: impl FnOnce()) -> Vec<Presence> {
    with_workers_at(&Address::new(url), workers, something)
}

fn with_workers_at(address: &Address, workers: usize, something: impl FnOnce()) -> Vec<Presence> {
    let (stop, all) = (AtomicBool::new(false), Barrier::new(workers));
    let first = || _ = all.wait();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers)
            .map(|_| scope.spawn(|| work(address, &stop, &|_| (), &first)))
            .collect();
        let end = SetOnDrop(&stop);
        something();
        drop(end);
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    })
}

#[test]
fn a_run_on_two_workers_is_that_of_one_machine() {
    let directory = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| directory.path().join(name));
    assert_eq!(train(&alone, &[], None).warnings, [""; 0]);
    let nats = Nats::start();
    let totals = with_workers(&nats.url(), 2, || {
        assert_eq!(train(&together, &[], Some(&nats.url())).warnings, [""; 0]);
    });
    assert_same_files(&essence(&together), &essence(&alone));
    // Three generations, and measurements of the untrained network, the second and the third.
    let sum = |of: fn(&Presence) -> u64| totals.iter().map(of).sum::<u64>();
    assert_eq!(
        (sum(|totals| totals.games), sum(|totals| totals.units)),
        (3 * 20 + 3 * 8, 3 * 4 + 3 * 2)
    );
    assert!(totals.iter().all(|totals| totals.units > 0), "{totals:?}");
    // Who played is written down, and nothing of the run stays on the server.
    let provenance = std::fs::read_to_string(together.join(provenance::CLUSTER_FILE)).unwrap();
    assert!(
        provenance.contains("\"mixed\": false") && provenance.contains(", outputs "),
        "{provenance}"
    );
    assert_eq!(nats.messages(), 0);
}

#[test]
fn games_by_alpha_beta_on_two_workers_are_those_of_one_machine() {
    const SETTINGS: &str = "
        kind = 'nnue'
        rules = { max_turns = 12 }
        network = { width = 32 }
        selfplay = { games = 8, group_games = 2, nodes = 60, heuristic_generations = 1 }
        learner = { batch = 32, rows = 320 }
        limits = { generations = 2 }
    ";
    let directory = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| directory.path().join(name));
    let train = |directory: &Path, server: Option<&str>| {
        let mut notes = Notes::default();
        let config = nnue::config::Config::load(Some(("tiny", SETTINGS)), &[]).unwrap();
        let mut training = Training::<Nnue<Chase>>::create(directory, config, &mut notes).unwrap();
        if let Some(url) = server {
            training = training.at(Box::new(connect_learner(&Address::new(url), PATIENT)));
        }
        let ended = training.run(&mut notes, &AtomicBool::new(false)).unwrap();
        assert_eq!((ended, notes.warnings), (Ended::Generations, Vec::new()));
    };
    train(&alone, None);
    let nats = Nats::start();
    let totals = with_workers(&nats.url(), 2, || train(&together, Some(&nats.url())));
    assert_same_files(&essence(&together), &essence(&alone));
    assert_eq!(totals.iter().map(|totals| totals.games).sum::<u64>(), 16);
}
