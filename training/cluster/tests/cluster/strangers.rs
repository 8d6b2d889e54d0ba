//! Results that do not count.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::thread;

use async_nats::jetstream;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::object_store::ObjectMetadata;
use chase_fixtures::{Nats, SetOnDrop, assert_same_files, essence};
use chase_training::events::Ended;
use serde_json::{Value, json};
use tokio_stream::StreamExt;

use crate::{PATIENT, train, train_until, with_workers};
use chase_cluster::Address;

/// Takes two units and stores results that are none: no games, and no statement of a worker. Returns the reasons that
/// the learner should give.
async fn lie(url: &str) -> [&'static str; 2] {
    let context = jetstream::new(async_nats::connect(url).await.unwrap());
    let (mut units, version) = loop {
        // The only consumer is that of this version.
        if let Ok(stream) = context.get_stream("CHASE_WORK").await
            && let Some(Ok(name)) = stream.consumer_names().next().await
        {
            let consumer = stream.get_consumer::<pull::Config>(&name).await.unwrap();
            break (consumer.messages().await.unwrap(), name);
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    for receipt in [true, false] {
        let message = units.next().await.unwrap().unwrap();
        let unit: Value = serde_json::from_slice(&message.payload).unwrap();
        let key = message.subject.strip_prefix(&format!("chase.work.{version}.")).unwrap();
        let objects = context.get_object_store(format!("chase_{}", unit["run"].as_str().unwrap()));
        let receipt = receipt.then(|| {
            let effort = [0, 0, 0, 0];
            json!({ "worker": "stranger", "version": unit["version"], "effort": effort }).to_string()
        });
        let meta = ObjectMetadata {
            name: format!("result/{key}/stranger"),
            description: receipt,
            ..ObjectMetadata::default()
        };
        objects.await.unwrap().put(meta, &mut &b"games"[..]).await.unwrap();
        message.double_ack().await.unwrap();
    }
    [
        "expected a shard of finished games and a shard of unfinished games",
        "EOF",
    ]
}

#[test]
fn results_that_are_none_are_refused_and_played_by_others() {
    let directory = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| directory.path().join(name));
    let settings = ["limits.generations=1", "measurement.every=0"];
    train(&alone, &settings, None);
    let nats = Nats::start();
    let url = nats.url();
    let (lied, reasons) = channel();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = SetOnDrop(&stop);
        let learner = scope.spawn(|| train_until(&stop, &together, &settings, Some((&Address::new(&url), PATIENT))));
        // It takes its end of the channel along: if it fails, nothing is waited for.
        let url = &url;
        scope.spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            lied.send(runtime.block_on(lie(url))).unwrap();
        });
        let reasons = reasons.recv().unwrap();
        let mut learned = None;
        with_workers(url, 1, || learned = Some(learner.join().unwrap()));
        let (ended, notes) = learned.unwrap();
        assert_eq!(ended, Ended::Generations);
        let warnings = notes.warnings;
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        for reason in reasons {
            let about =
                |text: &&String| text.contains("the result of worker stranger was refused") && text.contains(reason);
            assert!(warnings.iter().any(|text| about(&text)), "{reason}: {warnings:?}");
        }
    });
    assert_same_files(&essence(&together), &essence(&alone));
}
