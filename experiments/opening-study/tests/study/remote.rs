//! A study whose games, forks and searches a worker plays over a real server of NATS: the same files, though the worker
//! is stopped, and at first sends what cannot be right.

use chase_training::settings::Settings;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use chase_cluster::cluster::Options;
use chase_cluster::{Address, Cluster, Task, Worker};
use chase_fixtures::{Nats, SetOnDrop, assert_same_files, files, untrained};
use chase_models::device::Device;
use chase_opening_study::evidence::games::GamesEvent;
use chase_opening_study::{
    REPORT_FILE, StudyConfig, StudyError, StudyEvent, StudyWatch, conduct, create, remote, resume,
};
use serde_json::{Value, json};

/// A small study of an untrained network and of a baseline.
fn config(network: &Path) -> StudyConfig {
    let settings = [
        format!(
            "games.players=['net:{},simulations=2,precision=f32', 'greedy:blunders=0.5']",
            network.display()
        )
        .into(),
        "threads=1".into(),
        "games.first_round=1".into(),
        "games.most=2".into(),
        "games.initial_factor=1".into(),
        "games.replies=false".into(),
        "games.max_plies=60".into(),
        "games.shard=16".into(),
        "games.in_flight=12".into(),
        "forks.positions=2".into(),
        "forks.playouts=2".into(),
        "search.budgets=[1, 2]".into(),
    ];
    StudyConfig::load(None, &settings).unwrap()
}

fn cluster(url: &str) -> Cluster {
    Cluster::connect(&Address::new(url), Options::default()).unwrap()
}

/// Everything in a study's folder that must not depend on machines, time or interruptions.
fn essence(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    // The time, the machine and the folder's name.
    for name in ["meta.json", "cluster.json", "LOCK"] {
        files.remove(name);
    }
    let report = files.get_mut(REPORT_FILE).unwrap();
    let mut content: Value = serde_json::from_slice(report).unwrap();
    content["provenance"] = Value::Null;
    *report = content
        .to_string()
        .replace(&folder.display().to_string(), "FOLDER")
        .into_bytes();
    files
}

/// A change to the lines of a file, and the reason for which it is refused.
type Lie = (fn(&mut Vec<Value>), &'static str);

/// False content of a file of games, as a worker may send it.
const GAMES: [Lie; 4] = [
    (|lines| drop(lines.pop()), "its games are not the requested games"),
    (
        |lines| lines[1]["number"] = json!(1),
        "its games are not the requested games",
    ),
    (|lines| lines[1]["result"]["actions"][9] = json!("A1A1"), "ply 10"),
    (|lines| lines[1]["result"]["outcome"] = json!("draw"), "recorded"),
];

/// The same for forks.
const FORKS: [Lie; 2] = [
    (
        |lines| lines[0]["turn"]["game"] = json!(77),
        "its forks are not the requested forks",
    ),
    (
        |lines| lines[0]["playouts"][0]["action"]["actions"][0] = json!("A1A1"),
        "ply 1",
    ),
];

const SEARCHES: [Lie; 2] = [
    (
        |lines| lines[0]["origin"]["seed"] = json!(77),
        "another branch, agent or budget",
    ),
    (|lines| lines[0]["lines"] = json!("none"), "invalid type"),
];

/// The lies that are still to be told, by kind.
type Lies = BTreeMap<&'static str, Vec<Lie>>;

/// Changes a result, if there is a lie left for its kind.
fn tell(lies: &Mutex<Lies>, kind: &str, content: Vec<u8>) -> Vec<u8> {
    let Some((lie, _)) = lies.lock().unwrap().get_mut(kind).and_then(Vec::pop) else {
        return content;
    };
    let values = serde_json::Deserializer::from_slice(&content).into_iter();
    let mut lines: Vec<Value> = values.map(Result::unwrap).collect();
    lie(&mut lines);
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    text.join("\n").into_bytes()
}

/// Runs `study` beside a worker, whose results are changed, given their kind, before they are sent.
fn working(url: &str, change: &(dyn Fn(&str, Vec<u8>) -> Vec<u8> + Sync), study: impl FnOnce()) {
    let end = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = SetOnDrop(&end);
        scope.spawn(|| {
            let worker = Worker::connect(&Address::new(url), Device::Cpu, 1, Duration::ZERO).unwrap();
            let play = |task: &Task<'_>| {
                let made = remote::run(task)?;
                Ok(made.map(|content| change(&task.unit().kind, content)))
            };
            worker.run(&play, &end, &|_| ())
        });
        study();
    });
}

#[test]
fn a_study_on_workers_has_the_files_of_one_machine_and_nothing_that_cannot_be_right() {
    let home = tempfile::tempdir().unwrap();
    let network = home.path().join("network");
    untrained(&network, 1);
    let config = config(&network);
    let [alone, together] = ["alone", "together"].map(|name| home.path().join(name));
    let go = AtomicBool::new(false);
    let watch = StudyWatch {
        stop: &go,
        on_event: &|_| {},
    };
    let (run, program) = create(&alone, &config, None).unwrap();
    conduct(&run, program, &config, None, &watch).unwrap();
    drop(run);

    let nats = Nats::start();
    let url = nats.url();
    let lies = [
        ("study-games", GAMES.to_vec()),
        ("study-forks", FORKS.to_vec()),
        ("study-searches", SEARCHES.to_vec()),
    ];
    let lies: Mutex<Lies> = Mutex::new(lies.into());
    let warnings = Mutex::new(Vec::new());
    // It is stopped in the middle. Its worker is honest and ends with it: a lie that is told when the study stops is
    // heard by nobody.
    working(&url, &|_, content| content, || {
        let stop = AtomicBool::new(false);
        let until_a_file = StudyWatch {
            stop: &stop,
            on_event: &|event| match event {
                StudyEvent::Games(GamesEvent::Finished { .. }) => stop.store(true, Ordering::Relaxed),
                StudyEvent::Warning(warning) => warnings.lock().unwrap().push(warning.to_owned()),
                _ => (),
            },
        };
        let (run, program) = create(&together, &config, None).unwrap();
        let stopped = conduct(&run, program, &config, Some(&cluster(&url)), &until_a_file);
        assert!(stopped.is_err_and(|error: StudyError| error.is_stop()));
    });
    working(&url, &|kind, content| tell(&lies, kind, content), || {
        let told = StudyWatch {
            stop: &go,
            on_event: &|event| {
                if let StudyEvent::Warning(warning) = event {
                    warnings.lock().unwrap().push(warning.to_owned());
                }
            },
        };
        let (run, program, config) = resume(&together, &[]).unwrap();
        conduct(&run, program, &config, Some(&cluster(&url)), &told).unwrap();
    });
    assert_same_files(&essence(&together), &essence(&alone));
    let warnings = warnings.into_inner().unwrap();
    let all = GAMES.iter().chain(&FORKS).chain(&SEARCHES);
    for (_, reason) in all {
        let found = warnings.iter().any(|warning| warning.contains(reason));
        assert!(found, "no result was refused since {reason}:\n{}", warnings.join("\n"));
    }
    assert_eq!(
        warnings.len(),
        GAMES.len() + FORKS.len() + SEARCHES.len(),
        "{warnings:?}"
    );
    assert_eq!(nats.messages(), 0);
}
