//! Games other than Chase: played by clicks, analysed, recorded, explored.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::server::Server;

/// Games of each kind of board: stacks, a random start, a board of hexagons, decisions without a cell, columns.
const GAMES: [&str; 6] = [
    "stax",
    "checkers-cyl-num",
    "tricolour",
    "tetra24",
    "lines9",
    "connect-four",
];

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

/// Every action has clicks of its own on cells of the board, or a text of its own where they are shared.
fn check_steps(view: &Value) {
    let cells: Vec<&Value> = list(&view["board"]["cells"]).iter().map(|cell| &cell["name"]).collect();
    let mut seen: Vec<(&Value, &Value)> = Vec::new();
    for action in list(&view["actions"]) {
        let key = (&action["steps"], &action["text"]);
        assert!(!seen.contains(&key), "{action}");
        seen.push(key);
        assert!(
            list(&action["steps"]).iter().all(|step| cells.contains(&step)),
            "{action}"
        );
    }
}

#[test]
fn games_are_played_to_their_end_by_clicks() {
    let server = Server::start(&[]);
    for (number, name) in GAMES.into_iter().enumerate() {
        let mut game = json!({"name": name, "seed": 7, "moves": []});
        let mut plies = 0;
        let end = loop {
            let view = server.post("/api/game", &game).json();
            assert_eq!(view["name"], name, "{view}");
            if !view["end"].is_null() {
                assert_eq!(view["actions"], json!([]));
                break view["end"].clone();
            }
            check_steps(&view);
            // Any action will do; the number of the game keeps them from all being the first.
            let actions = list(&view["actions"]);
            let action = &actions[(plies * 7 + number) % actions.len()]["action"];
            game["moves"].as_array_mut().unwrap().push(action.clone());
            plies += 1;
            assert!(plies < 2000);
        };
        let result = end["result"].as_str().unwrap();
        assert!(["white", "black", "draw", "truncated"].contains(&result), "{end}");
        // It goes out as a record, and comes back whatever the game on the page is by then.
        let written = json!({"game": game, "white": "me", "black": "you"});
        let record = server.post("/api/record/write", &written).json()["record"].clone();
        let read = server.post("/api/record/read", &json!({"record": record})).json();
        assert_eq!(
            (&read["name"], &read["moves"]),
            (&json!(name), &game["moves"]),
            "{record}"
        );
        assert_eq!((&read["end"], &read["black"]), (&end, &json!("you")));
        let again = json!({"name": name, "start": read["start"], "rules": read["rules"], "moves": read["moves"]});
        assert_eq!(server.post("/api/game", &again).json()["end"], end);
        // Nobody moves after the end.
        game["moves"].as_array_mut().unwrap().push(json!("a1"));
        assert!(server.post("/api/game", &game).error().contains("the game has ended"));
    }
}

