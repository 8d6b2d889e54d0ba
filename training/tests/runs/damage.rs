//! Runs whose files are damaged, missing, or in the way.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use chase_engine::ConnectFour;
use chase_models::manifest::FileFacts;
use chase_training::config::Config;
use chase_training::events::{Ended, EvaluationRequest, EvaluationResult, Event, Observer};
use chase_training::game_record::Purpose;
use chase_training::kinds::NetworkKind;
use chase_training::kinds::residual::Residual;
use chase_training::replay::shard;
use chase_training::settings::{Change, Setting, Settings};
use chase_training::training_loop::{Training, checkpoint_folder};

use crate::{Notes, assert_same, config, create, create_and_stop, resume};

fn finished(directory: &Path) -> PathBuf {
    let run = directory.join("run");
    create(
        &run,
        &["limits.generations=2", "measurement.every=0", "evaluation.every=0"],
    )
    .0
    .unwrap();
    run
}

fn newest_shard(run: &Path) -> PathBuf {
    let mut shards: Vec<_> = fs::read_dir(run.join("games/gen-000002"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // Files of unfinished games lie beside the shards.
        .filter(|path| path.extension().is_some_and(|extension| extension == "parquet"))
        .collect();
    shards.sort();
    shards.pop().unwrap()
}

#[test]
fn a_damaged_or_missing_shard_is_an_error_that_names_it() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let shard = newest_shard(&run);
    let name = shard.file_name().unwrap().to_str().unwrap();
    let refused = |reason: &str| {
        let error = resume(&run, &["limits.generations=3"]).0.unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(reason), "{error}");
    };
    let whole = fs::read(&shard).unwrap();
    let mut changed = whole.clone();
    changed[100] ^= 1;
    fs::write(&shard, &changed).unwrap();
    refused("is damaged: its SHA-256 begins with");
    assert_eq!(fs::read(&shard).unwrap(), changed, "it is left as it is");
    fs::remove_file(&shard).unwrap();
    refused("cannot read");
    fs::write(&shard, whole).unwrap();
    assert_eq!(resume(&run, &["limits.generations=3"]).0.unwrap(), Ended::Generations);
}

#[test]
fn a_configuration_that_was_cut_off_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let path = run.join("config.toml");
    let text = fs::read_to_string(&path).unwrap();
    let (kept, lost) = text.rsplit_once("\n[").unwrap();
    fs::write(&path, format!("{kept}\n")).unwrap();
    let (ended, _) = resume(&run, &["limits.generations=3"]);
    let error = ended.unwrap_err().to_string();
    let section = lost.split(']').next().unwrap();
    let expected = format!("was changed since gen-000002: it lacks {section}; put these keys back");
    assert!(error.contains(&expected), "{error}");
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        format!("{kept}\n"),
        "it is left as it is"
    );
    // Where nothing is lost, it may be another one: a run that was told to go on otherwise, and stopped at once.
    fs::write(&path, format!("{text}# by hand\n")).unwrap();
    let (ended, notes) = resume(&run, &["limits.generations=3"]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    let told = |notes: &Notes, since: &str| {
        let expected = format!("config.toml was changed since {since}; ");
        assert!(
            notes.warnings.len() == 1 && notes.warnings[0].contains(&expected),
            "{:?}",
            notes.warnings
        );
    };
    told(&notes, "gen-000002");
    // Now there is a checkpoint that was trained under it.
    assert!(resume(&run, &[]).1.warnings.is_empty());
    // Before the first checkpoint there is what the run began with.
    for folder in ["checkpoints", "games", "openings"] {
        fs::remove_dir_all(run.join(folder)).unwrap();
        fs::create_dir(run.join(folder)).unwrap();
    }
    fs::remove_file(run.join("state.json")).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}# by hand\n")).unwrap();
    told(&resume(&run, &[]).1, "the run began");
}

/// As an interrupted generation may leave them on a GPU, where games that are played again are others.
#[test]
fn a_group_that_is_found_damaged_or_twice_has_one_shard_in_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, run] = ["straight", "run"].map(|name| directory.path().join(name));
    create(&straight, &[]).0.unwrap();
    create_and_stop(&run, &[], |event| {
        matches!(event, Event::Learning { generation: 3, .. })
    });
    let games = run.join("games");
    let names = shard::of_generation(&games, 3, Purpose::Selfplay).unwrap();
    let [first, second] = [0, 1].map(|group| games.join(&names[group]));
    let hashed = |content: &[u8]| FileFacts::of(content).sha256[..16].to_owned();
    // Damaged, under the name of nothing that is played again.
    fs::write(games.join("gen-000003/selfplay-0000-0000000000000000.parquet"), "half").unwrap();
    fs::remove_file(first).unwrap();
    // Whole, but with the games of another group.
    let content = fs::read(&second).unwrap();
    let name = format!("gen-000003/selfplay-0002-{}.parquet", hashed(&content));
    fs::write(games.join(name), content).unwrap();
    let (ended, notes) = resume(&run, &[]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    assert!(
        notes.warnings.len() == 1 && notes.warnings[0].contains("played again"),
        "{:?}",
        notes.warnings
    );
    assert_same(&run, &straight);
}

