//! Runs that continue under other settings.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use chase_engine::ConnectFour;
use chase_training::events::{Ended, Event};
use chase_training::game_record::{GameRecord, Purpose};
use chase_training::openings::OpeningStatistics;
use chase_training::replay::shard;

use crate::{assert_same, create, create_and_stop, in_the_measurement_of_the_second, resume};

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
        ("measurement.simulations=6", 40, 6),
        ("measurement.group_games=4", 40, 20),
        ("measurement.games=4", 4, 20),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let run = directory.path();
        let long = [
            "threads=1",
            "measurement.group_games=2",
            "measurement.games=40",
            "measurement.simulations=20",
            "evaluation.every=0",
            "limits.generations=2",
        ];
        create_and_stop(run, &long, in_the_measurement_of_the_second);
        let before = measured(run).len();
        assert!((6..40).contains(&before), "{before}");
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
