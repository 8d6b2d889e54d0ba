//! A whole study of a plan that was committed says so, on its page and in its data, also after it went on.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use chase_opening_study::{StudyConfig, StudyEvent, StudyReport, StudyWatch, conduct, create, page, resume};
use chase_training::run_dir::{Meta, RunDir};

const CONFIG: &str = "[games]\nplayers = ['greedy:blunders=0.5']\nreplies = false\nfirst_round = 1\nmost = 1\n\
                      initial_factor = 1\nmax_plies = 4\n[search]\nbudgets = []\n";

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.current_dir(folder).env_remove("GIT_DIR");
    git.args(["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]);
    let output = git.args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Conducts a study; also what was told of its plan before a game was played.
fn report(run: &RunDir, program: Meta, config: &StudyConfig) -> (StudyReport, String) {
    let told = Mutex::new(Vec::new());
    let watch = StudyWatch {
        stop: &AtomicBool::new(false),
        on_event: &|event| {
            told.lock().unwrap().push(match event {
                StudyEvent::Plan(settled) => settled.sentence(),
                StudyEvent::Games(_) => "games".to_owned(),
                _ => String::new(),
            });
        },
    };
    let report = conduct(run, program, config, None, &watch).unwrap();
    let told = told.into_inner().unwrap();
    assert!(told[1..].iter().any(|told| told == "games"), "{told:?}");
    (report, told[0].clone())
}

#[test]
fn a_study_says_how_long_before_its_first_game_its_plan_was_committed() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("study.toml");
    fs::write(&file, CONFIG).unwrap();
    git(home.path(), &["init", "--quiet"]);
    git(home.path(), &["add", "study.toml"]);
    git(
        home.path(),
        &["commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", "The plan"],
    );
    let commit = git(home.path(), &["rev-parse", "HEAD"]);
    let folder = home.path().join("study");
    let config = StudyConfig::load(Some(("study.toml", CONFIG)), &[]).unwrap();
    let (run, program) = create(&folder, &config, Some((&file, CONFIG))).unwrap();
    let (first, told) = report(&run, program, &config);
    drop(run);
    let settled = first.provenance.preregistration.clone().unwrap();
    assert_eq!(settled.config_commit.as_ref(), Some(&commit));
    assert_eq!(told, settled.sentence());
    assert!(told.contains(" before the first game (commit ") && told.starts_with("The plan was committed "));
    assert!(page::page(&first).contains(&told) && page::page(&first).contains(&settled.plan_sha256));

    // The file changes, and the study goes on.
    fs::write(&file, "seed = 2\n").unwrap();
    git(
        home.path(),
        &[
            "commit",
            "--quiet",
            "--no-verify",
            "--no-gpg-sign",
            "-am",
            "Another plan",
        ],
    );
    let (run, program, config) = resume(&folder, &["games.most=2".into()]).unwrap();
    let (again, told) = report(&run, program, &config);
    assert_eq!(again.provenance.preregistration.as_ref(), Some(&settled));
    assert_eq!(told, settled.sentence());
    assert_eq!(again.provenance.raised, [2]);
    let stored: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("study.json")).unwrap()).unwrap();
    let stored = &stored["provenance"]["preregistration"];
    assert_eq!(stored["plan_sha256"], settled.plan_sha256.as_str());
    assert_eq!(stored["seconds_between"], settled.seconds_between.unwrap());
}