#[test]
fn a_position_shows_pieces_marks_and_what_clicks_mean() {
    let server = Server::start(&[]);
    let view = |game: Value| server.post("/api/game", &game).json();
    let cell = |view: &Value, name: &str| -> Value {
        let cells = list(&view["board"]["cells"]);
        cells.iter().find(|cell| cell["name"] == name).unwrap().clone()
    };
    let falls = view(json!({"name": "connect-four", "moves": ["2", "2"]}));
    assert_eq!(
        (&cell(&falls, "b6")["meant"], &falls["task"]),
        (&json!("b3"), &json!("White is to move"))
    );
    assert_eq!(falls["last"]["steps"], json!(["b2"]));
    let sides = view(json!({"name": "tricolour"}));
    assert_eq!(
        (&cell(&sides, "q5")["colours"], &sides["board"]["shape"]),
        (&json!([1, 2]), &json!("hexagon"))
    );
    assert_eq!(sides["task"], json!("First places the first stone"));
    let shapes = view(json!({"name": "tetra24"}));
    assert_eq!(
        shapes["task"],
        "First places up to 2 stones; has 0 of the shapes, the opponent 0"
    );
    // A jumper must go on, with a prisoner below it.
    let start = "8/8/8/8/2m1m3/1Q6/8/(MMMMMMMMMMMmmmmmmmmmm)7 d -";
    let jumper = view(json!({"name": "queens", "start": start, "moves": ["b3xd5"]}));
    let jumped = cell(&jumper, "d5");
    assert_eq!((&jumped["marked"], list(&jumped["pieces"]).len()), (&json!(true), 2));
    assert_eq!(
        jumped["pieces"][0],
        json!({"player": "white", "king": true, "label": ""})
    );
    assert!(list(&jumper["actions"]).iter().all(|action| action["steps"][0] == "d5"));
    // Starts that are drawn: the same for a seed, another for another, and kept in records.
    let start = |seed: u32| view(json!({"name": "stax-num", "seed": seed}))["start"].clone();
    assert_ne!(start(1), start(2));
    assert_eq!(start(1), start(1));
    let record = server
        .post("/api/record/write", &json!({"game": {"name": "stax-num", "seed": 1}}))
        .json();
    assert!(record["record"].as_str().unwrap().contains("[Seed \"1\"]"), "{record}");
    let read = server.post("/api/record/read", &record).json();
    assert_eq!(read["start"], start(1));
    // What is typed may begin with a capital letter, as phones have it.
    let typed = view(json!({"name": "tetra24", "moves": ["G7", "PASS"]}));
    assert_eq!(list(&typed["plies"]).len(), 2, "{typed}");
    let resigned = json!({"game": {"name": "stax", "moves": []}, "resigned": "white"});
    let record = server.post("/api/record/write", &resigned).json();
    let text = record["record"].as_str().unwrap();
    assert!(
        text.contains("[Result \"0-1\"]") && text.contains("[Termination \"resignation\"]"),
        "{text}"
    );
    assert_eq!(
        server.post("/api/record/read", &record).json()["termination"],
        "light, resignation"
    );
}

