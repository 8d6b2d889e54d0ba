//! Tournaments whose games workers play over a real server of NATS: the same files, whatever happens on the way.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use chase_arena::remote::Pairs;
use chase_arena::tournament::{Tournament, TournamentConfig, TournamentEnd};
use chase_cluster::cluster::Options;
use chase_cluster::worker::WorkerEvent;
use chase_cluster::{Address, Cluster, Task, Worker};
use chase_engine::Chase;
use chase_fixtures::{Nats, SetOnDrop, assert_same_files, untrained};
use chase_models::device::Device;
use chase_training::settings::{Setting, Settings};
use tempfile::tempdir;

/// A network that is sent as a file, since it is not named as the built-in one.
const NNUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/agents/nnue-57");
/// The text that a worker prints when it has taken a unit.
const TAKEN: &str = "a unit was taken";

fn cluster(url: &str) -> Cluster {
    // Soon enough for the unit of a worker that was killed, and longer than one that lives says nothing on a busy machine:
    // its unit would be played twice, which is counted.
    let options = Options {
        silence: Duration::from_secs(5),
        ..Options::default()
    };
    Cluster::connect(&Address::new(url), options).unwrap()
}

/// Plays units until `stop` is set; what it has then is given back. Returns their number.
fn work(url: &str, stop: &AtomicBool, report: &(dyn Fn(&WorkerEvent<'_>) + Sync)) -> u64 {
    let worker = Worker::connect(&Address::new(url), Device::Cpu, 1, Duration::ZERO).unwrap();
    worker
        .run(&|task: &Task<'_>| task.run::<Pairs<Chase>>(), stop, report)
        .units
}

/// Not a test of its own: what the next one starts as a process, to kill it.
#[test]
fn child() {
    if let Ok(url) = std::env::var("CHASE_TEST_CLUSTER") {
        let report = |report: &WorkerEvent<'_>| {
            if let WorkerEvent::Taken(_) = report {
                writeln!(std::io::stdout(), "{TAKEN}").unwrap();
            }
        };
        work(&url, &AtomicBool::new(false), &report);
    }
}

fn start(url: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "shared::child", "--nocapture"]);
    command.env("CHASE_TEST_CLUSTER", url).stderr(Stdio::null());
    command.stdout(Stdio::piped()).spawn().unwrap()
}

/// Kills a worker that has just taken a unit.
fn kill_in_a_unit(mut worker: Child) {
    let lines = BufReader::new(worker.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.contains(TAKEN)));
    worker.kill().unwrap();
    worker.wait().unwrap();
}

fn create(directory: &Path, settings: &[Setting]) -> Tournament<Chase> {
    let config = TournamentConfig::load(None, settings).unwrap();
    Tournament::create(directory, config).unwrap()
}

/// Everything in a tournament's directory that must not depend on workers, time or interruptions.
fn essence(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = chase_fixtures::files(directory);
    // The time and the machine; the names of both, and the file of one of them alone.
    for name in ["meta.json", "report.html", "cluster.json", "LOCK"] {
        files.remove(name);
    }
    files
}

#[test]
fn a_tournament_on_workers_of_which_one_is_killed_has_the_files_of_one_machine() {
    let home = tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| home.path().join(name));
    let networks = [1, 2].map(|seed| {
        let folder = home.path().join(format!("network-{seed}"));
        untrained(&folder, seed);
        folder.display().to_string()
    });
    let settings = [
        format!(
            "players=['random', 'nnue:{NNUE},nodes=20', 'one=net:{},simulations=3', 'two=net:{},simulations=2,precision=f32']",
            networks[0], networks[1]
        )
        .into(),
        "pairs=4".into(),
        "pairs_at_once=2".into(),
        "bootstrap=100".into(),
        "threads=1".into(),
        "rules.max_turns=40".into(),
    ];
    let go = AtomicBool::new(false);
    let mut tournament = create(&alone, &settings);
    assert_eq!(tournament.play(&go, &mut |_| ()).unwrap(), TournamentEnd::Complete);
    tournament.write_report().unwrap();
    drop(tournament);

    let nats = Nats::start();
    let url = nats.url();
    let end = AtomicBool::new(false);
    thread::scope(|scope| {
        let end_of_work = SetOnDrop(&end);
        let worker = scope.spawn(|| {
            // Another takes the first unit, and is killed.
            kill_in_a_unit(start(&url));
            work(&url, &end, &|_| ())
        });
        // It is stopped in the middle.
        let stop = AtomicBool::new(false);
        let mut on_games =
            |results: &chase_arena::tournament::TournamentResults| stop.store(results.games() >= 16, Ordering::Relaxed);
        let mut warnings: Vec<String> = Vec::new();
        let mut tournament = create(&together, &settings);
        let ended = tournament.play_on(&cluster(&url), &stop, &mut on_games, &mut |text| warnings.push(text));
        assert_eq!(
            (ended.unwrap(), tournament.results().games()),
            (TournamentEnd::Stopped, 16)
        );
        drop(tournament);
        let resumed = Tournament::<Chase>::resume(&together, |began| TournamentConfig::load(Some(began), &[]));
        let mut tournament = resumed.unwrap();
        let ended = tournament.play_on(&cluster(&url), &go, &mut |_| (), &mut |text| warnings.push(text));
        assert_eq!((ended.unwrap(), &warnings), (TournamentEnd::Complete, &Vec::new()));
        tournament.write_report().unwrap();
        drop(end_of_work);
        // Six matches of two units, each of which was played once.
        assert_eq!(worker.join().unwrap(), 12);
    });
    assert_same_files(&essence(&together), &essence(&alone));
    let provenance = fs::read_to_string(together.join("cluster.json")).unwrap();
    assert!(provenance.contains("\"mixed\": false"), "{provenance}");
    assert_eq!(nats.messages(), 0);
}

#[test]
fn a_test_that_decides_ends_a_match_on_workers_with_the_same_pair() {
    let home = tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| home.path().join(name));
    let settings = [
        "players=['greedy', 'random']",
        "pairs=400",
        "bootstrap=0",
        "threads=1",
        "openings=balanced:plies=4,count=5,depth=1",
        "sprt.elo0=0",
        "sprt.elo1=100",
    ]
    .map(Setting::from);
    let go = AtomicBool::new(false);
    let mut tournament = create(&alone, &settings);
    assert_eq!(tournament.play(&go, &mut |_| ()).unwrap(), TournamentEnd::Complete);
    let games = tournament.results().games();
    assert!(games < 200, "{games}");
    let nats = Nats::start();
    let url = nats.url();
    let end = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = SetOnDrop(&end);
        scope.spawn(|| work(&url, &end, &|_| ()));
        let mut tournament = create(&together, &settings);
        let ended = tournament.play_on(&cluster(&url), &go, &mut |_| (), &mut |text| panic!("{text}"));
        assert_eq!(
            (ended.unwrap(), tournament.results().games()),
            (TournamentEnd::Complete, games)
        );
    });
    assert_same_files(&essence(&together), &essence(&alone));
    assert_eq!(nats.messages(), 0);
}
