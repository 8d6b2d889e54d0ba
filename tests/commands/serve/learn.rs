//! Rules, the tutorial, puzzles and levels.

use chase_engine::GameName;
use serde_json::{Value, json};

use super::server::Server;

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

#[test]
fn every_listed_game_has_rules_with_diagrams() {
    let server = Server::start(&[]);
    let games = server.get("/api/status").json()["games"].clone();
    assert_eq!(list(&games).len(), GameName::ALL.len());
    for game in list(&games) {
        let name = game["name"].as_str().unwrap();
        let rules = server.get(&format!("/api/games/{name}/rules")).json();
        assert_eq!((&rules["title"], &rules["summary"]), (&game["title"], &game["summary"]));
        let page = rules["rules"].as_str().unwrap();
        assert!(
            page.matches("<svg").count() >= 2 && page.contains("<h3>The goal</h3>"),
            "{name}"
        );
    }
    let missing = server.get("/api/games/go/rules");
    assert_eq!(missing.status, 400);
    assert!(missing.error().contains("unknown game `go`"), "{}", missing.error());
}

#[test]
fn each_lesson_is_completed_by_some_of_the_legal_actions() {
    let server = Server::start(&[]);
    let lessons = server.get("/api/status").json();
    assert_eq!(list(&lessons["lessons"]).len(), 9);
    for lesson in list(&lessons["lessons"]) {
        let view = server.post("/api/game", &json!({"start": lesson["start"]})).json();
        let legal: Vec<&Value> = list(&view["actions"]).iter().map(|action| &action["action"]).collect();
        let completed = list(&lesson["completed_by"]);
        assert!(!completed.is_empty(), "{lesson}");
        assert!(completed.iter().all(|action| legal.contains(&action)), "{lesson}");
    }
}

#[test]
fn a_puzzle_is_judged_after_each_turn() {
    let server = Server::start(&[]);
    let puzzles = server.get("/api/status").json();
    let puzzle = &list(&puzzles["puzzles"])[6];
    assert_eq!(puzzle["task"], "Black to move and win in 2 turns, whatever White does");
    let ask = |game: &str, number: usize, moves: &[&str]| {
        let body = json!({"puzzle": number, "game": {"name": game, "moves": moves}});
        server.post("/api/puzzle", &body)
    };
    let judge = |moves: &[&str]| ask("chase", 6, moves).json();
    let first = judge(&[]);
    assert_eq!((&first["state"], &first["reply"]), (&json!("holds"), &json!([])));
    // Following the line reaches the goal.
    let line: Vec<&str> = list(&first["line"])
        .iter()
        .map(|action| action.as_str().unwrap())
        .collect();
    let after = judge(&line[..1]);
    assert_eq!(after["state"], "holds");
    assert_eq!(after["reply"], json!([line[1]]));
    assert_eq!(judge(&line)["state"], "solved");
    let missed = judge(&["I1SE"]);
    assert_eq!(missed["state"], "missed");
    assert!(missed["refutation"].is_string(), "{missed}");
    // Games have their own puzzles, and not all have some.
    let count = |game: &str| list(&server.get(&format!("/api/status/{game}")).json()["puzzles"]).len();
    assert_eq!((count("connect-four"), count("stax")), (6, 0));
    assert_eq!(ask("chase", 99, &[]).status, 404);
    assert_eq!(ask("stax", 0, &[]).status, 404);
    assert_eq!(ask("chase", 6, &["A1E"]).status, 400);
}

#[test]
fn a_network_plays_at_a_level() {
    let server = Server::start(&[]);
    let play = |level: u32, seed: u32| {
        let effort = json!({"unit": "level", "amount": level});
        server.post(
            "/api/play",
            &json!({"game": {}, "player": "agent:agent-41", "effort": effort, "seed": seed}),
        )
    };
    // The lowest level varies, and a seed decides.
    let choices: Vec<Value> = (0..12).map(|seed| play(1, seed).json()).collect();
    assert!(choices.iter().any(|other| *other != choices[0]));
    assert_eq!(play(1, 5).json(), choices[5]);
    for level in [0, 11] {
        assert!(play(level, 1).error().contains("expected 1 to 10"));
    }
    let status = server.get("/api/status").json();
    let levels = list(&status["players"][0]["efforts"])
        .iter()
        .find(|effort| effort["unit"] == "level");
    assert_eq!(levels.unwrap()["most"], 10);
}
