//! Runs that leave others.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::ConnectFour;
use chase_training::config::Config;
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::training_loop::{Training, TrainingError};

use crate::{Notes, assert_same, config, create, essence, resume};

/// Sets the stop flag when the learner has begun with a generation's games.
struct StopAtLearning<'a> {
    generation: u64,
    stop: &'a AtomicBool,
}

impl Observer<ConnectFour> for StopAtLearning<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::Learning { generation, .. } if *generation == self.generation) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn evaluate(&mut self, generation: u64, request: &EvaluationRequest<'_, ConnectFour>) -> EvaluationResult {
        Notes::default().evaluate(generation, request)
    }
}

/// Stops a run in its third generation, with the games of it on disk.
fn stopped_in_the_third_generation(directory: &Path) {
    let stop = AtomicBool::new(false);
    let mut stopper = StopAtLearning {
        generation: 3,
        stop: &stop,
    };
    let training = Training::create(directory, config(&[]), &mut stopper).unwrap();
    assert_eq!(training.run(&mut stopper, &stop).unwrap(), Ended::Stopped);
    let state = fs::read_to_string(directory.join("state.json")).unwrap();
    assert!(state.contains("\"generation\": 2"), "{state}");
    assert!(fs::read_dir(directory.join("games/gen-000003")).unwrap().count() > 0);
}

fn branch(trunk: &Path, directory: &Path, overrides: &[&str]) -> Result<Ended, TrainingError> {
    let mut notes = Notes::default();
    let text = fs::read_to_string(trunk.join("config.toml")).unwrap();
    let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
    let config = Config::branch(("config.toml", &text), &overrides)?;
    let training = Training::branch(trunk, directory, config, &mut notes)?;
    let ended = training.run(&mut notes, &AtomicBool::new(false));
    assert_eq!(notes.warnings, [""; 0]);
    ended
}

#[test]
fn a_branch_without_changes_becomes_what_its_trunk_would() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, trunk, leaf] = ["straight", "trunk", "leaf"].map(|name| directory.path().join(name));
    create(&straight, &[]).0.unwrap();
    stopped_in_the_third_generation(&trunk);
    assert_eq!(branch(&trunk, &leaf, &[]).unwrap(), Ended::Generations);
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
    stopped_in_the_third_generation(&trunk);
    let before = essence(&trunk);
    branch(
        &trunk,
        &leaf,
        &["seed=12", "search.simulations=6", "checkpoints.keep_last=1"],
    )
    .unwrap();
    assert_eq!(essence(&trunk), before, "files of both are never changed");
    let other = essence(&leaf);
    let of = |path: &Path, generation: &str| {
        path.components()
            .nth(1)
            .is_some_and(|part| part.as_os_str() == generation)
    };
    let games = |generation: &str| {
        let mut games: Vec<_> = before
            .keys()
            .filter(|path| path.starts_with("games") && of(path, generation))
            .collect();
        games.sort();
        games
    };
    assert!(!games("gen-000002").is_empty());
    for path in games("gen-000001").into_iter().chain(games("gen-000002")) {
        assert_eq!(other[path], before[path], "{}", path.display());
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
    stopped_in_the_third_generation(&trunk);
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
    assert!(inherited.contains("a branch cannot change network"), "{inherited}");
    fs::remove_file(trunk.join("state.json")).unwrap();
    let nothing = branch(&trunk, &leaf, &[]).unwrap_err().to_string();
    assert!(nothing.contains("no finished generation"), "{nothing}");
    assert!(!leaf.exists());
}
