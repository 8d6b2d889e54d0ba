//! Games other than Chase: played by clicks, analysed, recorded, explored.

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
