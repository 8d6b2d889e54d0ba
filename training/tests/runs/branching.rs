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

use crate::{Notes, assert_same, create, create_and_stop, essence, metric, resume};

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
