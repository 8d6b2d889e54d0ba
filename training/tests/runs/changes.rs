//! Runs that continue under other settings.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_engine::ConnectFour;
use chase_models::Precision;
use chase_models::device::Device;
use chase_models::processor::processor;
use chase_training::config::Config;
use chase_training::events::{Ended, Event};
use chase_training::game_record::{GameRecord, Purpose};
use chase_training::openings::OpeningStatistics;
use chase_training::replay::shard;
use chase_training::settings::{Change, Setting, Settings};
use chase_training::training_loop::Training;
use serde_json::Value;

use crate::{Notes, assert_same, create, create_and_stop, create_and_stop_in_the_second_measurement, metrics, resume};

/// All games that were measured after the second generation, in the order of the listed shards.
fn measured(run: &Path) -> Vec<GameRecord<ConnectFour>> {
    let games = run.join("games");
    let names = shard::of_generation(&games, 2, Purpose::Measurement).unwrap();
    let read = |name: &String| shard::read(&games, name, &()).unwrap().records;
    names.iter().flat_map(read).collect()
}

#[test]
fn a_measurement_under_other_settings_begins_anew() {
    for (change, games, simulations) in [
        ("measurement.simulations=6", 16, 6),
        ("measurement.group_games=4", 16, 12),
        ("measurement.games=4", 4, 12),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let run = directory.path();
        let long = [
            "threads=1",
            "measurement.group_games=2",
            "measurement.games=16",
            "measurement.simulations=12",
            "evaluation.every=0",
            "limits.generations=2",
        ];
        create_and_stop_in_the_second_measurement(run, &long, 8);
        let before = measured(run).len();
        assert!((6..16).contains(&before), "{before}");
        let (ended, notes) = resume(run, &[change]);
        assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
        let records = measured(run);
        let numbers: BTreeSet<u32> = records.iter().map(|record| record.index).collect();
        assert_eq!((records.len(), numbers.len()), (games, games), "{change}");
        let searched = records.iter().map(|record| record.plies[0].simulations);
        assert!(searched.into_iter().all(|found| found == simulations), "{change}");
        let openings = fs::read(run.join("openings/gen-000002-measurement.json")).unwrap();
        let openings: OpeningStatistics = serde_json::from_slice(&openings).unwrap();
        assert_eq!(openings.total.games, games as u64);
    }
}

#[test]
fn the_arithmetic_of_a_run_is_fixed_when_it_begins() {
    let directory = tempfile::tempdir().unwrap();
    let auto = ["precision=auto", "learner.precision=auto", "limits.generations=1"];
    create(directory.path(), &auto).0.unwrap();
    let written = || {
        let text = fs::read_to_string(directory.path().join("config.toml")).unwrap();
        let config = Config::load(Some(("run", &text)), &[]).unwrap();
        [config.precision, config.learner.precision].map(|choice| choice.to_string())
    };
    let fastest = Precision::fastest(Device::Cpu).to_string();
    assert_eq!(written(), [(); 2].map(|()| fastest.clone()));
    // Asked again on another machine, which may be faster in another arithmetic, it goes on as it began.
    let (ended, _) = resume(directory.path(), &["limits.generations=2"]);
    ended.unwrap();
    assert_eq!(written(), [(); 2].map(|()| fastest.clone()));
}

#[test]
fn what_a_resume_changes_is_no_change_by_hand() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("run");
    create(&run, &["measurement.every=0", "evaluation.every=0"]).0.unwrap();
    // Nothing is left to do, so no checkpoint is written under the new settings.
    for settings in [
        &["limits.minutes=5.0"][..],
        &["limits.minutes=6.0"],
        &[],
        &["threads=1"],
        &[],
    ] {
        let (ended, notes) = resume(&run, settings);
        assert_eq!(
            (ended.unwrap(), notes.warnings),
            (Ended::Generations, Vec::new()),
            "{settings:?}"
        );
    }
}

