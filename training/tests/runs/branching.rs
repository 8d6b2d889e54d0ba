//! Runs that leave others.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_training::config::Config;
use chase_training::events::{Ended, Event};
use chase_training::game_record::Purpose;
use chase_training::replay::shard;
use chase_training::settings::{Change, Setting, Settings};
use chase_training::training_loop::{Training, TrainingError};

use crate::{
    Notes, assert_same, config, create, create_and_stop, create_and_stop_in_the_second_measurement, essence, metric,
    resume,
};

/// Stops a run in its third generation, with the games of it on disk.
fn stopped_in_the_third_generation(directory: &Path, overrides: &[&str]) {
    create_and_stop(directory, overrides, |event| {
        matches!(event, Event::Learning { generation: 3, .. })
    });
    let state = fs::read_to_string(directory.join("state.json")).unwrap();
    assert!(state.contains("\"generation\": 2"), "{state}");
    assert!(fs::read_dir(directory.join("games/gen-000003")).unwrap().count() > 0);
}

/// A branch without warnings.
fn branch(trunk: &Path, directory: &Path, overrides: &[&str]) -> Result<Ended, TrainingError> {
    let mut notes = Notes::default();
    let text = fs::read_to_string(trunk.join("config.toml")).unwrap();
    let overrides = Setting::list(overrides);
    let config = Config::changed(("config.toml", &text), &overrides, Change::Branch)?;
    let training = Training::branch(trunk, directory, config, &mut notes)?;
    let ended = training.run(&mut notes, &AtomicBool::new(false))?;
    assert_eq!(notes.warnings, [""; 0]);
    Ok(ended)
}

#[test]
fn a_branch_without_changes_becomes_what_its_trunk_would() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, trunk, leaf] = ["straight", "trunk", "leaf"].map(|name| directory.path().join(name));
    create(&straight, &[]).0.unwrap();
    stopped_in_the_third_generation(&trunk, &[]);
    assert_eq!(branch(&trunk, &leaf, &[]).unwrap(), Ended::Generations);
    // Games that are carried over went with it.
    assert_same(&leaf, &straight);
    let meta: serde_json::Value = serde_json::from_slice(&fs::read(leaf.join("meta.json")).unwrap()).unwrap();
    assert_eq!(meta["branched_from"]["generation"], 2);
    assert_eq!(meta["branched_from"]["run"], trunk.display().to_string());
    assert_eq!(meta["branched_from"]["checkpoint"].as_str().unwrap().len(), 64);
}

#[test]
fn a_branch_differs_from_where_it_leaves_on_and_the_trunk_stays() {
    let directory = tempfile::tempdir().unwrap();
    let [trunk, leaf] = ["trunk", "leaf"].map(|name| directory.path().join(name));
    stopped_in_the_third_generation(&trunk, &[]);
    let before = essence(&trunk);
    branch(
        &trunk,
        &leaf,
        &["seed=12", "search.simulations=6", "checkpoints.keep_last=1"],
    )
    .unwrap();
    assert_eq!(essence(&trunk), before, "files of both are never changed");
    let other = essence(&leaf);
    let of = |path: &str, generation: &str| path.split('/').nth(1) == Some(generation);
    let games = |generation: &str| {
        let mut games: Vec<_> = before
            .keys()
            .filter(|path| path.starts_with("games/") && of(path, generation))
            .collect();
        games.sort();
        games
    };
    assert!(!games("gen-000002").is_empty());
    for path in games("gen-000001").into_iter().chain(games("gen-000002")) {
        assert_eq!(other[path], before[path], "{path}");
    }
    // A shard has its hash in its name.
    assert!(games("gen-000003").into_iter().all(|path| !other.contains_key(path)));
    assert!(other.keys().any(|path| of(path, "gen-000003")));
    // It is a run like any other.
    let (ended, notes) = resume(&leaf, &["limits.generations=4"]);
    assert_eq!((ended.unwrap(), notes.warnings), (Ended::Generations, Vec::new()));
}

#[test]
fn a_branch_learns_from_its_own_rows_as_often_as_it_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let [trunk, same, often] = ["trunk", "same", "often"].map(|name| directory.path().join(name));
    stopped_in_the_third_generation(&trunk, &[]);
    branch(&trunk, &same, &[]).unwrap();
    branch(&trunk, &often, &["learner.batch=16", "replay.reuse=6.0"]).unwrap();
    let steps = |run: &Path, generation: &str| -> u64 {
        let manifest = run.join("checkpoints").join(generation).join("manifest.json");
        let manifest: serde_json::Value = serde_json::from_slice(&fs::read(manifest).unwrap()).unwrap();
        manifest["progress"]["steps"].as_u64().unwrap()
    };
    let learned = |run: &Path| steps(run, "gen-000003") - steps(run, "gen-000002");
    // The games are the same ones. Four times the steps, but for what rounding leaves over.
    let (once, four_times) = (learned(&same), learned(&often));
    assert!(once > 10 && four_times.abs_diff(4 * once) < 8, "{once} {four_times}");
    branch(&trunk, &directory.path().join("seldom"), &["learner.batch=64"]).unwrap();
    let half = learned(&directory.path().join("seldom"));
    assert!((2 * half).abs_diff(once) < 3, "{once} {half}");
}

