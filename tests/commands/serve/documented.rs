//! `docs/src/reference/http.md` describes every route of the server, and each is answered as it says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chase_fixtures::Nats;
use serde_json::{Value, json};

use super::books::tiny_book;
use super::runs::tiny_run;
use super::server::Server;

const PAGE: &str = include_str!("../../../docs/src/reference/http.md");
/// Fields whose own fields are named by what a run holds, not by the server.
const WITH_NAMES: [&str; 4] = ["curves", "kinds", "settings", "standings"];

/// The requests of the page, such as `GET /api/runs`, each with its row.
fn documented() -> BTreeMap<String, String> {
    let (_, table) = PAGE.split_once("| request |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| {
        let requests = row.split('|').nth(1).unwrap();
        let requests = requests.split('`').skip(1).step_by(2);
        requests.map(|request| (request.to_owned(), row.to_owned()))
    })
    .collect()
}

fn words(text: &str) -> BTreeSet<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.flat_map(|name| name.split(['.', '[', ']'])).collect()
}

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(key.clone());
                if !WITH_NAMES.contains(&key.as_str()) {
                    keys(value, found);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// A request that has an answer in JSON, and fields of the answer that the row of the page names.
struct Case {
    request: &'static str,
    path: &'static str,
    body: Value,
    fields: &'static [&'static str],
}

fn cases() -> Vec<Case> {
    let game = json!({"moves": ["A3D2"]});
    let case = |request, path, body, fields| Case {
        request,
        path,
        body,
        fields,
    };
    let status = &[
        "version",
        "games",
        "game",
        "sides",
        "first_is_dark",
        "begins_at_random",
        "players",
        "has_runs",
        "has_cluster",
        "runs",
        "limits",
        "lessons",
        "puzzles",
    ];
    let record = json!({"game": game, "white": "me", "black": "you", "resigned": "black"});
    let seen = json!({"game": {}, "run": "tiny", "kinds": ["measurement"], "player": "gen-000001"});
    let played = json!({
        "game": game, "player": "alpha-beta", "effort": {"unit": "depth", "amount": 1}, "seed": 1
    });
    vec![
        case("GET /api/status", "/api/status", json!(null), status),
        case("GET /api/status/{game}", "/api/status/stax", json!(null), status),
        case(
            "GET /api/games/{game}/rules",
            "/api/games/tetra24/rules",
            json!(null),
            &["title", "summary", "entering", "rules"],
        ),
        case("POST /api/game", "/api/game", game.clone(), &[]),
        case("POST /api/game", "/api/game", json!({"name": "stax", "seed": 3}), &[]),
        case(
            "POST /api/line",
            "/api/line",
            json!({"game": game, "line": ["I3F2"]}),
            &["plies"],
        ),
        case("POST /api/play", "/api/play", played, &["action", "text"]),
        case(
            "POST /api/occupancy",
            "/api/occupancy",
            json!({"game": game, "player": "agent:agent-41"}),
            &["cells"],
        ),
        case(
            "POST /api/puzzle",
            "/api/puzzle",
            json!({"puzzle": 0, "game": {"name": "chase", "moves": []}}),
            &["state", "reply", "line", "refutation"],
        ),
        case("POST /api/explorer", "/api/explorer", seen, &["games", "moves"]),
        case(
            "POST /api/book",
            "/api/book",
            json!({"game": game, "book": "book"}),
            &["books", "left_out", "reasons", "book", "position"],
        ),
        case(
            "POST /api/record/read",
            "/api/record/read",
            json!({"record": "A3D2", "name": "chase"}),
            &[
                "name",
                "start",
                "rules",
                "moves",
                "white",
                "black",
                "end",
                "termination",
            ],
        ),
        case("POST /api/record/write", "/api/record/write", record, &["record"]),
        case("GET /api/runs", "/api/runs", json!(null), &["runs"]),
        case(
            "GET /api/runs/{name}",
            "/api/runs/tiny",
            json!(null),
            &[
                "name",
                "game",
                "kind",
                "generation",
                "games",
                "rows",
                "seconds",
                "curves",
                "has_report",
                "standings",
            ],
        ),
        case(
            "GET /api/runs/{name}/games",
            "/api/runs/tiny/games",
            json!(null),
            &["game", "kind", "generation", "games"],
        ),
        case("GET /api/cluster", "/api/cluster", json!(null), &[]),
    ]
}

#[test]
fn every_request_is_answered_as_the_page_says() {
    let runs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve-documented");
    tiny_run(&runs.join("tiny"));
    tiny_book(&runs.join("book"));
    let nats = Nats::start();
    let server = Server::start(&[
        "--runs",
        runs.to_str().unwrap(),
        "--device",
        "cpu",
        "--cluster",
        &nats.url(),
    ]);
    let rows = documented();
    let cluster = include_str!("../../../docs/src/reference/json.md");
    let mut known = words(PAGE);
    known.extend(words(
        cluster
            .split("## `cluster status`")
            .nth(1)
            .unwrap()
            .split("\n## ")
            .next()
            .unwrap(),
    ));
    let mut asked = BTreeSet::new();
    for case in cases() {
        let (name, row) = (case.request, &rows[case.request]);
        asked.insert(name.to_owned());
        let answer = match case.body {
            Value::Null => server.get(case.path),
            body => server.post(case.path, &body),
        };
        assert_eq!(answer.status, 200, "{name}: {}", answer.body);
        let answer = answer.json();
        for field in case.fields {
            assert!(words(row).contains(field), "the row of {name} does not name `{field}`");
            assert!(answer.get(field).is_some(), "{name} has no `{field}`: {answer}");
        }
        let mut found = BTreeSet::new();
        keys(&answer, &mut found);
        let missing: Vec<&String> = found.iter().filter(|key| !known.contains(key.as_str())).collect();
        assert!(
            missing.is_empty(),
            "{name}: docs/src/reference/http.md does not name {missing:?}"
        );
    }
    // What is not JSON.
    for (name, path, begin) in [
        ("GET /", "/", "<!doctype html>"),
        ("GET /assets/{name}", "/assets/board.css", ""),
        ("GET /metrics", "/metrics", "#"),
        (
            "GET /runs/{name}/report.html",
            "/runs/tiny/report.html",
            "<!doctype html>",
        ),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{name}: {}", answer.body);
        assert!(
            !answer.body.is_empty() && answer.body.to_ascii_lowercase().starts_with(begin),
            "{name}: {}",
            answer.body
        );
        asked.insert(name.to_owned());
    }
    let body = json!({"game": {}, "player": "rollouts", "simulations": 20, "top": 2});
    let analysis = server.post("/api/analyse", &body);
    assert_eq!(analysis.status, 200, "{}", analysis.body);
    assert!(analysis.body.contains("event: report") && analysis.body.contains("\"stop\":\"simulations\""));
    asked.insert("POST /api/analyse".to_owned());
    assert_eq!(asked, rows.into_keys().collect::<BTreeSet<_>>());

    // An error says why, with a status of the page.
    for (status, answer) in [
        (400, server.post("/api/game", &json!({"moves": ["A3A4"]}))),
        (422, server.post("/api/game", &json!({"unknown": 1}))),
        (404, server.get("/api/runs/none")),
        (404, server.get("/api/nothing")),
    ] {
        assert_eq!(answer.status, status, "{}", answer.body);
        assert!(!answer.error().is_empty());
    }
}
