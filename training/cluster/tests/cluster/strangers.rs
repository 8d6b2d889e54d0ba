//! Results that do not count.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use std::thread;

use async_nats::jetstream;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::object_store::ObjectStore;
use chase_fixtures::{Nats, SetOnDrop, assert_same_files, essence};
use chase_training::events::Ended;
use serde_json::{Value, json};
use tokio_stream::StreamExt;

use crate::{train, train_until, with_workers};
use chase_cluster::Address;

/// Takes three units and stores results that are none: other arithmetic, no games, games of another unit. Returns the
/// reasons that the learner should give.
async fn lie(url: &str) -> [&'static str; 3] {
    let context = jetstream::new(async_nats::connect(url).await.unwrap());
    let consumer = loop {
        match context
            .get_consumer_from_stream::<pull::Config, _, _>("workers", "CHASE_UNITS")
            .await
        {
            Ok(consumer) => break consumer,
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(50)).await,
        }
    };
    let results = context.get_key_value("chase_results").await.unwrap();
    let mut units = consumer.messages().await.unwrap();
    let mut next = async || {
        let message = units.next().await.unwrap().unwrap();
        let unit: Value = serde_json::from_slice(&message.payload).unwrap();
        message.double_ack().await.unwrap();
        (message.subject.strip_prefix("chase.units.").unwrap().to_owned(), unit)
    };
    let entry = |object: &str, unit: &Value, content: &[u8]| {
        json!({
            "object": object, "facts": chase_models::manifest::FileFacts::of(content), "worker": "stranger",
            "arithmetic": unit["arithmetic"],
            "effort": { "plies": 0, "evaluations": 0, "batches": 0, "simulations": 0 },
        })
    };
    let (key, mut unit) = next().await;
    let objects: ObjectStore = context
        .get_object_store(format!("chase_{}", unit["run"].as_str().unwrap()))
        .await
        .unwrap();
    unit["arithmetic"][0]["outputs"] = "0123".into();
    let object = format!("result/{key}/a");
    objects.put(object.as_str(), &mut &b"games"[..]).await.unwrap();
    results
        .create(&key, entry(&object, &unit, b"games").to_string().into())
        .await
        .unwrap();

    let (key, unit) = next().await;
    let object = format!("result/{key}/b");
    objects.put(object.as_str(), &mut &b"games"[..]).await.unwrap();
    results
        .create(&key, entry(&object, &unit, b"games").to_string().into())
        .await
        .unwrap();

    let (key, unit) = next().await;
    results
        .create(&key, entry("result/elsewhere", &unit, b"games").to_string().into())
        .await
        .unwrap();
    [
        "computed with other arithmetic: outputs is `0123`",
        "it is not a shard of finished and one of unfinished games",
        "its games are in `result/elsewhere`",
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
        let learner = scope.spawn(|| train_until(&stop, &together, &settings, Some(&Address::new(&url))));
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
        assert_eq!(warnings.len(), 3, "{warnings:?}");
        for reason in reasons {
            let about =
                |text: &&String| text.contains("the result of worker stranger is refused") && text.contains(reason);
            assert!(warnings.iter().any(|text| about(&text)), "{reason}: {warnings:?}");
        }
    });
    assert_same_files(&essence(&together), &essence(&alone));
}
