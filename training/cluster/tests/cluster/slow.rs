//! Workers that are alive, but do not finish.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chase_cluster::worker::WorkerEvent;
use chase_cluster::{Address, Task, Worker};
use chase_fixtures::{Nats, SetOnDrop, assert_same_files, essence};
use chase_models::device::Device;
use chase_training::events::Ended;

use crate::{connect, train, train_until, with_workers};

#[test]
fn a_worker_that_never_finishes_does_not_hold_up_a_run_and_is_told_when_others_have_played_its_unit() {
    let directory = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| directory.path().join(name));
    let settings = ["limits.generations=1", "measurement.every=0"];
    train(&alone, &settings, None);
    let nats = Nats::start();
    let url = nats.url();
    let [stop, has_unit, told] = [(); 3].map(|()| AtomicBool::new(false));
    let wait_for = |flag: &AtomicBool| {
        let begin = Instant::now();
        while !flag.load(Ordering::Relaxed) {
            assert!(begin.elapsed() < Duration::from_secs(600));
            thread::sleep(Duration::from_millis(10));
        }
    };
    thread::scope(|scope| {
        let end = SetOnDrop(&stop);
        let learner = scope.spawn(|| train_until(&stop, &together, &settings, Some(&Address::new(&url))));
        let slow = scope.spawn(|| {
            let worker = connect(|| Worker::connect(&Address::new(&url), Device::Cpu, 1, Duration::ZERO));
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
        wait_for(&has_unit);
        let mut ended = None;
        with_workers(&url, 1, || {
            let begin = Instant::now();
            while !learner.is_finished() {
                assert!(begin.elapsed() < Duration::from_secs(600), "the run is held up");
                thread::sleep(Duration::from_millis(20));
            }
            ended = Some(learner.join().unwrap().0);
        });
        assert_eq!(ended, Some(Ended::Generations));
        wait_for(&told);
        drop(end);
        assert_eq!(slow.join().unwrap().games, 0);
    });
    assert_same_files(&essence(&together), &essence(&alone));
}
