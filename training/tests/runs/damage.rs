//! Runs whose files are damaged, missing, or in the way.

use std::fs;
use std::path::{Path, PathBuf};

use chase_models::manifest::FileFacts;
use chase_training::config::Config;
use chase_training::events::{Ended, Event};
use chase_training::game_record::Purpose;
use chase_training::replay::shard;
use chase_training::run_state::RunState;
use chase_training::training_loop::Training;

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
        .collect();
    shards.sort();
    shards.pop().unwrap()
}

#[test]
fn a_damaged_or_missing_shard_is_told_and_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let shard = newest_shard(&run);
    let mut content = fs::read(&shard).unwrap();
    content[100] ^= 1;
    fs::write(&shard, content).unwrap();
    let (ended, notes) = resume(&run, &["limits.generations=3"]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    let name = shard.file_name().unwrap().to_str().unwrap();
    assert!(
        notes.warnings[0].contains(name) && notes.warnings[0].contains("is damaged"),
        "{:?}",
        notes.warnings
    );
    assert!(shard.exists(), "damaged files are evidence, and stay");
    fs::remove_file(&shard).unwrap();
    let (ended, notes) = resume(&run, &["limits.generations=4"]);
    assert_eq!(ended.unwrap(), Ended::Generations);
    assert_eq!(notes.warnings, [""; 0], "it was forgotten when it was found damaged");
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
    let expected = format!("was changed since gen-000002: it has lost {section}; put them back");
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
    assert!(error.contains("holds a run already"), "{error}");
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
    assert!(Config::resume(("config.toml", &text), &[]).is_ok());
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
fn numbers_that_no_run_reaches_are_damage() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let path = run.join("state.json");
    let whole: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let keys = [
        "games",
        "rows",
        "samples",
        "milliseconds",
        "last_milliseconds",
        "generation",
    ];
    for (pointer, key) in keys.map(|key| (format!("/{key}"), key)).into_iter().chain([
        ("/shards/0/rows".to_owned(), "rows"),
        ("/shards/0/games".to_owned(), "games"),
    ]) {
        let mut state = whole.clone();
        *state.pointer_mut(&pointer).unwrap() = u64::MAX.into();
        fs::write(&path, state.to_string()).unwrap();
        let error = resume(&run, &["limits.generations=3"]).0.unwrap_err().to_string();
        assert!(
            error.contains("state.json is damaged: ") && error.contains(key),
            "{error}"
        );
    }
}

/// Links that another program, or another person's run folder, may have put there.
#[cfg(unix)]
#[test]
fn links_in_a_run_lead_no_writing_out_of_it() {
    use std::os::unix::fs::symlink;
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let victim = directory.path().join("victim");
    fs::write(&victim, "years of work").unwrap();
    for name in ["LOCK", "log.txt", "metrics.jsonl"] {
        fs::remove_file(run.join(name)).unwrap();
        symlink(&victim, run.join(name)).unwrap();
        let (result, notes) = resume(&run, &["limits.generations=3"]);
        let told = result.map_or_else(|error| error.to_string(), |_| notes.warnings.join("\n"));
        // A log that cannot be written has no place to say so.
        assert!(name == "log.txt" || told.contains(name), "{name}: {told}");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "years of work", "{name}");
        fs::remove_file(run.join(name)).unwrap();
    }
    let elsewhere = directory.path().join("elsewhere");
    for name in ["games", "checkpoints", "openings", "tb"] {
        fs::rename(run.join(name), &elsewhere).unwrap();
        symlink(&elsewhere, run.join(name)).unwrap();
        let told = resume(&run, &["limits.generations=4"]).0.unwrap_err().to_string();
        assert!(
            told.contains(&format!("{name} is damaged: it is a symbolic link")),
            "{told}"
        );
        fs::remove_file(run.join(name)).unwrap();
        fs::rename(&elsewhere, run.join(name)).unwrap();
    }
    for name in [
        "state.json.tmp",
        "config.toml.tmp",
        "clock.json.tmp",
        "checkpoints/.gen-000004.tmp",
    ] {
        symlink(&victim, run.join(name)).unwrap();
    }
    assert_eq!(resume(&run, &["limits.generations=4"]).0.unwrap(), Ended::Generations);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "years of work");
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
    assert_eq!(notes.warnings, [changed("metrics.jsonl")]);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), lines - 1);
}

