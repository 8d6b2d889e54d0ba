//! `chase study` as a person meets it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use chase_fixtures::{assert_same_files, files, kill_again_and_again, untrained};
use serde_json::{Value, json};

use super::program::{chase, facts, text};

fn command(args: &[&str]) -> Command {
    chase(Path::new("."), &[&["study"][..], args].concat())
}

fn study(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

/// Every file below a folder with its content, but for the lock, which says which process held it last, and for what
/// was being written when a process was killed, under a name that is never read.
fn finished(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    files.retain(|name, _| !name.ends_with("LOCK") && !name.ends_with(".tmp"));
    files
}

/// A study as small as can be that plays, searches and has several agents: in `folder/study`.
fn small(folder: &Path) -> Output {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    untrained(&folder.join("network"), 5);
    let mut args = vec![
        "--run-dir".to_owned(),
        path("study"),
        "--checkpoint".to_owned(),
        path("network"),
    ];
    args.extend(["--threads".to_owned(), "2".to_owned()]);
    for setting in [
        "checkpoints.simulations=2",
        "checkpoints.curve_simulations=[]",
        "games.players=['greedy:blunders=0.5']",
        "games.replies=false",
        "games.first_round=2",
        "games.most=4",
        // Two simulations leave little to chance: more games from the initial position would repeat themselves.
        "games.initial_factor=1",
        "games.max_plies=12",
        "games.shard=16",
        "games.in_flight=16",
        "forks.positions=2",
        "search.budgets=[1, 2]",
    ] {
        args.extend(["--set".to_owned(), setting.to_owned()]);
    }
    study(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn exact_findings_need_nothing_and_are_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let report = |threads: &str| -> Value {
        let page_text = page.to_str().unwrap();
        let output = study(&["--exact-only", "--json", "--page", page_text, "--threads", threads]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(fs::read_to_string(&page).unwrap().starts_with("<!DOCTYPE html>"));
        // Nothing but the object.
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let (one, two) = (report("1"), report("3"));
    assert_eq!(&one["claims"], &two["claims"]);
    let [printed, again] = ["1", "3"].map(|threads| text(&study(&["--exact-only", "--threads", threads]).stdout));
    assert_eq!(printed, again);
    assert!(printed.contains("supported"), "{printed}");
    assert_eq!(
        (&one["schema"], one["claims"].as_array().unwrap().len()),
        (&2.into(), 24)
    );
    // Built in a repository, the program says which commit it is.
    let git = Command::new("git").args(["rev-parse", "HEAD"]).output();
    let commit = git.ok().filter(|output| output.status.success());
    let expected = commit.map_or(Value::Null, |output| text(&output.stdout).trim().into());
    assert_eq!(one["provenance"]["program"]["git_hash"], expected);
}

#[test]
fn a_study_that_is_killed_again_and_again_ends_as_if_it_had_not_been() {
    let home = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    let output = small(home.path());
    let whole_time = begin.elapsed();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // What a reader of a pipe sees of it.
    let told = text(&output.stderr);
    for phase in [
        "The configuration is not committed as it is used: this study is exploratory.",
        "exact findings",
        "games, round 1 of 2: 180, 90 openings undecided",
        "forks: ",
        "searches (simulations): ",
    ] {
        assert!(told.contains(phase), "{phase}: {told}");
    }
    let whole = home.path().join("study");
    let report: Value = serde_json::from_slice(&fs::read(whole.join("study.json")).unwrap()).unwrap();
    let first_move = report["claims"][0]["findings"].as_array().unwrap();
    let of = |part: &str| first_move.iter().find(|finding| finding["part"] == part).unwrap();
    assert_eq!(
        of("score of the first player")["agents"]["by_agent"]
            .as_array()
            .unwrap()
            .len(),
        2
    );

    // Few plies have no result, and say so.
    let of_forks = &report["claims"][16]["findings"][0];
    assert_eq!((&of_forks["claim"], &of_forks["n"]), (&"C4".into(), &0.into()));
    assert!(of_forks["effect"].is_null());
    for table in ["games", "plies", "forks"] {
        facts(&whole.join(format!("{table}.parquet")), table);
    }

    // The same study, of which nothing is done yet.
    let killed = home.path().join("killed");
    let resume = ["--resume", killed.to_str().unwrap(), "--threads", "2"];
    kill_again_and_again(&killed, whole_time.mul_f64(0.6), 1, |killed| {
        if !killed.exists() {
            for folder in ["games", "search"] {
                fs::create_dir_all(killed.join(folder)).unwrap();
            }
            for file in ["config.toml", "meta.json", "plan.json"] {
                fs::copy(whole.join(file), killed.join(file)).unwrap();
            }
        }
        let mut child = command(&resume);
        child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    });
    assert_same_files(&finished(&killed), &finished(&whole));

    // More games where it goes on, and no other question.
    let output = study(&[&resume[..], &["--set", "games.most=6"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).contains("games, round 3 of 3"),
        "{}",
        text(&output.stderr)
    );
    let report: Value = serde_json::from_slice(&fs::read(killed.join("study.json")).unwrap()).unwrap();
    assert_eq!(report["provenance"]["raised"], json!([6]));
    assert_eq!(report["provenance"]["config"]["games"]["most"], 6);
    for (setting, reason) in [
        ("games.most=5", "games.most is 5, expected 6 or more"),
        (
            "games.margin=0.1",
            "the study cannot continue with games.margin = 0.1 (was ",
        ),
    ] {
        let output = study(&[&resume[..], &["--set", setting]].concat());
        assert_eq!(output.status.code(), Some(2), "{setting}");
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}

/// The first move's advantage rests on all games from the initial position, in as many blocks as openings have games.
#[test]
fn more_games_from_the_initial_position_are_no_more_blocks_of_openings() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("study");
    let mut args = vec!["--run-dir", folder.to_str().unwrap(), "--threads", "2"];
    for setting in [
        "games.players=['greedy:blunders=0.5']",
        "games.replies=false",
        "games.first_round=2",
        "games.most=2",
        "games.initial_factor=5",
    ] {
        args.extend(["--set", setting]);
    }
    let output = study(&args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&fs::read(folder.join("study.json")).unwrap()).unwrap();
    let sample = |claim: &str, part: &str| {
        let claims = report["claims"].as_array().unwrap();
        let claim = claims.iter().find(|known| known["id"] == claim).unwrap();
        let findings = claim["findings"].as_array().unwrap();
        let finding = findings.iter().find(|finding| finding["part"] == part).unwrap();
        finding["n"].as_u64().unwrap()
    };
    assert_eq!(sample("A1", "score of the first player, free games alone"), 10);
    // With the forced first moves, a block has five of them.
    assert_eq!(sample("A1", "score of the first player"), 2);
}

#[test]
fn an_agent_is_there_once() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let [one, same, folder] = ["one", "same", "study"].map(path);
    for place in [&one, &same] {
        untrained(Path::new(place), 1);
    }
    let output = study(&["--checkpoint", &one, "--checkpoint", &same, "--run-dir", &folder]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(told.contains("expected each agent once"), "{told}");
    assert!(!Path::new(&folder).exists());
}