#[test]
fn players_of_each_game_play_and_judge() {
    let server = Server::start(&[]);
    let ids = |name: &str| -> Vec<String> {
        let status = server.get(&format!("/api/status/{name}")).json();
        assert_eq!(status["game"], name);
        let players = list(&status["players"]).iter();
        players
            .map(|player| player["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids("stax"), ["alpha-beta", "rollouts", "greedy", "random"]);
    assert_eq!(ids("tricolour"), ["rollouts", "random"]);
    let status = server.get("/api/status/checkers-num").json();
    assert_eq!(
        (&status["begins_at_random"], &status["sides"]),
        (&json!(true), &json!(["dark", "light"]))
    );
    for (name, player, effort) in [
        ("stax", "alpha-beta", json!({"unit": "depth", "amount": 2})),
        ("queens-uni", "greedy", json!(null)),
        ("tricolour", "rollouts", json!({"unit": "simulations", "amount": 5})),
        ("connect-four", "random", json!(null)),
    ] {
        let game = json!({"name": name});
        let answer = server.post(
            "/api/play",
            &json!({"game": game, "player": player, "effort": effort, "seed": 3}),
        );
        assert_eq!(answer.status, 200, "{}", answer.body);
        let played = json!({"name": name, "moves": [answer.json()["action"]]});
        assert_eq!(server.post("/api/game", &played).status, 200);
    }
    let body = json!({"game": {"name": "stax"}, "player": "rollouts", "simulations": 30, "top": 2});
    let report = server.post("/api/analyse", &body).last_event();
    assert_eq!(
        (&report["to_move"], &report["stop"]),
        (&json!("dark"), &json!("simulations"))
    );
    let line = json!({"game": {"name": "stax"}, "line": report["actions"][0]["line"]});
    let plies = server.post("/api/line", &line).json();
    assert_eq!(plies["plies"][0]["action"], report["best_action"]);
    assert_eq!(list(&plies["plies"][0]["steps"]).len(), 2);
    // One page analyses several games: none continues the tree of another.
    for name in ["stax-cyl", "lines9", "stax-cyl"] {
        let body = json!({"game": {"name": name}, "player": "rollouts", "simulations": 8});
        assert!(
            server
                .post("/api/analyse", &body)
                .body
                .contains("\"stop\":\"simulations\"")
        );
    }
}

#[test]
fn what_is_of_another_game_is_refused() {
    let server = Server::start(&[]);
    let names = "expected chase, connect-four, chess, chess-cyl, checkers, ";
    for (path, body, says) in [
        ("/api/game", json!({"name": "shogi"}), names),
        ("/api/record/read", json!({"record": "", "name": "shogi"}), names),
        ("/api/record/read", json!({"record": "[Game \"shogi\"]\n"}), names),
        (
            "/api/game",
            json!({"name": "stax", "start": "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 1"}),
            "start, as a position of stax: ",
        ),
        (
            "/api/game",
            json!({"name": "stax", "moves": ["A3D2"]}),
            "move 1, \"A3D2\": ",
        ),
        (
            "/api/game",
            json!({"name": "stax", "moves": ["a1-b2"]}),
            "move 1, \"a1-b2\": ",
        ),
        (
            "/api/game",
            json!({"name": "tricolour", "rules": "repetition 3, quiet 100, length 400"}),
            "expected",
        ),
        (
            "/api/play",
            json!({"game": {"name": "stax"}, "player": "agent:agent-41"}),
            "plays chase, expected a player of stax",
        ),
        (
            "/api/play",
            json!({"game": {"name": "lines9"}, "player": "greedy"}),
            "no player \"greedy\" of lines9",
        ),
        (
            "/api/analyse",
            json!({"game": {"name": "stax"}, "player": "agent:agent-41", "simulations": 3}),
            "plays chase",
        ),
        (
            "/api/record/read",
            json!({"record": "8/8 d", "name": "stax"}),
            "no position of stax: ",
        ),
        (
            "/api/record/read",
            json!({"record": "1. a1-a2", "name": "stax"}),
            "illegal: ",
        ),
    ] {
        let answer = server.post(path, &body);
        assert!((400..500).contains(&answer.status), "{path} {body}: {}", answer.body);
        assert!(answer.error().contains(says), "{path} {body}: {}", answer.error());
    }
    let unknown = server.get("/api/status/shogi");
    assert_eq!((unknown.status, unknown.error().contains(names)), (400, true));
}

/// A folder of runs with a tournament of Stax.
fn runs() -> PathBuf {
    let runs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve-stax-cup");
    let _ = fs::remove_dir_all(&runs);
    let folder = runs.join("cup");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("meta.json"), chase_fixtures::run_meta("stax")).unwrap();
    fs::write(folder.join("config.toml"), "game = \"stax\"\n").unwrap();
    fs::write(folder.join("players.json"), "[]").unwrap();
    let game = json!({
        "white": "alice", "black": "bob", "pair": 0, "outcome": "white", "reason": "no action",
        "plies": 1, "opening_plies": 0, "actions": ["c3-d4"],
    });
    fs::write(folder.join("games.jsonl"), game.to_string() + "\n").unwrap();
    runs
}

#[test]
fn games_of_runs_are_explored_and_replayed_each_with_its_own() {
    let runs = runs();
    let server = Server::start(&["--runs", runs.to_str().unwrap()]);
    let answer = server.explore(&json!({"game": {"name": "stax"}}));
    assert_eq!(
        (&answer["games"], &answer["left_out"]),
        (&json!(1), &json!(0)),
        "{answer}"
    );
    let [explored] = &list(&answer["moves"])[..] else {
        panic!("one move: {answer}");
    };
    assert_eq!(
        (&explored["action"], &explored["tally"]["white"]),
        (&json!("c3-d4"), &json!(1))
    );
    assert_eq!(explored["by"][0]["player"], "alice");
    // A run of Stax is none of other games.
    let other = server.explore(&json!({"game": {"name": "checkers"}}));
    assert_eq!((&other["games"], &other["moves"]), (&json!(0), &json!([])));
    let refused = server.post("/api/explorer", &json!({"game": {}, "run": "cup"}));
    assert_eq!(refused.status, 400);
    assert!(
        refused
            .error()
            .contains("run \"cup\" is of stax, expected one of chase"),
        "{}",
        refused.error()
    );
    assert_eq!(server.get("/api/status/stax").json()["runs"], json!(["cup"]));
    assert_eq!(server.get("/api/status").json()["runs"], json!([]));
    let latest = server.get("/api/runs/cup/games").json();
    assert_eq!((&latest["game"], &latest["kind"]), (&json!("stax"), &json!("match")));
    let game = &latest["games"][0];
    let replayed = json!({"name": "stax", "start": game["start"], "rules": game["rules"], "moves": game["moves"]});
    assert_eq!(list(&server.post("/api/game", &replayed).json()["plies"]).len(), 1);
}
