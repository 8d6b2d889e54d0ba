//! `chase export` as a person meets it: a tiny run, its games as records, and those read again by the rules.

use std::fs;
use std::path::Path;
use std::process::Output;

use chase_engine::chase::Rules;
use chase_engine::{Chase, Game, Record};

use super::program::{home, run};

fn records(text: &str) -> Vec<Record<Chase>> {
    let records: Result<_, _> = Record::read_all(text, &Rules::default()).collect();
    records.unwrap()
}

fn chase(args: &[&str]) -> Output {
    run(Path::new("."), args)
}

#[test]
fn the_games_of_a_run_are_records_that_the_rules_accept() {
    let folder = home("export");
    let config = folder.join("tiny.toml");
    let text = r#"
        network = { blocks = 1, channels = 4, pooling = 0, policy_channels = 4, value_channels = 4, value_hidden = 4 }
        search = { simulations = 4, fast_simulations = 2 }
        selfplay = { games = 3, group_games = 2, in_flight = 2 }
        rules = { max_turns = 6 }
        measurement = { every = 1, games = 2, simulations = 2 }
        evaluation = { every = 0 }
        learner = { batch = 8 }
        limits = { generations = 1 }
    "#;
    fs::write(&config, text).unwrap();
    let run = folder.join("run");
    let [config, run] = [&config, &run].map(|path| path.to_str().unwrap());
    let trained = chase(&["train", "--quiet", "--config", config, "--run-dir", run]);
    assert!(trained.status.success(), "{}", String::from_utf8_lossy(&trained.stderr));

    let file = folder.join("games.txt");
    let exported = chase(&["export", run, "--values", "--out", file.to_str().unwrap()]);
    assert!(
        exported.status.success(),
        "{}",
        String::from_utf8_lossy(&exported.stderr)
    );
    let text = fs::read_to_string(&file).unwrap();
    let games = records(&text);
    assert_eq!(games.len(), 3);
    for (index, record) in games.iter().enumerate() {
        assert_eq!(record.tag("Round"), Some(&*(index + 1).to_string()));
        assert!(record.game().end().is_some());
        assert!((1..=record.actions().len()).any(|plies| record.comment_at(plies).contains("% after")));
    }
    // The same on standard output.
    assert_eq!(chase(&["export", run, "--values"]).stdout, text.as_bytes());
    // Two before the first generation, and two after it.
    let measured = chase(&["export", run, "--purpose", "measurement"]);
    let measured = String::from_utf8(measured.stdout).unwrap();
    assert_eq!(records(&measured).len(), 4);

    let none = chase(&["export", run, "--generation", "7"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8(none.stderr).unwrap().contains(
        "has no selfplay games of generation 7: it has selfplay games of generation 1 and measurement games of"
    ));
}
