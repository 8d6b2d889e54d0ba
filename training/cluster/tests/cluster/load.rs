//! Recorded results stand for workers: each unit is answered at once, by what it was answered before. So the learner
//! and the server meet far more workers than one machine has; `experiments/studies/0028-cluster/load.py` measures them
//! so.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use chase_cluster::presence::Presence;
use chase_cluster::selfplay::Games;
use chase_cluster::{Address, Task, Worker};
use chase_engine::ConnectFour;
use chase_fixtures::{Nats, SetOnDrop, assert_same_files, essence};
use chase_models::device::Device;
use chase_training::kinds::residual::Residual;

use crate::{connect, train};

/// Not a test of its own: a worker that plays and records, or answers from the record.
#[test]
fn child() {
    let Ok(folder) = std::env::var("CHASE_TEST_RECORDED") else {
        return;
    };
    let address = Address::new(std::env::var("CHASE_TEST_CLUSTER").unwrap());
    let recall = std::env::var("CHASE_TEST_RECALL").is_ok();
    work(Path::new(&folder), recall, &address, &AtomicBool::new(false));
}

fn work(folder: &Path, recall: bool, address: &Address, stop: &AtomicBool) -> Presence {
    let worker = connect(|| Worker::connect(address, Device::Cpu, 1, Duration::from_secs(60)));
    let play = |task: &Task<'_>| match recall {
        true => recalled(folder, task).map(Some),
        false => recorded(folder, task),
    };
    worker.run(&play, stop, &|_| ())
}

/// The file in which the result of a unit is recorded.
fn place(folder: &Path, task: &Task<'_>) -> PathBuf {
    folder.join(task.unit().title.replace(' ', "-"))
}

fn recorded(folder: &Path, task: &Task<'_>) -> Result<Option<Vec<u8>>, String> {
    let played = task.run::<Games<Residual<ConnectFour>>>()?;
    if let Some(content) = &played {
        fs::write(place(folder, task), content).unwrap();
    }
    Ok(played)
}

fn recalled(folder: &Path, task: &Task<'_>) -> Result<Vec<u8>, String> {
    let path = place(folder, task);
    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

#[test]
fn recorded_results_give_the_same_run() {
    let directory = tempfile::tempdir().unwrap();
    let [record, first, second] = ["record", "first", "second"].map(|name| directory.path().join(name));
    fs::create_dir(&record).unwrap();
    for (run, recall) in [(&first, false), (&second, true)] {
        let nats = Nats::start();
        let (url, stop) = (nats.url(), AtomicBool::new(false));
        let totals = thread::scope(|scope| {
            let end = SetOnDrop(&stop);
            let worker = scope.spawn(|| work(&record, recall, &Address::new(&url), &stop));
            train(run, &["measurement.every=0"], Some(&url));
            drop(end);
            worker.join().unwrap()
        });
        // Three generations of 20 games in groups of 6.
        assert_eq!((totals.units, totals.games), (3 * 4, 3 * 20));
    }
    assert_same_files(&essence(&second), &essence(&first));
}