#[test]
fn a_damaged_or_missing_checkpoint_is_an_error_that_names_it() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let folder = run.join("checkpoints/gen-000002");
    for file in ["model.safetensors", "optimizer.safetensors", "manifest.json"] {
        let whole = fs::read(folder.join(file)).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 4;
        for damage in [Some(&whole[..whole.len() / 2]), Some(&flipped[..]), None] {
            match damage {
                Some(content) => fs::write(folder.join(file), content).unwrap(),
                None => fs::remove_file(folder.join(file)).unwrap(),
            }
            let error = match resume(&run, &["limits.generations=3"]).0 {
                Err(error) => error.to_string(),
                Ok(ended) => panic!("{file} was accepted: {ended}"),
            };
            assert!(error.contains("gen-000002"), "{error}");
        }
        fs::write(folder.join(file), whole).unwrap();
    }
}

#[test]
fn a_run_in_use_and_a_run_of_another_game_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("run");
    let mut notes = Notes::default();
    let holder = Training::create(&run, config(&[]), &mut notes).unwrap();
    let error = resume(&run, &[]).0.unwrap_err().to_string();
    assert!(error.contains("is in use by process"), "{error}");
    drop(holder);
    let error = create(&run, &[]).0.unwrap_err().to_string();
    assert!(error.contains("already contains a run"), "{error}");
    let meta = run.join("meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    fs::write(&meta, text.replace("connect-four", "chase")).unwrap();
    let error = resume(&run, &[]).0.unwrap_err().to_string();
    assert!(error.contains("is a run of chase"), "{error}");
}

#[test]
fn a_run_that_diverges_stops_with_its_last_generation_intact() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("run");
    let (ended, _) = create(
        &run,
        &["learner.rate=1e37", "learner.optimizer=sgd", "learner.warmup_steps=0"],
    );
    let error = ended.unwrap_err().to_string();
    assert!(error.contains("diverged"), "{error}");
    let state = fs::read_to_string(run.join("state.json")).unwrap();
    assert!(state.contains("\"generation\": 0"), "{state}");
    assert!(run.join("checkpoints/gen-000000/manifest.json").exists());
}

/// With weights that are numbers, but not for long: the last step of a generation may make them so.
#[test]
fn a_network_that_cannot_play_is_never_the_newest_of_a_run() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("run");
    // At most one step a generation, which no loss is computed after.
    let once = ["learner.rate=1e15", "learner.warmup_steps=0", "replay.reuse=0.1"];
    let error = create(&run, &once).0.unwrap_err().to_string();
    let expected = "training has diverged: the network after generation ";
    let learned = error
        .strip_prefix(expected)
        .and_then(|rest| rest.split_once(' '))
        .unwrap();
    assert!(learned.1.starts_with("has outputs that are not finite"), "{error}");
    let learned: u64 = learned.0.parse().unwrap();
    let state = fs::read_to_string(run.join("state.json")).unwrap();
    assert!(
        state.contains(&format!("\"generation\": {}", learned - 1)),
        "{error} {state}"
    );
    // So a branch with a lower rate can begin.
    let text = fs::read_to_string(run.join("config.toml")).unwrap();
    let limit = format!("limits.generations={learned}");
    let slower = Setting::list(&["learner.rate=0.001", limit.as_str()]);
    let config = Config::changed(("config.toml", &text), &slower, Change::Branch).unwrap();
    let (branch, mut notes) = (directory.path().join("branch"), Notes::default());
    let training = Training::branch(&run, &branch, config, &mut notes).unwrap();
    assert_eq!(
        training.run(&mut notes, &AtomicBool::new(false)).unwrap(),
        Ended::Generations
    );
}

/// Renames the run after its first generation.
struct Rename<'a> {
    from: &'a Path,
    to: &'a Path,
}

impl Observer<Residual<ConnectFour>> for Rename<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::Generation(summary) if summary.generation == 1) {
            fs::rename(self.from, self.to).unwrap();
        }
    }

    fn evaluate(&mut self, _: u64, _: &EvaluationRequest<'_, Residual<ConnectFour>>) -> EvaluationResult {
        Ok(Vec::new())
    }
}

