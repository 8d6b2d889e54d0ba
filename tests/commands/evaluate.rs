//! `chase evaluate` as a person meets it: a checkpoint that lies in no run, against baselines.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use chase_fixtures::untrained;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::program::run;

fn evaluate(args: &[&str]) -> Output {
    run(Path::new("."), &[&["evaluate"][..], args].concat())
}

/// The games against random that a text counts, with those that it leaves out since a game of their pair was truncated:
/// which these are depends on the arithmetic of the machine.
fn games_against_random(text: &str) -> Option<u32> {
    let (scored, left_out) = text.split_once(" games against random")?;
    let scored: u32 = scored.rsplit(' ').next()?.parse().ok()?;
    let left_out = left_out.strip_prefix(" (").and_then(|more| more.split(' ').next());
    Some(scored + left_out.map_or(Ok(0), str::parse).ok()?)
}

#[test]
fn a_checkpoint_outside_a_run_is_rated_under_its_own_name() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("beginner");
    untrained(&folder, 1);
    let folder = folder.to_str().unwrap();
    let few = [
        folder,
        "--games",
        "4",
        "--simulations",
        "2",
        "--threads",
        "1",
        "--opponent",
    ];

    let report = evaluate(&[&few[..], &["random", "--json"]].concat());
    assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stderr));
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["games"]["agent"], "beginner");
    assert_eq!(report["simulations"], 2);
    assert_eq!(report["colour_swap"]["largest_difference"], 0.0);
    let games = &report["games"]["opponents"][0]["games"];
    let played: u64 = ["wins", "draws", "losses", "truncated"]
        .iter()
        .map(|result| games[result].as_u64().unwrap())
        .sum();
    assert_eq!(played, 4);

    let words = evaluate(&[&few[..], &["random"]].concat());
    let words = String::from_utf8(words.stdout).unwrap();
    assert!(words.starts_with("beginner: Elo "), "{words}");
    assert_eq!(games_against_random(&words), Some(4), "{words}");

    let words = evaluate(&[&few[..], &["greedy"]].concat());
    let words = String::from_utf8(words.stdout).unwrap();
    assert!(words.contains(" above greedy, at 2 simulations"), "{words}");

    let odd = evaluate(&[folder, "--games", "5"]);
    assert_eq!(odd.status.code(), Some(2));
    let reason = String::from_utf8_lossy(&odd.stderr).into_owned();
    assert!(reason.contains("expected an even number"), "{reason}");
}

#[test]
fn scores_known_before_ctrl_c_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("beginner");
    untrained(&folder, 1);
    let stopped = || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_chase"))
            .args([
                "evaluate",
                folder.to_str().unwrap(),
                "--games",
                "4",
                "--simulations",
                "200",
            ])
            .args(["--threads", "1", "--opponent", "random", "--opponent", "greedy"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Without a terminal an opponent's result is a line as soon as it is known.
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(lines.any(|line| games_against_random(&line.unwrap()) == Some(4)));
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let mut told = String::new();
        child.stdout.take().unwrap().read_to_string(&mut told).unwrap();
        (child.wait().unwrap().code(), told)
    };
    // On a busy machine the signal may come when all is done; then it is sent again.
    let mut attempts = (0..100).map(|_| stopped());
    let (code, told) = attempts.find(|(code, _)| *code != Some(0)).unwrap();
    assert_eq!(code, Some(130), "{told}");
    assert!(
        told.starts_with("stopped after ") && told.contains("of 8 games: no rating"),
        "{told}"
    );
    assert_eq!(games_against_random(&told), Some(4), "{told}");
}
