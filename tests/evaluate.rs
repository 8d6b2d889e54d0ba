//! `chase evaluate` as a person meets it: a checkpoint that lies in no run, against baselines.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::process::{Command, Output};

use serde_json::Value;

fn evaluate(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
    command.arg("evaluate").args(args).output().unwrap()
}

#[test]
fn a_checkpoint_outside_a_run_is_rated_under_its_own_name() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("beginner");
    common::untrained(&folder, 1);
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
    assert!(words.contains("of 4 games against random"), "{words}");

    let unknown = evaluate(&[&few[..], &["stockfish"]].concat());
    assert_eq!(unknown.status.code(), Some(2));
    let reason = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(reason.contains("unknown agent `stockfish`: expected"), "{reason}");
}
