//! A study of a configuration that was committed says so, on its page and in its data, also after it went on.

use chase_training::settings::Settings;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use chase_opening_study::{
    ConfigCommit, StudyConfig, StudyEvent, StudyReport, StudyWatch, conduct, create, page, resume,
};
use chase_training::store::run_dir::{Meta, RunDir};

const CONFIG: &str = "[games]\nplayers = ['greedy:blunders=0.5']\nreplies = false\nfirst_round = 1\nmost = 1\n\
                      initial_factor = 1\nmax_plies = 4\n[search]\nbudgets = []\n";

fn git(folder: &Path, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(folder).env_remove("GIT_DIR");
    git.args(["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]);
    assert!(git.args(arguments).status().unwrap().success(), "{arguments:?}");
}

/// Conducts a study; also what was told of its plan before a game was played.
fn report(run: &RunDir, program: Meta, config: &StudyConfig) -> (StudyReport, String) {
    let told = Mutex::new(Vec::new());
    let watch = StudyWatch {
        stop: &AtomicBool::new(false),
        on_event: &|event| {
            told.lock().unwrap().push(match event {
                StudyEvent::Plan(sentence) => sentence.to_owned(),
                _ => String::new(),
            });
        },
    };
    let report = conduct(run, program, config, None, &watch).unwrap();
    let told = told.into_inner().unwrap();
    (report, told[0].clone())
}

#[test]
fn a_study_names_the_commit_of_its_configuration() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("study.toml");
    fs::write(&file, CONFIG).unwrap();
    git(home.path(), &["init", "--quiet"]);
    git(home.path(), &["add", "study.toml"]);
    git(
        home.path(),
        &["commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", "The plan"],
    );
    let commit = ConfigCommit::of(&file, CONFIG);
    assert!(commit.is_some());
    assert_eq!(ConfigCommit::of(&file, "seed = 2\n"), None);
    let folder = home.path().join("study");
    let config = StudyConfig::load(Some(("study.toml", CONFIG)), &[]).unwrap();
    let (run, program) = create(&folder, &config, Some((&file, CONFIG))).unwrap();
    let (first, told) = report(&run, program, &config);
    drop(run);
    assert_eq!(first.provenance.config_commit, commit);
    assert_eq!(told, ConfigCommit::sentence(commit.as_ref()));
    assert!(page::page(&first).contains(&told));

    // The file changes, and the study goes on.
    fs::write(&file, "seed = 2\n").unwrap();
    let (run, program, config) = resume(&folder, &["games.most=2".into()]).unwrap();
    let (again, _) = report(&run, program, &config);
    assert_eq!(again.provenance.config_commit, commit);
    assert_eq!(again.provenance.raised, [2]);
    let stored: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("study.json")).unwrap()).unwrap();
    assert_eq!(stored["provenance"]["config_commit"]["hash"], commit.unwrap().hash);
}
