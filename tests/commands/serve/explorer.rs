//! Openings: games of tournaments, and what studies say of moves.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::server::Server;

const STUDY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/studies/0039-five-and-five");

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

#[test]
fn verdicts_stand_beside_the_moves_that_they_are_about() {
    let server = Server::start(&["--study", STUDY]);
    let explore = |moves: &[&str]| server.explore(&json!({"game": {"moves": moves}}));
    let report: Value = serde_json::from_slice(&fs::read(Path::new(STUDY).join("study.json")).unwrap()).unwrap();
    let verdict = |claim: &str| {
        let claims = report["claims"].as_array().unwrap();
        claims.iter().find(|one| one["id"] == claim).unwrap()["verdict"].clone()
    };
    let told = |answer: &Value, action: &str| -> Vec<(Value, Value)> {
        let verdicts = named(answer, action)["verdicts"].as_array().unwrap();
        verdicts
            .iter()
            .map(|one| (one["claim"].clone(), one["verdict"].clone()))
            .collect()
    };
    let first = explore(&[]);
    assert_eq!(first["studies"], json!(["0039-five-and-five"]));
    for (action, claims) in [
        ("A4NE", &["B9"][..]),
        ("A2NE", &["B1", "B2"]),
        ("1A6A7", &["B1", "B4", "B5"]),
        ("A2NW", &[]),
    ] {
        let expected: Vec<_> = claims.iter().map(|&claim| (json!(claim), verdict(claim))).collect();
        assert_eq!(told(&first, action), expected, "{action}");
    }
    let findings = named(&first, "A4NE")["verdicts"][0]["findings"].as_array().unwrap();
    assert!(!findings.is_empty() && findings[0]["summary"].is_string());
    let reply = explore(&["A4NE"]);
    assert_eq!(told(&reply, "I4SE"), [(json!("B10"), verdict("B10"))]);
    // Elsewhere there is nothing to tell.
    assert_eq!(explore(&["A1NE"])["moves"], json!([]));
}

#[test]
fn built_in_agents_come_first_and_others_of_a_folder_behind_them() {
    let agents = concat!(env!("CARGO_MANIFEST_DIR"), "/models/agents");
    let server = Server::start(&["--agents", agents, "--device", "cpu"]);
    let status = server.get("/api/status").json();
    let ids = [0, 1, 2].map(|index| status["players"][index]["id"].as_str().unwrap().to_owned());
    assert_eq!(ids, ["agent:agent-71", "agent:agent-41", "agent:agent-65"]);
    let effort = json!({"unit": "simulations", "amount": 3});
    let play = |player: &str| server.post("/api/play", &json!({"game": {}, "player": player, "effort": effort}));
    for id in &ids {
        let answer = play(id);
        assert_eq!(answer.status, 200, "{}", answer.body);
        // The network that is in memory by now plays the same.
        assert_eq!(play(id).body, answer.body);
    }
    assert_eq!(play("agent:../../etc").status, 404);
}