#[test]
fn a_generation_that_becomes_the_last_one_is_measured_and_evaluated() {
    let directory = tempfile::tempdir().unwrap();
    let [short, cut] = ["short", "cut"].map(|name| directory.path().join(name));
    // A rate that does not know the end of the run, so that the two may be compared.
    let flat = "learner.drop_from=1.0";
    create(&short, &[flat]).0.unwrap();
    create_and_stop(
        &cut,
        &[flat, "limits.generations=5"],
        |event| matches!(event, Event::Generation(summary) if summary.generation == 3),
    );
    let (ended, notes) = resume(&cut, &["limits.generations=3"]);
    assert_eq!((ended.unwrap(), notes.evaluated), (Ended::Generations, vec![3]));
    assert_same(&cut, &short);
    let (ended, notes) = resume(&cut, &[]);
    assert_eq!((ended.unwrap(), notes.evaluated), (Ended::Generations, Vec::new()));
}

/// The learning rates that a run has recorded, with their steps.
fn rates(run: &Path) -> Vec<(u64, f64)> {
    let rate = |record: &Value| Some((record["step"].as_u64()?, record["learner/lr"].as_f64()?));
    metrics(run).iter().filter_map(rate).collect()
}

#[test]
fn a_rate_that_had_fallen_does_not_jump_when_there_is_more_time() {
    let directory = tempfile::tempdir().unwrap();
    let [run, cut] = ["run", "cut"].map(|name| directory.path().join(name));
    let settings = [
        "limits.generations=2",
        "evaluation.every=0",
        "measurement.every=0",
        "search.full_share=0.5",
        "replay.reuse=4",
        "learner.rate=0.01",
        "learner.drop_from=0.9",
        "learner.drop_to=0.01",
        "learner.warmup_steps=40",
    ];
    create(&run, &settings).0.unwrap();
    let (before, fallen) = *rates(&run).last().unwrap();
    assert!(fallen < 0.005, "{fallen}");
    // Without more time it ends as it was.
    assert_eq!(resume(&run, &[]).0.unwrap(), Ended::Generations);
    assert_eq!(rates(&run).last().unwrap().1, fallen);
    assert_eq!(resume(&run, &["limits.generations=6"]).0.unwrap(), Ended::Generations);
    let after: Vec<f64> = rates(&run)
        .into_iter()
        .filter(|&(step, _)| step > before)
        .map(|(_, rate)| rate)
        .collect();
    // At the ends of generations of a dozen steps: it rises over 40 from 0, and falls at the end.
    assert!(after.len() == 4 && after[0] < 0.004 && after[2] > 0.007, "{after:?}");
    let state: Value = serde_json::from_slice(&fs::read(run.join("state.json")).unwrap()).unwrap();
    assert_eq!(state["warm_up_from"], before);

    // The same if it is interrupted right after that.
    create(&cut, &settings).0.unwrap();
    let stop = AtomicBool::new(true);
    let text = fs::read_to_string(cut.join("config.toml")).unwrap();
    let longer = Setting::list(&["limits.generations=6"]);
    let config = Config::changed(("config.toml", &text), &longer, Change::Resume).unwrap();
    let mut notes = Notes::default();
    let training = Training::resume(&cut, config, &mut notes).unwrap();
    assert_eq!(training.run(&mut notes, &stop).unwrap(), Ended::Stopped);
    assert_eq!(resume(&cut, &[]).0.unwrap(), Ended::Generations);
    assert_same(&cut, &run);
}

#[test]
fn a_run_that_continues_on_another_processor_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("run");
    create_and_stop(&run, &[], |event| {
        matches!(event, Event::Learning { generation: 2, .. })
    });
    let path = run.join("meta.json");
    let mut meta: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(meta["processor"], processor());
    meta["processor"] = "Another avx2".into();
    fs::write(&path, meta.to_string()).unwrap();
    let (ended, notes) = resume(&run, &[]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    let [warning] = &notes.warnings[..] else {
        panic!("{:?}", notes.warnings)
    };
    assert!(
        warning.contains("began on a processor with `Another avx2` and continues on one with"),
        "{warning}"
    );
}
