//! `chase serve` as browsers, and worse, meet it.

mod any_game;
mod books;
mod explorer;
mod hostile;
mod runs;
mod server;

use serde_json::{Value, json};

use server::Server;

#[test]
fn a_game_is_played_through_with_everything_that_a_page_shows() {
    let server = Server::start(&[]);
    let view = server.post("/api/game", &json!({})).json();
    assert_eq!(view["actions"].as_array().unwrap().len(), 46);
    assert_eq!(view["position"], "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 1");
    // A Chamber move, which was prepared by an exchange; texts of both forms.
    let game = json!({"moves": ["1A6A7", "1I4I3", "A7E5/D5=2/E6=2"]});
    let view = server.post("/api/game", &game).json();
    assert_eq!(
        view["plies"][2],
        json!({"action": "A7NW", "text": "A7E5/D5=2/E6=2", "player": "white", "turn": 2})
    );
    let legs = view["last"]["legs"].as_array().unwrap();
    let way: Vec<_> = legs
        .iter()
        .map(|leg| (leg["to"].clone(), leg["cause"].clone(), leg["speed"].clone()))
        .collect();
    let expected = [
        (json!("E5"), json!("acts"), json!(null)),
        (json!("D5"), json!("leaves"), json!(2)),
        (json!("E6"), json!("leaves"), json!(2)),
    ];
    assert_eq!(way, expected);
    assert_eq!(legs[0]["steps"].as_array().unwrap().len(), 4);
    // Earlier positions of the same game.
    let mut earlier = game;
    earlier["at"] = json!(1);
    let view = server.post("/api/game", &earlier).json();
    assert_eq!(
        (
            &view["at"],
            &view["last"]["kind"],
            &view["plies"].as_array().unwrap().len()
        ),
        (&json!(1), &json!("exchange"), &3)
    );
}

#[test]
fn baselines_reply_and_chance_comes_from_the_seed() {
    let server = Server::start(&[]);
    let ask = |player: &str, effort: Value, seed: u32| {
        server.post(
            "/api/play",
            &json!({"game": {}, "player": player, "effort": effort, "seed": seed}),
        )
    };
    for (player, effort) in [
        ("greedy", json!(null)),
        ("alpha-beta", json!({"unit": "depth", "amount": 1})),
        ("alpha-beta", json!({"unit": "milliseconds", "amount": 10})),
        ("rollouts", json!({"unit": "simulations", "amount": 5})),
    ] {
        let answer = ask(player, effort, 1);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let played = server.post("/api/game", &json!({"moves": [answer.json()["action"]]}));
        assert_eq!(played.status, 200);
    }
    let random: Vec<_> = (0..20).map(|seed| ask("random", json!(null), seed).json()).collect();
    assert!(random.iter().any(|other| *other != random[0]));
    assert_eq!(ask("random", json!(null), 7).json(), random[7]);
    // What is out of bounds is refused before anybody thinks.
    for (player, effort) in [
        ("alpha-beta", json!({"unit": "depth", "amount": 64})),
        ("rollouts", json!({"unit": "simulations", "amount": 1_000_000_000})),
        ("rollouts", json!({"unit": "depth", "amount": 1})),
        ("greedy", json!({"unit": "depth", "amount": 1})),
    ] {
        assert_eq!(ask(player, effort, 1).status, 400);
    }
    for player in [
        "nobody",
        "net:../../etc",
        "agent:../agents/agent-41",
        "ugi:command=touch x",
    ] {
        let answer = ask(player, json!(null), 1);
        assert_eq!(answer.status, 404, "{player}");
        let expected =
            "expected one of agent:agent-71, agent:agent-41, nnue:nnue-57, alpha-beta, rollouts, greedy, random";
        assert!(answer.error().ends_with(expected), "{}", answer.error());
    }
    // An agent is also found under the names that it has on the command line.
    let effort = json!({"unit": "simulations", "amount": 2});
    let expected = ask("agent:agent-41", effort.clone(), 1).json();
    for player in ["agent-41", "net:agent-41"] {
        assert_eq!(ask(player, effort.clone(), 1).json(), expected, "{player}");
        let body = json!({"game": {}, "player": player, "simulations": 2});
        assert_eq!(server.post("/api/analyse", &body).status, 200, "{player}");
    }
}

