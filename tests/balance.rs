//! `chase balance` as a person meets it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use chase_fixtures::{assert_same_files, files};
use serde_json::Value;

fn command(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
    command.arg("balance").args(args).current_dir(home).stdin(Stdio::null());
    command
}

fn balance(home: &Path, args: &[&str]) -> Output {
    command(home, args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// An empty directory of its own for each test.
fn home(name: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("balance-{name}"));
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    home
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

fn agents(folder: &Path) -> usize {
    let found = fs::read_dir(folder.join("agents"));
    let found = found.into_iter().flatten().flatten();
    found.filter(|entry| entry.path().join("agent.json").exists()).count()
}

/// Waits until a process has finished this many agents, then kills it.
fn kill_after(mut child: Child, folder: &Path, wanted: usize) {
    let began = Instant::now();
    while agents(folder) < wanted && child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(120), "no agent is finished");
        std::thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn a_study_is_the_same_however_often_it_is_killed() {
    let (whole, killed) = (home("whole"), home("killed"));
    for home in [&whole, &killed] {
        fs::write(home.join("small.toml"), SMALL).unwrap();
    }
    let begin = ["small.toml", "--run-dir", "study", "--threads", "2", "--json"];
    let output = balance(&whole, &begin);
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
    assert_eq!(report["effects"][0]["to"], "numbered men");
    let page = fs::read_to_string(whole.join("study/report.html")).unwrap();
    assert!(page.contains("First player's score by capture rule and topology") && page.contains("connect-four"));

    // Killed at different moments, and resumed on another number of threads.
    let child = |args: &[&str]| {
        let mut command = command(&killed, args);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let study = killed.join("study");
    kill_after(child(&begin), &study, 1);
    kill_after(child(&["--resume", "study", "--threads", "2"]), &study, 3);
    let mut stopped = child(&["--resume", "study", "--threads", "2"]);
    std::thread::sleep(Duration::from_millis(300));
    let _ = stopped.kill();
    stopped.wait().unwrap();
    let output = balance(&killed, &["--resume", "study"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("numbered men − plain men"),
        "{}",
        text(&output.stdout)
    );
    assert_same_files(&finished(&study), &finished(&whole.join("study")));

    // Another question is another study.
    let output = balance(&killed, &["--resume", "study", "--set", "margins.score=0.2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("another configuration: margins differ"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn bad_input_is_told_before_anything_is_written() {
    let home = home("bad");
    fs::write(home.join("match.toml"), "players = ['random', 'greedy']\npairs = 3\n").unwrap();
    for (args, reason) in [
        (&["--games", "chess"][..], "unknown game `chess`: expected chase, "),
        (&["--seeds", "0"], "agents is 0, expected 1 to 1000"),
        (
            &["--set", "train.learner.rat=1"],
            "unknown key `learner.rat`; the nearest known one is `learner.rate`",
        ),
        (&["--set", "rows=0"], "rows is 0, expected 1 to 10^12"),
        (&["--seeds", "1", "--run-dir", "a,b"], "a,b has a comma"),
        (
            &["match.toml"],
            "is a configuration of `chase tournament`, expected one of `chase balance`",
        ),
        (&["--resume", "nowhere"], "nowhere is not a run"),
        (&["none.toml"], "cannot read none.toml"),
    ] {
        let output = balance(&home, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
    assert_eq!(fs::read_dir(&home).unwrap().count(), 1);
}

#[test]
fn the_preset_is_the_default_and_its_plan_is_printed_without_work() {
    let home = home("plan");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/balance.toml");
    let plan = |args: &[&str]| {
        let output = balance(&home, args);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let [preset, default] = [
        plan(&[file.to_str().unwrap(), "--dry-run"]),
        plan(&["--seed", "1", "--dry-run"]),
    ];
    let config = |text: &str| text.split("\n\n# 21 comparisons").next().unwrap().to_owned();
    assert_eq!(config(&preset), config(&default));
    for line in [
        "# 21 comparisons between variants",
        "# topology: ±",
        "60 agents to train and measure: about ",
    ] {
        assert!(preset.contains(line), "{preset}");
    }
    assert_eq!(fs::read_dir(&home).unwrap().count(), 0);
}
