//! The report of `chase cluster status`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use chase_cluster::Task;
use chase_cluster::selfplay::Games;
use chase_cluster::{Address, Status, Worker};
use chase_engine::ConnectFour;
use chase_models::device::Device;
use serde_json::Value;

use crate::{PATIENT, train_until};
use chase_fixtures::{Nats, SetOnDrop};
use chase_training::events::Ended;
use chase_training::kinds::residual::Residual;

const PAGE: &str = include_str!("../../../../docs/src/reference/json.md");

/// Lets the worker play. Shared by nothing else, and static since what plays must be.
static GO: AtomicBool = AtomicBool::new(false);

fn status(nats: &Nats) -> Status {
    Status::of(&Address::new(nats.url())).unwrap()
}

/// The status of a server, as soon as it is as expected.
#[track_caller]
fn wait_for(nats: &Nats, expected: impl Fn(&Status) -> bool) -> Status {
    chase_fixtures::wait_for("the expected status", || {
        let status = status(nats);
        match expected(&status) {
            true => Ok(status),
            false => Err(format!("{status:?}")),
        }
    })
}

/// Fails with every field that the page of JSON outputs does not name.
fn assert_described(value: &Value) {
    let (_, section) = PAGE.split_once("\n## `cluster status`\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    match value {
        // Keys of units have a dot.
        Value::Object(fields) => fields
            .iter()
            .filter(|(key, _)| !key.contains('.'))
            .for_each(|(key, value)| {
                let named = [format!("`{key}`"), format!("`{key}[]`")];
                assert!(
                    named.iter().any(|name| section.contains(name)),
                    "json.md does not name {key}"
                );
                assert_described(value);
            }),
        Value::Array(values) => values.iter().for_each(assert_described),
        _ => {}
    }
}

#[test]
fn the_status_says_what_waits_what_is_played_and_by_whom() {
    let directory = tempfile::tempdir().unwrap();
    let nats = Nats::start();
    let found = status(&nats);
    assert_eq!((found.runs.len(), found.workers.len(), found.bytes), (0, 0, 0));
    let run = directory.path().join("night");
    let settings = ["limits.generations=1", "measurement.every=0"];
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let [end, _go] = [&stop, &GO].map(SetOnDrop);
        let learner = scope.spawn(|| train_until(&stop, &run, &settings, Some((&Address::new(nats.url()), PATIENT))));
        let found = wait_for(&nats, |status| status.runs.iter().any(|run| run.waiting == 4));
        let of_run = &found.runs[0];
        assert!(of_run.name.starts_with("night on "), "{}", of_run.name);
        assert_eq!((of_run.in_work, of_run.done, of_run.workers), (0, 0, 0));
        assert!(of_run.bytes > 1000 && of_run.bytes_limit == Some(4 << 30), "{of_run:?}");
        assert!(
            of_run.oldest_seconds.is_some_and(|age| (0.0..60.0).contains(&age)),
            "{of_run:?}"
        );
        assert!(found.bytes >= of_run.bytes && found.workers.is_empty(), "{found:?}");

        // It plays nothing before it has been seen.
        let worker = scope.spawn(|| {
            let worker = Worker::connect(&Address::new(nats.url()), Device::Cpu, 1, Duration::from_secs(60)).unwrap();
            let play = |task: &Task<'_>| {
                while !GO.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(10));
                }
                task.run::<Games<Residual<ConnectFour>>>()
            };
            worker.run(&play, &stop, &|_| ())
        });
        let found = wait_for(&nats, |status| status.runs[0].in_work == 1);
        let of_run = &found.runs[0];
        assert_eq!((of_run.waiting, of_run.done, of_run.workers), (3, 0, 1));
        let [worker_status] = &found.workers[..] else {
            panic!("{found:?}")
        };
        let presence = &worker_status.presence;
        assert_eq!(
            (presence.threads, presence.games, presence.device.as_str()),
            (1, 0, "cpu")
        );
        let version = format!("{}, libtorch ", env!("CARGO_PKG_VERSION"));
        assert!(
            presence.version.to_string().starts_with(&version),
            "{}",
            presence.version
        );
        assert_eq!(of_run.version.as_ref(), Some(&presence.version));
        assert!((0.0..60.0).contains(&worker_status.heard_seconds), "{worker_status:?}");
        let (key, title) = presence.playing.first_key_value().unwrap();
        assert!(key.starts_with(&format!("{}.", of_run.run)), "{key}");
        assert!(title.starts_with("generation 1, selfplay group "), "{title}");
        assert_described(&serde_json::to_value(&found).unwrap());

        GO.store(true, Ordering::Relaxed);
        assert_eq!(learner.join().unwrap().0, Ended::Generations);
        let found = wait_for(&nats, |status| {
            status.workers.iter().any(|worker| worker.presence.games == 20)
        });
        assert!(
            found.runs.is_empty() && found.workers[0].presence.playing.is_empty(),
            "{found:?}"
        );
        drop(end);
        worker.join().unwrap();
        wait_for(&nats, |status| status.workers.is_empty());
    });
}

#[test]
fn two_workers_of_one_host_name_and_process_are_two() {
    let nats = Nats::start();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = SetOnDrop(&stop);
        let connect = || Worker::connect(&Address::new(nats.url()), Device::Cpu, 1, Duration::ZERO).unwrap();
        let workers = [connect(), connect()];
        // Containers may share both.
        assert_ne!(workers[0].presence().name, workers[1].presence().name);
        for worker in workers {
            let stop = &stop;
            scope.spawn(move || worker.run(&|_: &Task<'_>| Ok(None), stop, &|_| ()));
        }
        wait_for(&nats, |status| status.workers.len() == 2);
    });
}