#[test]
fn alpha_beta_analyses_by_nodes() {
    let server = Server::start(&[]);
    let players = server.get("/api/status").json()["players"].clone();
    let counts: Vec<_> = players
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["analyses"].clone())
        .collect();
    assert_eq!(
        json!(counts),
        json!([
            "simulations",
            "simulations",
            "nodes",
            "nodes",
            "simulations",
            null,
            null
        ])
    );
    let ask = |body: Value| server.post("/api/analyse", &body);
    let body = json!({"game": {"moves": ["A3NW"]}, "player": "nnue:nnue-57", "nodes": 20000, "top": 2});
    let answer = ask(body.clone());
    assert_eq!(answer.status, 200, "{}", answer.body);
    let report = answer.last_event();
    assert_eq!(
        (&report["to_move"], &report["stop"]),
        (&json!("black"), &json!("nodes"))
    );
    assert_eq!(report["actions"].as_array().unwrap().len(), 2);
    assert!(report["depth"].as_u64() > Some(1) && report["actions"][0]["line"][0] == report["best_action"]);
}

#[test]
fn an_analysis_is_a_stream_of_reports_with_the_end_last() {
    let server = Server::start(&[]);
    let body = json!({"game": {"moves": ["A3NW"]}, "player": "rollouts", "simulations": 60, "top": 3});
    let answer = server.post("/api/analyse", &body);
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("text/event-stream"));
    let last = answer.last_event();
    assert_eq!(
        (&last["simulations"], &last["stop"], &last["to_move"]),
        (&json!(60), &json!("simulations"), &json!("black"))
    );
    assert_eq!(last["actions"].as_array().unwrap().len(), 3);
    for (key, value) in [
        ("simulations", json!(0)),
        ("simulations", json!(1_000_000_000)),
        ("player", json!("greedy")),
    ] {
        let mut bad = body.clone();
        bad[key] = value;
        assert_eq!(server.post("/api/analyse", &bad).status, 400);
    }
    // The page that goes on from there keeps what it knows; another one begins anew.
    let analyse = |client: &str, moves: &[&str]| -> Value {
        let body = json!({"game": {"moves": moves}, "player": "rollouts", "simulations": 40}).to_string();
        let headers = format!("Content-Type: application/json\r\nX-Chase-Client: {client}\r\n");
        server.send("POST", "/api/analyse", &headers, &body).last_event()
    };
    let kept = |report: &Value| report["visits"].as_u64().unwrap() - report["simulations"].as_u64().unwrap();
    let first = analyse("one", &[]);
    assert_eq!(kept(&first), 1);
    let best = first["best_action"].as_str().unwrap();
    let visits = first["actions"][0]["visits"].as_u64().unwrap();
    assert_eq!(kept(&analyse("one", &[best])), visits);
    assert_eq!(kept(&analyse("other", &[best])), 1);
    // The same position again goes on; an earlier one begins anew.
    assert_eq!(kept(&analyse("one", &[best])), visits + 40);
    assert_eq!(kept(&analyse("one", &[])), 1);
    let line = server
        .post("/api/line", &json!({"game": {}, "line": ["A3D2", "I3F2"]}))
        .json();
    assert_eq!(
        (&line["plies"][1]["text"], &line["plies"][1]["from"]),
        (&json!("I3F2"), &json!("I3"))
    );
}

#[test]
fn the_page_is_served_with_a_policy() {
    let page = Server::start(&[]).get("/");
    assert_eq!(page.status, 200);
    for header in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
    ] {
        assert!(page.head.contains(header), "{}", page.head);
    }
}

#[test]
fn a_network_says_where_dice_will_be() {
    let server = Server::start(&[]);
    let start = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";
    let ask = |player: &str| {
        let body = json!({"game": {"start": start}, "player": player});
        server.post("/api/occupancy", &body)
    };
    let cells = ask("agent:agent-41").json()["cells"].clone();
    assert_eq!(cells.as_array().unwrap().len(), 80, "all but the Chamber");
    for cell in cells.as_array().unwrap() {
        let name = cell["name"].as_str().unwrap();
        let shares = [&cell["white"], &cell["black"]].map(|share| share.as_f64().unwrap());
        assert!(!name.starts_with('A') || shares[0] > shares[1], "{cell}");
        assert!(!name.starts_with('I') || shares[0] < shares[1], "{cell}");
    }
    assert_eq!(ask("rollouts").status, 400);
}

#[test]
fn what_is_pasted_is_a_record_a_position_or_a_list_of_turns() {
    let server = Server::start(&[]);
    let read = |text: &str| server.post("/api/record/read", &json!({"record": text}));
    let position = "abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w 0 1";
    assert_eq!(read(position).json()["start"], position);
    for (text, moves) in [
        ("1a6a7 1i4i3 A7E5/D5=2/E6=2", json!(["1A6A7", "1I4I3", "A7NW"])),
        ("a3d5 1I6I7", json!(["A3NE", "1I6I7"])),
    ] {
        assert_eq!(read(text).json()["moves"], moves, "{text}");
    }
    assert_eq!(read("1. A3A4 *").status, 400);
}