#[test]
fn a_run_that_is_renamed_while_it_works_leaves_nothing_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, from, to] = ["straight", "from", "to"].map(|name| directory.path().join(name));
    create(&straight, &[]).0.unwrap();
    let mut rename = Rename { from: &from, to: &to };
    let training = Training::create(&from, config(&[]), &mut rename).unwrap();
    let error = training.run(&mut rename, &AtomicBool::new(false)).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("it was renamed or replaced while this process worked in it"),
        "{error}"
    );
    assert!(!from.exists());
    resume(&to, &[]).0.unwrap();
    assert_same(&to, &straight);
}

#[test]
fn a_run_without_its_newest_checkpoint_names_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    assert_eq!(
        checkpoint_folder(&run, NetworkKind::Residual).unwrap(),
        run.join("checkpoints/gen-000002")
    );
    fs::remove_dir_all(run.join("checkpoints/gen-000002")).unwrap();
    let error = checkpoint_folder(&run, NetworkKind::Residual).unwrap_err().to_string();
    let expected = format!(
        "{} is a run whose newest checkpoint, gen-000002, is gone, expected it in",
        run.display()
    );
    assert!(error.starts_with(&expected) && error.ends_with("gen-000001"), "{error}");
}

#[test]
fn a_disk_that_cannot_be_written_is_an_error_and_metrics_are_none() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    // Directories in the place of files stand for every reason why a file cannot be written.
    fs::remove_file(run.join("metrics.jsonl")).unwrap();
    fs::create_dir(run.join("metrics.jsonl")).unwrap();
    let (ended, notes) = resume(&run, &["limits.generations=3"]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    assert!(
        notes.warnings.iter().any(|warning| warning.contains("metrics.jsonl")),
        "{:?}",
        notes.warnings
    );
    fs::write(run.join("games/gen-000004"), "in the way").unwrap();
    let error = resume(&run, &["limits.generations=4"]).0.unwrap_err().to_string();
    assert!(error.contains("gen-000004"), "{error}");
    let text = fs::read_to_string(run.join("config.toml")).unwrap();
    assert!(Config::changed(("config.toml", &text), &[], Change::Resume).is_ok());
}

#[test]
fn a_run_without_its_state_is_refused_and_stays_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    fs::remove_file(run.join("state.json")).unwrap();
    let weights = run.join("checkpoints/gen-000002/model.safetensors");
    let written = fs::metadata(&weights).unwrap().modified().unwrap();
    let refused = |found: &str| {
        let error = resume(&run, &["limits.generations=3"]).0.unwrap_err().to_string();
        assert!(error.contains("state.json is missing"), "{error}");
        assert!(error.contains(found), "{error}");
    };
    refused("checkpoints/gen-000002");
    assert_eq!(fs::metadata(&weights).unwrap().modified().unwrap(), written);
    // Games alone are of a finished generation too.
    fs::remove_dir_all(run.join("checkpoints")).unwrap();
    fs::create_dir(run.join("checkpoints")).unwrap();
    refused("games/gen-000002");
    let mut notes = Notes::default();
    let branch = directory.path().join("branch");
    let error = Training::branch(&run, &branch, config(&[]), &mut notes)
        .unwrap_err()
        .to_string();
    assert!(error.contains("state.json is missing"), "{error}");
    assert!(!branch.exists());
}

#[test]
fn a_run_that_was_killed_before_its_first_state_begins_again() {
    let directory = tempfile::tempdir().unwrap();
    let [straight, run] = ["straight", "run"].map(|name| directory.path().join(name));
    create(&straight, &[]).0.unwrap();
    let mut notes = Notes::default();
    drop(Training::create(&run, config(&[]), &mut notes).unwrap());
    // The checkpoint of generation 0 is written before the state.
    fs::remove_file(run.join("state.json")).unwrap();
    assert_eq!(resume(&run, &[]).0.unwrap(), Ended::Generations);
    assert_same(&run, &straight);
}

#[test]
fn metrics_with_a_byte_that_is_no_text_lose_that_line_only() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let path = run.join("metrics.jsonl");
    let mut content = fs::read(&path).unwrap();
    let lines = content.iter().filter(|&&byte| byte == b'\n').count();
    content[3] = 0xff;
    fs::write(&path, content).unwrap();
    let (ended, notes) = resume(&run, &[]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    assert_eq!(notes.warnings, [""; 0]);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), lines - 1);
}

#[cfg(unix)]
#[test]
fn a_run_whose_lock_was_deleted_is_still_in_use() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("run");
    let mut notes = Notes::default();
    let holder = Training::create(&run, config(&[]), &mut notes).unwrap();
    fs::remove_file(run.join("LOCK")).unwrap();
    let error = resume(&run, &[]).0.unwrap_err().to_string();
    assert!(error.contains("is in use by process"), "{error}");
    drop(holder);
    assert_eq!(resume(&run, &["limits.generations=1"]).0.unwrap(), Ended::Generations);
}