fn changed(files: &str) -> String {
    format!("changed or removed since the run wrote them: {files}; the report says so, and training continues as usual")
}

#[test]
fn figures_that_were_changed_or_removed_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let [openings, metrics] = ["openings/gen-000001-selfplay.json", "metrics.jsonl"].map(|name| run.join(name));
    let [opening_text, metrics_text] = [&openings, &metrics].map(|path| fs::read_to_string(path).unwrap());
    let warnings = || {
        let (ended, notes) = resume(&run, &[]);
        assert_eq!(ended.unwrap(), Ended::Generations);
        notes.warnings
    };
    // As often as it is resumed.
    assert_eq!(warnings(), [""; 0]);
    assert_eq!(warnings(), [""; 0]);
    let place = opening_text.find("\"games\": ").unwrap() + "\"games\": ".len();
    fs::write(
        &openings,
        format!("{}9{}", &opening_text[..place], &opening_text[place + 1..]),
    )
    .unwrap();
    assert_eq!(warnings(), [changed("openings/gen-000001-selfplay.json")]);
    fs::remove_file(&openings).unwrap();
    assert_eq!(warnings(), [changed("openings/gen-000001-selfplay.json")]);
    fs::write(&openings, opening_text).unwrap();
    assert_eq!(warnings(), [""; 0]);

    // Lines behind those that the state knows are of the next generation, and dropped.
    fs::write(
        &metrics,
        metrics_text.clone() + "{\"part\":\"selfplay\",\"step\":900}\n",
    )
    .unwrap();
    assert_eq!(warnings(), [""; 0]);
    assert_eq!(fs::read_to_string(&metrics).unwrap(), metrics_text);
    let place = metrics_text.find("\"time\":1").unwrap() + "\"time\":".len();
    let other = format!("{}2{}", &metrics_text[..place], &metrics_text[place + 1..]);
    for content in [Some(other), None] {
        match &content {
            Some(text) => fs::write(&metrics, text).unwrap(),
            None => fs::remove_file(&metrics).unwrap(),
        }
        assert_eq!(warnings(), [changed("metrics.jsonl")]);
        fs::write(&metrics, &metrics_text).unwrap();
        assert_eq!(warnings(), [""; 0]);
    }
    // What is appended to figures that were changed does not make them good.
    fs::remove_file(&metrics).unwrap();
    assert_eq!(resume(&run, &["limits.generations=4"]).0.unwrap(), Ended::Generations);
    let state = RunState::read(&run.join("state.json")).unwrap().unwrap();
    assert!(state.metrics_changed);
}

/// It says how many steps were made, and so where in its schedule the learner is.
#[test]
fn a_changed_manifest_of_the_newest_checkpoint_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let manifest = run.join("checkpoints/gen-000002/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let other = text.replacen("\"steps\": ", "\"steps\": 1", 1);
    assert_ne!(other, text);
    fs::write(&manifest, other).unwrap();
    let told = resume(&run, &["limits.generations=3"]).0.unwrap_err().to_string();
    assert!(
        told.contains("manifest.json was changed since the run wrote it"),
        "{told}"
    );
    fs::write(&manifest, text).unwrap();
    assert_eq!(resume(&run, &["limits.generations=3"]).0.unwrap(), Ended::Generations);
}

#[test]
fn what_a_kill_leaves_half_written_is_removed_when_the_run_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let run = finished(directory.path());
    let left = [
        "clock.json.tmp",
        "state.json.tmp",
        "openings/gen-000002-selfplay.csv.tmp",
        "games/gen-000002/selfplay-0000-0000000000000000.parquet.tmp",
        "evaluations/gen-000002.json.tmp",
    ];
    fs::create_dir(run.join("evaluations")).unwrap();
    for name in left {
        fs::write(run.join(name), "half").unwrap();
    }
    fs::create_dir(run.join("checkpoints/.gen-000003.tmp")).unwrap();
    fs::write(run.join("checkpoints/.gen-000003.tmp/model.safetensors"), "half").unwrap();
    // Of somebody else.
    fs::write(run.join("thesis.tmp"), "years of work").unwrap();
    assert_eq!(resume(&run, &[]).0.unwrap(), Ended::Generations);
    for name in left.into_iter().chain(["checkpoints/.gen-000003.tmp"]) {
        assert!(!run.join(name).exists(), "{name}");
    }
    assert!(run.join("thesis.tmp").exists());
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
