//! Runs whose network learns the games of another run.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_training::config::Config;
use chase_training::events::{Ended, Event};
use chase_training::settings::{Change, Setting, Settings};
use chase_training::training_loop::{Training, TrainingError};
use serde_json::Value;

use crate::{Notes, StopWhen, assert_same, create, create_and_stop, essence, metric, resume};

/// Larger than the network of the trunk and with mirror images alike, in five generations.
const LARGER: [&str; 6] = [
    "network.blocks=2",
    "network.channels=16",
    "network.mirror=true",
    "refit.generations=5",
    "refit.passes=4.0",
    "evaluation.every=0",
];

fn configuration(trunk: &Path, overrides: &[&str]) -> Result<Config, TrainingError> {
    let text = fs::read_to_string(trunk.join("config.toml")).unwrap();
    let overrides = Setting::list(overrides);
    Ok(Config::changed(("config.toml", &text), &overrides, Change::Refit)?)
}

fn refit(trunk: &Path, directory: &Path, overrides: &[&str]) -> Result<(Ended, Notes), TrainingError> {
    let mut notes = Notes::default();
    let training = Training::refit(trunk, directory, configuration(trunk, overrides)?, &mut notes)?;
    let ended = training.run(&mut notes, &AtomicBool::new(false))?;
    Ok((ended, notes))
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_larger_network_learns_the_games_and_the_trunk_stays() {
    let directory = tempfile::tempdir().unwrap();
    let [trunk, new] = ["trunk", "new"].map(|name| directory.path().join(name));
    create(&trunk, &[]).0.unwrap();
    let before = essence(&trunk);
    let (ended, notes) = refit(&trunk, &new, &LARGER).unwrap();
    assert_eq!((ended, notes.warnings), (Ended::Generations, Vec::new()));
    assert_eq!(essence(&trunk), before, "files of both are never changed");

    let (of_trunk, of_new) = (json(&trunk.join("state.json")), json(&new.join("state.json")));
    let begun = of_trunk["generation"].as_u64().unwrap();
    assert_eq!(
        (&of_new["refit_from"], &of_new["generation"]),
        (&begun.into(), &(begun + 5).into())
    );
    for same in ["games", "rows", "shards"] {
        assert_eq!(of_new[same], of_trunk[same], "{same}");
    }
    // Four times each row of the window, in batches.
    let last = notes.events.iter().rfind(|event| event.contains("no games")).unwrap();
    let rows = last.split_once("window ").unwrap().1.split_once(',').unwrap().0;
    let rows: f64 = rows.parse().unwrap();
    let manifest = json(&new.join(format!("checkpoints/gen-{:06}/manifest.json", begun + 5)));
    let batch = configuration(&trunk, &[]).unwrap().learner.batch;
    let steps = manifest["progress"]["steps"].as_u64().unwrap();
    assert_eq!(steps, (4.0 * rows / f64::from(batch)).round() as u64);
    assert_eq!(manifest["architecture"]["channels"], 16);
    assert_eq!(manifest["architecture"]["mirror"], true);
    let losses = metric(&new, "loss/total");
    assert!(losses.len() >= 5 && losses.last() < losses.first(), "{losses:?}");
    assert_eq!(json(&new.join("meta.json"))["branched_from"]["generation"], begun);

    // It goes on as a run of its own.
    let more = format!("limits.generations={}", begun + 6);
    let (ended, notes) = resume(&new, &[&more]);
    assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
    assert!(json(&new.join("state.json"))["games"].as_u64() > of_trunk["games"].as_u64());
}

#[test]
fn a_refit_that_is_stopped_goes_on_exactly() {
    let directory = tempfile::tempdir().unwrap();
    let [trunk, straight, stopped] = ["trunk", "straight", "stopped"].map(|name| directory.path().join(name));
    create_and_stop(&trunk, &[], |event| {
        matches!(event, Event::Learning { generation: 3, .. })
    });
    // Two generations after the refit belong to it.
    let overrides = [&LARGER[..], &["limits.generations=9"]].concat();
    assert_eq!(refit(&trunk, &straight, &overrides).unwrap().0, Ended::Generations);
    let stop = AtomicBool::new(false);
    let mut stopper = StopWhen {
        when: |event| {
            matches!(
                event,
                Event::Learning {
                    generation: 5,
                    step: 2,
                    ..
                }
            )
        },
        stop: &stop,
    };
    let config = configuration(&trunk, &overrides).unwrap();
    let training = Training::refit(&trunk, &stopped, config, &mut stopper).unwrap();
    assert_eq!(training.run(&mut stopper, &stop).unwrap(), Ended::Stopped);
    assert_eq!(json(&stopped.join("state.json"))["generation"], 4);
    assert_eq!(resume(&stopped, &[]).0.unwrap(), Ended::Generations);
    assert_same(&stopped, &straight);
}

#[test]
fn what_cannot_be_refitted_is_said_and_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let [trunk, new] = ["trunk", "new"].map(|name| directory.path().join(name));
    create_and_stop(&trunk, &[], |_| true);
    let error = |overrides: &[&str]| refit(&trunk, &new, overrides).unwrap_err().to_string();
    assert!(
        error(&[]).contains("no finished generation with games"),
        "{}",
        error(&[])
    );
    let other = error(&["game=chase"]);
    assert!(
        other.contains("the run cannot continue with game = \"chase\" (was "),
        "{other}"
    );
    let passes = error(&["refit.passes=0"]);
    assert!(
        passes.contains("refit.passes is 0, expected a number above 0"),
        "{passes}"
    );
    assert!(!new.exists());
}
