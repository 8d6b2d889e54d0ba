//! Units that are of no use to this program, left on the server.

use std::sync::atomic::AtomicBool;
use std::thread;

use async_nats::jetstream::{self, Context};
use chase_cluster::{Address, Status, status};
use chase_fixtures::{Nats, SetOnDrop, assert_same_files, essence, wait_until};
use chase_training::events::Ended;
use serde_json::Value;

use crate::{PATIENT, train, train_until, with_workers};

/// Copies of each unit for another version, and messages that are no units.
const COPIES: u64 = 8;

/// Takes away the units of a run that was stopped, and leaves what is of no use to another: the same as units of an older
/// program, one of this version whose run is unknown, and messages that are no units at all, under subjects of their own
/// and of this version. Returns the run.
async fn leave(context: &Context) -> String {
    let stream = context.get_stream("CHASE_WORK").await.unwrap();
    let last = stream.cached_info().state.last_sequence;
    let message = stream.get_raw_message(last).await.unwrap();
    let mut unit: Value = serde_json::from_slice(&message.payload).unwrap();
    let run = unit["run"].as_str().unwrap().to_owned();
    let own = message.subject.split('.').nth(2).unwrap().to_owned();
    stream.purge().await.unwrap();
    let publish = async |subject: String, content: String| {
        context.publish(subject, content.into()).await.unwrap().await.unwrap();
    };
    for number in 0..COPIES {
        publish(format!("chase.work.junk.{number}"), "{}".into()).await;
        publish(
            format!("chase.work.{own}.ffffffffffffffff.{number:016x}"),
            "junk".into(),
        )
        .await;
    }
    unit["run"] = "eeeeeeeeeeeeeeee".into();
    publish(format!("chase.work.{own}.eeeeeeeeeeeeeeee.0"), unit.to_string()).await;
    unit["run"] = run.clone().into();
    unit["version"] = "0.1.0 4d6b7db3, libtorch 2, arm64".into();
    for number in 0..COPIES {
        publish(
            format!("chase.work.0123456789abcdef.{run}.{number:016x}"),
            unit.to_string(),
        )
        .await;
    }
    run
}

#[test]
fn units_of_other_versions_and_junk_stop_no_run_and_the_status_says_whose_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let [alone, stopped, together] = ["alone", "stopped", "together"].map(|name| directory.path().join(name));
    let settings = ["limits.generations=1", "measurement.every=0"];
    train(&alone, &settings, None);
    let nats = Nats::start();
    let address = Address::new(nats.url());
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let end = SetOnDrop(&stop);
        // Two runs that begin in the same second would be the same run.
        let settings = [&settings[..], &["seed=2"]].concat();
        let (stop, stopped, address) = (&stop, &stopped, &address);
        let learner = scope.spawn(move || train_until(stop, stopped, &settings, Some((address, PATIENT))));
        wait_until("four units that are offered", || {
            Status::of(address).unwrap().runs.iter().any(|run| run.waiting >= 4)
        });
        drop(end);
        assert_eq!(learner.join().unwrap().0, Ended::Stopped);
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let run = runtime.block_on(async {
        let context = jetstream::new(async_nats::connect(nats.url()).await.unwrap());
        leave(&context).await
    });

    // Another run is played all the same.
    let played = with_workers(&nats.url(), 1, || {
        assert_eq!(train(&together, &settings, Some(&nats.url())).warnings, [""; 0]);
    });
    assert_eq!(played[0].units, 4);
    assert_same_files(&essence(&together), &essence(&alone));

    let found = Status::of(&address).unwrap();
    let runs: Vec<&str> = found.runs.iter().map(|run| run.run.as_str()).collect();
    // Those that a worker has looked at are gone.
    assert_eq!(runs, [run.as_str(), "junk"]);
    let [old, junk] = [0, 1].map(|number| &found.runs[number]);
    assert!(old.name.starts_with("stopped on "), "{}", old.name);
    assert_eq!((old.waiting, old.workers), (COPIES, 0));
    assert_eq!(
        old.version.as_ref().unwrap().to_string(),
        "0.1.0 4d6b7db3, libtorch 2, arm64"
    );
    assert_eq!((junk.waiting, junk.workers, &junk.version), (COPIES, 0, &None));
    for run in [&run, "junk"] {
        status::remove(&address, run).unwrap();
    }
    assert_eq!(Status::of(&address).unwrap().runs, []);
    let error = status::remove(&address, "junk").unwrap_err().to_string();
    assert!(error.contains("it has no run `junk`"), "{error}");
    assert_eq!(nats.messages(), 0);
}
