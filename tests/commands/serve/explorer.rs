//! Openings: games of tournaments, and what studies say of moves.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::server::Server;

/// A folder of runs with a tournament of three games, the last of which is being written.
fn runs(name: &str) -> PathBuf {
    let runs = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&runs);
    let folder = runs.join("cup");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("meta.json"), chase_fixtures::run_meta("chase")).unwrap();
    let game = |white: &str, black: &str, outcome: &str, actions: &[&str]| {
        let game = json!({
            "white": white, "black": black, "pair": 0, "outcome": outcome, "reason": "four dice",
            "plies": actions.len(), "opening_plies": 0, "actions": actions,
        });
        game.to_string() + "\n"
    };
    let games = [
        game("alice", "bob", "white", &["A3NW", "I3SW", "A7NE"]),
        game("bob", "alice", "draw", &["A7NE", "I3SW", "A3NW"]),
        game("bob", "alice", "black", &["A4NE"]),
    ];
    let text = games.concat();
    fs::write(folder.join("games.jsonl"), &text[..text.len() - 20]).unwrap();
    runs
}

fn named<'a>(answer: &'a Value, action: &str) -> &'a Value {
    let moves = answer["moves"].as_array().unwrap();
    moves
        .iter()
        .find(|one| one["action"] == action)
        .unwrap_or_else(|| panic!("{action}: {answer}"))
}

#[test]
fn games_of_a_tournament_are_explored_while_it_goes_on() {
    let runs = runs("serve-cup");
    let server = Server::start(&["--runs", runs.to_str().unwrap()]);
    let explore = |request: Value| server.explore(&request);
    let answer = explore(json!({"game": {}}));
    assert_eq!((&answer["games"], &answer["left_out"]), (&json!(2), &json!(0)));
    assert_eq!(answer["kinds"], json!({"match": 2}));
    let tally = |answer: &Value, action: &str| named(answer, action)["tally"].clone();
    let one = json!({"games": 1, "white": 1, "black": 0, "draws": 0, "truncated": 0});
    assert_eq!(tally(&answer, "A3NW"), one);
    assert_eq!(named(&answer, "A3NW")["by"][0]["player"], "alice");
    // All first moves are there, with their classes, those that nobody played too.
    assert_eq!(answer["moves"].as_array().unwrap().len(), 46);
    assert_eq!(
        (&named(&answer, "A4NE")["class"], &tally(&answer, "A4NE")["games"]),
        (&json!("four"), &json!(0))
    );
    // Two ways lead to one position.
    let met = json!({"moves": ["A3NW", "I3SW"]});
    assert_eq!(explore(json!({"game": met}))["moves"].as_array().unwrap().len(), 1);
    let alice = explore(json!({"game": {}, "run": "cup", "player": "alice"}));
    assert_eq!(tally(&alice, "A3NW")["games"], json!(1));
    assert_eq!(tally(&alice, "A7NE")["games"], json!(0));
    assert_eq!(alice["players"], json!([["bob", 2], ["alice", 2]]));
    let none = explore(json!({"game": {}, "kinds": ["selfplay"]}));
    assert_eq!((&none["games"], &tally(&none, "A3NW")["games"]), (&json!(0), &json!(0)));
    // They are there to be replayed, the last one that is whole first.
    fs::write(runs.join("cup/players.json"), "[]").unwrap();
    fs::write(runs.join("cup/config.toml"), "").unwrap();
    let latest = server.get("/api/runs/cup/games").json();
    let names: Vec<_> = latest["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].clone())
        .collect();
    assert_eq!(
        (&latest["kind"], names),
        (&json!("match"), vec![json!("bob – alice"), json!("alice – bob")])
    );
    assert_eq!(server.get("/api/runs/cup").json()["kind"], json!("match"));
    // What has come to its end since.
    let file = runs.join("cup/games.jsonl");
    let mut text = fs::read_to_string(&file).unwrap();
    let whole = text.rfind('\n').unwrap() + 1;
    let last = text[..whole].lines().next_back().unwrap().to_owned();
    text.replace_range(whole.., &format!("{last}\nnonsense\n"));
    fs::write(&file, text).unwrap();
    let answer = explore(json!({"game": {}}));
    assert_eq!((&answer["games"], &answer["left_out"]), (&json!(3), &json!(1)));
    assert!(
        answer["reasons"][0].as_str().unwrap().contains("games.jsonl"),
        "{answer}"
    );
}
