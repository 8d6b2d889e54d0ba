//! `chase serve` as browsers, and worse, meet it.

mod any_game;
mod books;
mod documented;
mod explorer;
mod hostile;
mod learn;
mod runs;
mod server;

use serde_json::{Value, json};

use server::Server;

#[test]
fn the_page_and_its_files_are_served_with_a_policy() {
    let server = Server::start(&[]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(
        page.head.contains("content-security-policy: default-src 'none'"),
        "{}",
        page.head
    );
    assert!(page.head.contains("x-content-type-options: nosniff"));
    // Every file that the page or a module of it names is there.
    let mut files = vec![
        "/assets/main.js".to_owned(),
        "/assets/page.css".to_owned(),
        "/assets/board.css".to_owned(),
    ];
    for file in &files {
        assert!(page.body.contains(file), "{file}");
    }
    let mut seen = Vec::new();
    while let Some(file) = files.pop() {
        let answer = server.get(&file);
        assert_eq!(answer.status, 200, "{file}");
        assert!(!answer.body.is_empty(), "{file}");
        for line in answer.body.lines().filter(|line| line.starts_with("import ")) {
            let name = line.split("\"./").nth(1).unwrap().trim_end_matches("\";");
            let name = format!("/assets/{name}");
            if !seen.contains(&name) {
                seen.push(name.clone());
                files.push(name);
            }
        }
    }
    assert!(seen.len() > 15, "{seen:?}");
}

#[test]
fn it_works_without_folders_by_the_network_in_the_program() {
    let status = Server::start(&[]).get("/api/status").json();
    assert_eq!(status["has_runs"], json!(false));
    let players: Vec<_> = status["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["id"].clone())
        .collect();
    assert_eq!(
        players,
        [
            "agent:agent-71",
            "agent:agent-41",
            "nnue:nnue-57",
            "alpha-beta",
            "rollouts",
            "greedy",
            "random"
        ]
    );
}

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
fn absorption_is_a_choice_of_the_player_who_lost_the_die() {
    let server = Server::start(&[]);
    let start = "abcd1dcba/9/9/9/9/9/2e6/9/ABCDEDCBA w";
    let view = server
        .post("/api/game", &json!({"start": start, "moves": ["A2:C3"]}))
        .json();
    assert_eq!(
        (&view["missing"], &view["to_move"], &view["task"]),
        (&json!(5), &json!("black"), &json!("Black to absorb 5 on I1 or I9"))
    );
    let actions = view["actions"].as_array().unwrap();
    let actions: Vec<_> = actions
        .iter()
        .map(|action| (&action["kind"], &action["action"], &action["changes"]))
        .collect();
    let change = |cell: &str| json!([{"cell": cell, "die": ["black", 6]}]);
    assert_eq!(
        actions,
        [
            (&json!("absorb"), &json!("=I1"), &change("I1")),
            (&json!("absorb"), &json!("=I9"), &change("I9")),
        ]
    );
}

#[test]
fn a_network_says_where_dice_will_be_and_colours_are_equal() {
    let server = Server::start(&[]);
    let ask = |game: Value, player: &str| server.post("/api/occupancy", &json!({"game": game, "player": player}));
    let expected = |start: &str| {
        let answer = ask(json!({"start": start}), "agent:agent-41");
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["cells"].as_array().unwrap().clone()
    };
    let share = |cells: &[Value], name: &str, side: &str| {
        let cell = cells.iter().find(|cell| cell["name"] == json!(name)).unwrap();
        cell[side].as_f64().unwrap()
    };
    let white_moves = expected("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w");
    // The Chamber is never a die's place.
    assert_eq!(white_moves.len(), 80);
    assert!(white_moves.iter().all(|cell| cell["name"] != json!("E5")));
    for column in 1..=9 {
        let (near, far) = (format!("A{column}"), format!("I{column}"));
        assert!(share(&white_moves, &near, "white") > share(&white_moves, &near, "black"));
        assert!(share(&white_moves, &far, "black") > share(&white_moves, &far, "white"));
    }
    // The same position with Black to move is the same, turned by 180°.
    let black_moves = expected("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b");
    for (cell, turned) in [("A1", "I9"), ("A4", "I6"), ("D2", "F9"), ("I3", "A7")] {
        for (side, other) in [("white", "black"), ("black", "white")] {
            let (one, same) = (share(&white_moves, cell, side), share(&black_moves, turned, other));
            assert!(
                (one - same).abs() < 1e-5,
                "{cell} {side}: {one}, {turned} {other}: {same}"
            );
        }
    }
    for (game, player, words) in [
        (json!({}), "rollouts", "rollouts has no network"),
        (json!({}), "greedy", "cannot evaluate positions"),
        (json!({"name": "stax"}), "agent:agent-41", "plays chase"),
    ] {
        let answer = ask(game, player);
        assert_eq!(answer.status, 400, "{}", answer.body);
        assert!(answer.body.contains(words), "{}", answer.body);
    }
}

#[test]
fn a_line_says_who_plays_each_ply() {
    let server = Server::start(&[]);
    let line = json!({"game": {"moves": ["A3D2"]}, "line": ["I3F2", "1A6A7"]});
    let plies = server.post("/api/line", &line).json()["plies"].clone();
    assert_eq!(
        (&plies[0]["player"], &plies[1]["player"]),
        (&json!("black"), &json!("white"))
    );
    assert_eq!(plies[1]["text"], json!("1A6A7"));
}

#[test]
fn people_are_told_what_was_started_and_programs_the_address() {
    let folder = crate::program::home("serve-told");
    let told = |bind: &str, after: &str| {
        let file = folder.join(bind);
        let _server = Server::of(&format!("exec 2>'{}';", file.display()), &["--bind", bind]);
        // It is written after the address, which the server has been waited for.
        chase_fixtures::wait_for(after, || {
            let text = std::fs::read_to_string(&file).unwrap();
            if text.ends_with(after) { Ok(text) } else { Err(text) }
        })
    };
    let first = "serving 3 networks; open the address in a browser, Ctrl-C ends it\n";
    assert_eq!(told("127.0.0.1", first), first);
    let warning = "warning: others on the network can use this machine without a password\n";
    assert_eq!(told("0.0.0.0", warning), format!("{first}{warning}"));
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
        "agent:agent-42",
        "agent:../agents/agent-41",
        "greedy/gen-000000",
        "net:/etc/passwd",
        "alpha-beta:depth=9",
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
    for (change, says) in [
        (json!({"nodes": 0}), "nodes: expected 1 to "),
        (json!({"nodes": null}), "nodes: expected 1 to "),
        (json!({"simulations": 3}), "nodes: expected 1 to "),
        (json!({"player": "rollouts"}), "simulations: expected 1 to "),
        (json!({"player": "alpha-beta", "nodes": null}), "nodes: expected 1 to "),
        (json!({"player": "greedy"}), "cannot evaluate positions"),
    ] {
        let mut body = body.clone();
        body.as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        let answer = ask(body);
        assert_eq!(answer.status, 400, "{change}");
        assert!(answer.error().contains(says), "{change}: {}", answer.error());
    }
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
fn records_go_out_and_come_in() {
    let server = Server::start(&[]);
    let game = json!({"game": {"moves": ["A3D2"]}, "white": "me", "black": "you", "resigned": "black"});
    let record = server.post("/api/record/write", &game).json()["record"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        record.contains("[White \"me\"]") && record.contains("resignation") && record.contains("1-0"),
        "{record}"
    );
    let read = server.post("/api/record/read", &json!({"record": record})).json();
    assert_eq!((&read["moves"], &read["black"]), (&json!(["A3NW"]), &json!("you")));
    let position = "abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w 0 1";
    let read = server.post("/api/record/read", &json!({"record": position})).json();
    assert_eq!(read["start"], position);
    // Lists of turns, with slashes as in positions, and in small letters.
    for (text, moves) in [
        ("1a6a7 1i4i3 A7E5/D5=2/E6=2", json!(["1A6A7", "1I4I3", "A7NW"])),
        ("a3d5 1I6I7", json!(["A3NE", "1I6I7"])),
    ] {
        let read = server.post("/api/record/read", &json!({"record": text})).json();
        assert_eq!(read["moves"], moves, "{text}");
    }
    let wrong = "abcdedcba/9/9/9/9/9/9/9/ABCDECDB w";
    let refused = server.post("/api/record/read", &json!({"record": wrong})).error();
    assert!(refused.contains("expected 9 cells in row A, found 8"), "{refused}");
    assert!(
        server
            .post("/api/record/read", &json!({"record": "1. A3A4 *"}))
            .error()
            .contains("expected")
    );
}
