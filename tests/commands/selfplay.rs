//! `chase selfplay` as a person meets it: a data set of the built-in agent, its continuation, and its games as records.

use std::fs;
use std::path::Path;

use chase_engine::chase::Rules;
use chase_engine::{Chase, Record};
use serde_json::Value;

use super::program::{facts, home, run, text};

/// Short games, so that the test takes seconds.
const SHORT: [&str; 6] = [
    "--set",
    "rules.max_turns=8",
    "--set",
    "selfplay.group_games=2",
    "--set",
    "selfplay.in_flight=2",
];

fn names(run: &Path) -> Vec<String> {
    let entries = fs::read_dir(run.join("games/gen-000001")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_data_set_grows_when_it_is_resumed_and_its_games_are_the_same_on_two_threads() {
    let home = home("selfplay");
    let begin = |games, threads, directory| {
        let args = [
            "selfplay",
            "agent-41",
            "--games",
            games,
            "--simulations",
            "4",
            "--seed",
            "3",
        ];
        let rest = ["--threads", threads, "--run-dir", directory, "--json"];
        let output = run(&home, &[&args[..], &SHORT, &rest].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let told = text(&output.stdout);
        let events: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        events.last().unwrap().clone()
    };
    let whole = begin("4", "2", "whole");
    assert_eq!((&whole["reason"], &whole["games"]), (&"done".into(), &4.into()));
    assert!(whole["rows"].as_u64().unwrap() > 0);
    begin("2", "1", "grown");
    let resumed = run(
        &home,
        &["selfplay", "--resume", "grown", "--games", "4", "--threads", "1"],
    );
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert!(text(&resumed.stdout).starts_with("4 of 4 games, "));
    let shards = names(&home.join("whole"));
    assert_eq!(shards.len(), 2);
    assert_eq!(names(&home.join("grown")), shards);
    facts(&home.join("whole/games/gen-000001").join(&shards[0]), "shard");

    let exported = run(&home, &["export", "whole"]);
    let exported_text = text(&exported.stdout);
    let records: Result<Vec<_>, _> = Record::<Chase>::read_all(&exported_text, &Rules::default()).collect();
    assert_eq!(records.unwrap().len(), 4, "{}", text(&exported.stderr));
    let train = run(&home, &["train", "--resume", "whole"]);
    assert_eq!(train.status.code(), Some(2));
    let told = text(&train.stderr);
    assert!(
        told.contains("whole is a data set of self-play games, expected a training run"),
        "{told}"
    );
}
