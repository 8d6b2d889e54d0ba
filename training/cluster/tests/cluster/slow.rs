//! Workers that are alive, but do not finish.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use chase_cluster::worker::WorkerEvent;
use chase_cluster::{Address, Task, Worker};
use chase_fixtures::{Nats, SetOnDrop, assert_same_files, essence, wait_until};
use chase_models::device::Device;
use chase_training::events::Ended;

use crate::{IMPATIENT, connect, train, train_until, with_workers};

#[test]
fn a_worker_that_never_finishes_does_not_hold_up_a_run_and_is_told_when_others_have_played_its_unit() {
    let directory = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| directory.path().join(name));
    let settings = ["limits.generations=1", "measurement.every=0"];
    train(&alone, &settings, None);
    let nats = Nats::start();
    let url = nats.url();
    let [stop, has_unit, told] = [(); 3].map(|()| AtomicBool::new(false));
    let address = Address::new(&url);
    thread::scope(|scope| {
        let end = SetOnDrop(&stop);
        let learner = scope.spawn(|| train_until(&stop, &together, &settings, Some((&address, IMPATIENT))));
        let slow = scope.spawn(|| {
            let worker = connect(|| Worker::connect(&address, Device::Cpu, 1, Duration::ZERO));
            let play = |task: &Task<'_>| {
                while !task.give_up().load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(10));
                }
                told.fetch_or(!stop.load(Ordering::Relaxed), Ordering::Relaxed);
                Ok(None)
            };
            let report = |report: &WorkerEvent<'_>| {
                _ = has_unit.fetch_or(matches!(report, WorkerEvent::Taken(_)), Ordering::Relaxed)
            };
            worker.run(&play, &stop, &report)
        });
        wait_until("a unit that is taken", || has_unit.load(Ordering::Relaxed));
        let mut ended = None;
        with_workers(&url, 1, || {
            wait_until("the end of the run", || learner.is_finished());
            ended = Some(learner.join().unwrap().0);
        });
        assert_eq!(ended, Some(Ended::Generations));
        wait_until("the slow one that is told", || told.load(Ordering::Relaxed));
        drop(end);
        assert_eq!(slow.join().unwrap().games, 0);
    });
    assert_same_files(&essence(&together), &essence(&alone));
}
