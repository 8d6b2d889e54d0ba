//! `chase balance` as a person meets it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use chase_fixtures::{assert_same_files, files, kill_again_and_again};
use serde_json::Value;
use tempfile::TempDir;

use super::program::{chase, facts, text};

fn command(home: &Path, args: &[&str]) -> Command {
    chase(home, &[&["balance"][..], args].concat())
}

fn balance(home: &Path, args: &[&str]) -> Output {
    command(home, args).output().unwrap()
}

/// Two agents for each of two draughts games and Connect Four, as small as can be.
const SMALL: &str = "\
games = ['checkers', 'checkers-num', 'connect-four']
agents = 2
rows = 60
measurement = { games = 4, simulations = [1, 2], max_plies = 300, opening_plies = 2 }
ladder = { rungs = 2, temperatures = [1.0], pairs = 1, simulations = 1 }
first_moves = { starts = 1 }
train.network = { blocks = 1, channels = 4, pooling = 0, policy_channels = 4, value_channels = 4, value_hidden = 4 }
train.search = { simulations = 2 }
train.selfplay = { games = 2, group_games = 2, in_flight = 2 }
train.learner = { batch = 8 }
train.precision = 'f32'
";

/// What the numbers rest on, and the numbers: all files but those that know times, processes or the command line.
fn finished(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    let of_time = [
        "meta.json",
        "log.txt",
        "LOCK",
        "state.json",
        "metrics.jsonl",
        "clock.json",
        "manifest.json",
    ];
    files.retain(|name, _| {
        let last = name.rsplit('/').next().unwrap();
        !of_time.contains(&last) && !name.ends_with(".tmp") && !name.contains("/tb/")
    });
    files
}

#[test]
fn a_study_is_the_same_however_often_it_is_killed() {
    // Records name players by their folders, which must be the same in both studies.
    let homes = [(); 2].map(|()| TempDir::new().unwrap());
    let [home, killed_home] = homes.each_ref().map(TempDir::path);
    for home in [home, killed_home] {
        fs::write(home.join("small.toml"), SMALL).unwrap();
    }
    let begin = Instant::now();
    let output = balance(home, &["small.toml", "--run-dir", "study", "--threads", "2", "--json"]);
    let whole_time = begin.elapsed();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&result["ended"], &result["directory"]),
        (&"complete".into(), &"study".into())
    );
    let report = &result["balance"];
    assert_eq!((&report["agents"], &report["of"]), (&6.into(), &6.into()));
    let games = report["games"].as_array().unwrap();
    let names: Vec<&str> = games.iter().map(|game| game["game"].as_str().unwrap()).collect();
    assert_eq!(names, ["checkers", "checkers-num", "connect-four"]);
    for game in games {
        for agent in game["agents"].as_array().unwrap() {
            let rows = agent["training"]["rows"].as_u64().unwrap();
            assert!((60..600).contains(&rows), "{game}");
        }
        let large = &game["budgets"][1];
        assert_eq!(large["score"]["by_agent"].as_array().unwrap().len(), 2, "{game}");
        assert!(large["score"]["interval"]["high"].as_f64().unwrap() <= 1.0, "{game}");
    }
    assert_eq!(report["effects"][0]["to"], "numbered");
    let page = fs::read_to_string(home.join("study/report.html")).unwrap();
    // The first picture is the answer; the games follow.
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}"));
    assert!(place("What each property does: first player's score") < place("The first player's score in each game"));
    assert!(page.contains("numbered − unnumbered"));
    assert!(page.contains("connect-four"));

    let of_table = facts(&home.join("study/games.parquet"), "balance");
    assert_eq!(
        of_table["config_sha256"],
        report["provenance"]["config_sha256"].as_str().unwrap()
    );
    assert!(of_table["rules"].contains("\"checkers-num\":{"), "{of_table:?}");

    // Killed at different moments. The configurations of its matches name the number of threads.
    let killed = killed_home.join("study");
    kill_again_and_again(&killed, whole_time, 1, |killed| {
        // Killed before it had begun.
        let begun = killed.join("config.toml").exists();
        if !begun {
            let _ = fs::remove_dir_all(killed);
        }
        let args = match begun {
            true => ["--resume", "study", "--threads", "2"],
            false => ["small.toml", "--run-dir", "study", "--threads=2"],
        };
        let mut child = command(killed_home, &args);
        child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    });
    let output = balance(killed_home, &["--resume", "study"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("numbered − unnumbered"),
        "{}",
        text(&output.stdout)
    );
    assert_same_files(&finished(&killed), &finished(&home.join("study")));

    // Another question is another study.
    let output = balance(killed_home, &["--resume", "study", "--set", "margins.score=0.2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr)
            .contains("the study cannot continue with margins.score = 0.2 (was 0.1); begin a new study"),
        "{}",
        text(&output.stderr)
    );
}