/// The shards that a run's state names, each with its rows.
fn shards(run: &Path) -> Vec<(String, u64)> {
    let state: serde_json::Value = serde_json::from_slice(&fs::read(run.join("state.json")).unwrap()).unwrap();
    let shards = state["shards"].as_array().unwrap().iter();
    shards
        .map(|shard| (shard["name"].as_str().unwrap().into(), shard["rows"].as_u64().unwrap()))
        .collect()
}

#[test]
fn a_larger_window_reaches_back_to_games_that_the_trunk_has_let_go() {
    let directory = tempfile::tempdir().unwrap();
    let [trunk, all, some, damaged] = ["trunk", "all", "some", "damaged"].map(|name| directory.path().join(name));
    let small = [
        "replay.window_rows=40",
        "replay.window_slope=0.0",
        "limits.generations=2",
    ];
    create(&trunk, &small).0.unwrap();
    let names = |run: &Path| -> Vec<String> { shards(run).into_iter().map(|(name, _)| name).collect() };
    let on_disk = |run: &Path| shard::list(&run.join("games"), Purpose::Selfplay).unwrap();
    assert!(names(&trunk).len() < on_disk(&trunk).len() / 2);

    let large = "replay.window_rows=100000";
    branch(&trunk, &all, &[large, "limits.generations=3"]).unwrap();
    assert_eq!(names(&all), on_disk(&all), "so large a window holds everything");
    let rows: u64 = shards(&all).iter().map(|(_, rows)| rows).sum();
    assert_eq!(metric(&all, "replay/rows").last(), Some(&(rows as f64)));

    // No further than the window.
    branch(&trunk, &some, &["replay.window_rows=120"]).unwrap();
    let rows: Vec<u64> = shards(&some).iter().map(|&(_, rows)| rows).collect();
    let sum: u64 = rows.iter().sum();
    assert!(sum >= 120 && sum - rows[0] < 120, "{rows:?}");
    assert!(on_disk(&some).ends_with(&names(&some)));

    let second = &on_disk(&trunk)[1];
    fs::write(trunk.join("games").join(second), "damaged").unwrap();
    let told = branch(&trunk, &damaged, &[large]).unwrap_err().to_string();
    assert!(told.contains(second) && told.contains("is damaged"), "{told}");
    assert!(!damaged.exists());
}

#[test]
fn a_branch_begins_an_unfinished_measurement_anew() {
    let directory = tempfile::tempdir().unwrap();
    let [trunk, leaf] = ["trunk", "leaf"].map(|name| directory.path().join(name));
    let long = [
        "threads=1",
        "measurement.group_games=2",
        "measurement.games=40",
        "measurement.simulations=20",
        "limits.generations=2",
    ];
    create_and_stop_in_the_second_measurement(&trunk, &long, 20);
    let shards = |run: &Path| shard::of_generation(&run.join("games"), 2, Purpose::Measurement).unwrap();
    assert!(!shards(&trunk).is_empty());
    branch(&trunk, &leaf, &["measurement.group_games=15", "search.c_puct=2.0"]).unwrap();
    assert_eq!(shards(&leaf).len(), 3);
    assert!(shards(&leaf).iter().all(|name| !shards(&trunk).contains(name)));
}

#[test]
fn what_cannot_be_branched_is_said_and_leaves_nothing_behind() {
    let directory = tempfile::tempdir().unwrap();
    let [trunk, leaf] = ["trunk", "leaf"].map(|name| directory.path().join(name));
    let mut notes = Notes::default();
    let running = Training::create(&trunk, config(&[]), &mut notes).unwrap();
    let in_use = branch(&trunk, &leaf, &[]).unwrap_err().to_string();
    assert!(in_use.contains("is in use by process"), "{in_use}");
    drop(running);
    let inherited = branch(&trunk, &leaf, &["network.blocks=2"]).unwrap_err().to_string();
    assert!(
        inherited.contains("the run cannot continue with network.blocks = 2 (was "),
        "{inherited}"
    );
    fs::remove_file(trunk.join("state.json")).unwrap();
    let nothing = branch(&trunk, &leaf, &[]).unwrap_err().to_string();
    assert!(nothing.contains("no finished generation"), "{nothing}");
    assert!(!leaf.exists());
}
