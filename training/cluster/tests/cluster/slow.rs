//! Workers that are alive but do not come to an end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream;
use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::pull;
use chase_cluster::{Cluster, cluster};
use chase_engine::ConnectFour;
use chase_fixtures::{Nats, SMALL_RUN, SetOnDrop, assert_same_files, essence};
use chase_training::config::Config;
use chase_training::events::Ended;
use chase_training::training_loop::Training;
use tokio_stream::StreamExt;

use crate::{Notes, address, options, train, with_workers};

/// So long that a machine under load ends the run, if it ends at all.
const LONG: Duration = Duration::from_secs(300);

/// Takes a unit, and says that it is being played until `stop` is set.
async fn hold(url: &str, held: &AtomicBool, stop: &AtomicBool) {
    let context = jetstream::new(async_nats::connect(url).await.unwrap());
    let unit = loop {
        let found = context.get_consumer_from_stream::<pull::Config, _, _>("workers", "CHASE_UNITS");
        if let Ok(consumer) = found.await {
            let mut batch = consumer.fetch().max_messages(1).messages().await.unwrap();
            if let Some(unit) = batch.next().await {
                break unit.unwrap();
            }
        }
        if stop.load(Ordering::Relaxed) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    held.store(true, Ordering::Relaxed);
    while !stop.load(Ordering::Relaxed) {
        unit.ack_with(AckKind::Progress).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[test]
fn a_worker_that_only_says_that_it_plays_does_not_hold_a_run() {
    let directory = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| directory.path().join(name));
    let settings = ["limits.generations=1", "measurement.every=0"];
    train(&alone, &settings, None);
    let nats = Nats::start();
    let url = nats.url();
    let [held, given_up, over] = [(); 3].map(|()| AtomicBool::new(false));
    thread::scope(|scope| {
        let end = SetOnDrop(&over);
        scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(hold(&url, &held, &over));
        });
        scope.spawn(|| {
            let begin = Instant::now();
            while !over.load(Ordering::Relaxed) {
                given_up.fetch_or(begin.elapsed() >= LONG, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(50));
            }
        });
        let learner = scope.spawn(|| {
            let options = cluster::Options {
                patience: Duration::from_secs(1),
                ..options()
            };
            let mut notes = Notes::default();
            let config = Config::load(Some(("small", SMALL_RUN)), &settings.map(str::to_owned)).unwrap();
            let training = Training::create(&together, config, &mut notes).unwrap();
            let cluster = Cluster::connect(&address(&url), options).unwrap();
            let training: Training<ConnectFour> = training.at(Box::new(cluster));
            training.run(&mut notes, &given_up).unwrap()
        });
        while !held.load(Ordering::Relaxed) && !learner.is_finished() {
            thread::sleep(Duration::from_millis(20));
        }
        with_workers(&url, 1, || assert_eq!(learner.join().unwrap(), Ended::Generations));
        drop(end);
    });
    assert_same_files(&essence(&together), &essence(&alone));
    assert_eq!(nats.messages(), 0);
}
