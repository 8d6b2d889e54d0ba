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
    let folder = home.path().join("study");
    let config = StudyConfig::load(Some(("study.toml", CONFIG)), &[]).unwrap();
    let (run, program) = create(&folder, &config, Some((&file, CONFIG))).unwrap();
    let (first, told) = report(&run, program, &config);
    drop(run);
    assert_eq!(first.provenance.config_commit, commit);
    assert_eq!(told, ConfigCommit::sentence(commit.as_ref()));
    assert!(page::page(&first).contains(&told));

    // With more threads it is the same plan; with another setting it is not.
    for (name, setting, same) in [("threads", "threads=2", true), ("margin", "games.margin=0.2", false)] {
        let config = StudyConfig::load(Some(("study.toml", CONFIG)), &[setting.into()]).unwrap();
        let (run, program) = create(&home.path().join(name), &config, Some((&file, CONFIG))).unwrap();
        let (report, _) = report(&run, program, &config);
        assert_eq!(report.provenance.config_commit, commit.clone().filter(|_| same));
    }

    // The file changes, and the study goes on.
    fs::write(&file, "seed = 2\n").unwrap();
    let (run, program, config) = resume(&folder, &["games.most=2".into()]).unwrap();
    let (again, _) = report(&run, program, &config);
    assert_eq!(again.provenance.config_commit, commit);
    assert_eq!(again.provenance.raised, [2]);
    let stored: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("study.json")).unwrap()).unwrap();
    assert_eq!(stored["provenance"]["config_commit"]["hash"], commit.unwrap().hash);
}

#[test]
fn without_a_commit_a_study_is_exploratory() {
    let home = tempfile::tempdir().unwrap();
    let config = StudyConfig::load(Some(("study.toml", CONFIG)), &[]).unwrap();
    let (run, program) = create(&home.path().join("study"), &config, None).unwrap();
    let (report, told) = report(&run, program, &config);
    assert_eq!(report.provenance.config_commit, None);
    assert!(told.contains("exploratory"), "{told}");
    assert!(page::page(&report).contains(&told));
}

#[test]
fn a_study_whose_settings_were_edited_by_hand_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("study");
    let config = StudyConfig::load(Some(("study.toml", CONFIG)), &[]).unwrap();
    drop(create(&folder, &config, None).unwrap());
    let path = folder.join("config.toml");
    let began = fs::read_to_string(&path).unwrap();
    for (before, after) in [
        ("margin = 0.02", "margin = 0.1"),
        ("seed = 1", "seed = 7"),
        ("most = 1", "most = 9"),
    ] {
        assert!(began.contains(before), "{began}");
        fs::write(&path, began.replace(before, after)).unwrap();
        let told = resume(&folder, &[]).map(|_| ()).unwrap_err().to_string();
        let expected = "as when the study began; put it back, and change settings on the command line";
        assert!(
            told.contains("config.toml is damaged") && told.contains(expected),
            "{told}"
        );
    }
    // What the command line changes is written down, and so may be changed again; what this machine has is not.
    fs::write(&path, &began).unwrap();
    let (.., config) = resume(&folder, &["games.most=2".into(), "threads=3".into()]).unwrap();
    assert_eq!((config.games.most, config.threads), (2, 3));
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        began.replace("most = 1", "most = 2")
    );
    let (.., config) = resume(&folder, &["games.most=3".into()]).unwrap();
    assert_eq!((config.games.most, config.threads), (3, 0));
    let told = resume(&folder, &["games.most=2".into()]).map(|_| ()).unwrap_err();
    assert_eq!(
        told.to_string(),
        "games.most is 2, expected 3 or more: that number may have been played already"
    );
}
