//! `chase serve` as browsers, and worse, meet it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// A server of its own, which ends with the test.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {} {}", self.status, self.body))
    }

    fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
        command.args(["serve", "--port", "0"]).args(args);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/');
        Self {
            address: address.parse().unwrap(),
            process,
        }
    }

    /// Sends bytes as they are.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        // A server that refuses a request need not read all of it.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Answer {
            status: status.unwrap_or_else(|| panic!("no answer: {answer:?}")),
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        }
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let host = self.address;
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        );
        self.raw(request.as_bytes())
    }

    fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, "Content-Type: application/json\r\n", &body.to_string())
    }
}

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
fn it_works_without_networks_and_says_so() {
    let status = Server::start(&[]).get("/api/status").json();
    assert_eq!(status["has_runs"], json!(false));
    let players: Vec<_> = status["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["id"].clone())
        .collect();
    assert_eq!(players, ["alpha-beta", "rollouts", "greedy", "random"]);
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
        "net:/etc/passwd",
        "alpha-beta:depth=9",
        "ugi:command=touch x",
    ] {
        assert_eq!(ask(player, json!(null), 1).status, 404, "{player}");
    }
}

#[test]
fn an_analysis_is_a_stream_of_reports_with_the_end_last() {
    let server = Server::start(&[]);
    let body = json!({"game": {"moves": ["A3NW"]}, "player": "rollouts", "simulations": 60, "top": 3});
    let answer = server.post("/api/analyse", &body);
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("text/event-stream"));
    let data: Vec<&str> = answer
        .body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .collect();
    let last: Value = serde_json::from_str(data.last().unwrap()).unwrap();
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
    assert!(
        server
            .post("/api/record/read", &json!({"record": "1. A3A4 *"}))
            .error()
            .contains("expected")
    );
}

#[test]
fn bad_input_is_told_what_was_expected() {
    let server = Server::start(&[]);
    for (path, body, says) in [
        ("/api/game", json!({"moves": ["A3A4"]}), "move 1, \"A3A4\""),
        ("/api/game", json!({"moves": ["A3D2", "A1D2"]}), "move 2"),
        ("/api/game", json!({"start": "nonsense"}), "expected"),
        (
            "/api/game",
            json!({"start": "9/9/9/9/9/9/9/9/9 w", "moves": ["A1NE"]}),
            "not a legal position",
        ),
        ("/api/game", json!({"rules": "repetition never"}), "expected"),
        (
            "/api/record/write",
            json!({"game": {}, "resigned": "grey"}),
            "expected white or black",
        ),
        (
            "/api/explorer",
            json!({"game": {}, "run": "..", "purpose": "selfplay"}),
            "no run",
        ),
        (
            "/api/explorer",
            json!({"game": {}, "run": "x", "purpose": "fun"}),
            "selfplay or measurement",
        ),
    ] {
        let answer = server.post(path, &body);
        assert!((400..500).contains(&answer.status), "{path} {body}");
        assert!(answer.error().contains(says), "{}", answer.error());
    }
    let headers = "Content-Type: application/json\r\n";
    for (body, status) in [
        ("{", 400),
        ("[]", 422),
        ("{\"moves\": 3}", 422),
        ("{\"movse\": []}", 422),
        ("\u{0}", 400),
    ] {
        let answer = server.send("POST", "/api/game", headers, body);
        assert_eq!(answer.status, status, "{body}");
        assert!(!answer.error().is_empty());
    }
    // Deep nesting must not take the stack.
    let deep = "[".repeat(100_000);
    let answer = server.send("POST", "/api/game", headers, &format!("{{\"game\": {deep}"));
    assert!([400, 422].contains(&answer.status), "{}", answer.status);
    assert_eq!(server.get("/").status, 200);
    // Without the type that browsers ask for permission to send across sites.
    assert_eq!(
        server
            .send("POST", "/api/game", "Content-Type: text/plain\r\n", "{}")
            .status,
        415
    );
    assert_eq!(server.get("/api/game").status, 405);
}

#[test]
fn long_games_and_huge_bodies_are_refused() {
    let server = Server::start(&[]);
    let body = "x".repeat(300 << 10);
    let answer = server.send("POST", "/api/game", "Content-Type: application/json\r\n", &body);
    assert_eq!(answer.status, 413);
    // A length that is not true, and one that nobody has memory for.
    let lie = format!(
        "POST /api/game HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n",
        server.address
    );
    assert_eq!(server.raw(lie.as_bytes()).status, 413);
    // Rules without draws let two dice go back and forth for ever.
    let cycle = ["A1NW", "I1SW", "B1SE", "H1NE"];
    let moves: Vec<_> = cycle.iter().cycle().take(2400).collect();
    let game = json!({"rules": "repetition off, quiet off, length off", "moves": moves});
    let answer = server.post("/api/game", &game);
    assert_eq!(answer.status, 400, "{}", answer.body);
    assert!(answer.error().contains("at most 2000 plies"), "{}", answer.error());
}

#[test]
fn nothing_but_its_own_files_is_served() {
    let runs = tempfile(&[("secret/report.html", "PRIVATE"), ("secret.txt", "PRIVATE")]);
    let server = Server::start(&["--runs", runs.to_str().unwrap()]);
    for path in [
        "/assets/../serve.rs",
        "/assets/..%2fserve.rs",
        "/assets/%2e%2e/%2e%2e/Cargo.toml",
        "/assets//etc/passwd",
        "/assets/main.js%00.css",
        "/runs/secret/report.html",
        "/runs/../secret.txt/report.html",
        "/runs/..%2f..%2fetc/report.html",
        "/api/runs/..%2f",
        "/api/runs/%2e%2e",
        "/api/runs/%ff/events",
        "//etc/passwd",
        "/.git/config",
    ] {
        let answer = server.get(path);
        assert!((400..=404).contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("PRIVATE"), "{path}");
    }
    assert_eq!(server.get("/api/runs").json(), json!({"runs": []}));
}

/// A run of one generation of four short games, with a network that knows nothing.
fn tiny_run(folder: &std::path::Path) {
    let _ = std::fs::remove_dir_all(folder);
    let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
    command.args(["train", "--quiet", "--run-dir"]).arg(folder);
    for setting in [
        "limits.generations=1",
        "rules.max_turns=30",
        "evaluation.every=0",
        "measurement.every=1",
        "measurement.games=4",
        "selfplay.games=4",
        "selfplay.group_games=4",
        "selfplay.in_flight=4",
        "selfplay.random_opening_share=0",
        "search.simulations=2",
        "search.fast_simulations=1",
        "network.blocks=1",
        "network.pooling=0",
        "network.channels=8",
        "network.policy_channels=8",
        "network.value_channels=4",
    ] {
        command.args(["--set", setting]);
    }
    let trained = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(trained.status.success(), "{}", String::from_utf8_lossy(&trained.stderr));
}

#[test]
fn a_run_is_played_against_explored_replayed_and_followed() {
    let runs = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve-trained");
    tiny_run(&runs.join("tiny"));
    let server = Server::start(&["--runs", runs.to_str().unwrap(), "--device", "cpu"]);
    let status = server.get("/api/status").json();
    assert_eq!(
        (&status["players"][0]["id"], &status["has_runs"]),
        (&json!("net:tiny"), &json!(true))
    );
    // The network plays, and is asked for its opinion.
    for effort in [
        json!({"unit": "simulations", "amount": 3}),
        json!({"unit": "milliseconds", "amount": 20}),
    ] {
        let answer = server.post(
            "/api/play",
            &json!({"game": {}, "player": "net:tiny", "effort": effort}),
        );
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    let body = json!({"game": {}, "player": "net:tiny", "simulations": 4});
    assert!(
        server
            .post("/api/analyse", &body)
            .body
            .contains("\"stop\":\"simulations\"")
    );
    // Games of generations 0 and 1, whose first moves add up.
    let explore = |purpose: &str| server.post("/api/explorer", &json!({"game": {}, "run": "tiny", "purpose": purpose}));
    let mut answer = explore("measurement").json();
    while answer["more"] == json!(true) {
        answer = explore("measurement").json();
    }
    let first: u64 = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|explored| explored["tally"]["games"].as_u64().unwrap())
        .sum();
    assert_eq!((&answer["games"], first), (&json!(8), 8));
    assert!(answer["moves"][0]["class"].is_string());
    let latest = server.get("/api/runs/tiny/games").json();
    assert_eq!(
        (&latest["generation"], latest["games"].as_array().unwrap().len()),
        (&json!("gen-000001"), 4)
    );
    let game = &latest["games"][0];
    let view = server
        .post(
            "/api/game",
            &json!({"start": game["start"], "rules": game["rules"], "moves": game["moves"]}),
        )
        .json();
    assert_eq!(
        (&view["end"]["result"], &view["end"]["reason"]),
        (&game["result"], &game["reason"])
    );
    let details = server.get("/api/runs/tiny").json();
    assert_eq!(
        (&details["generation"], &details["games"], &details["has_report"]),
        (&json!(1), &json!(4), &json!(true))
    );
    assert!(details["curves"]["learner loss/total"].is_array(), "{details}");
    let report = server.get("/runs/tiny/report.html");
    assert!(
        report.body.contains("<html") && report.head.contains("sandbox"),
        "{}",
        report.head
    );
    // The first event comes at once, and the stream stays open.
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    write!(
        stream,
        "GET /api/runs/tiny/events HTTP/1.1\r\nHost: {}\r\n\r\n",
        server.address
    )
    .unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "event: changed"));
    // The run itself can be the folder.
    let server = Server::start(&["--runs", runs.join("tiny").to_str().unwrap(), "--device", "cpu"]);
    assert_eq!(server.get("/api/runs").json(), json!({"runs": ["tiny"]}));
}

#[test]
fn what_it_cannot_serve_ends_it_with_code_2() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (args, says) in [
        (["--runs", "no/such/folder"], "no/such/folder: expected a folder"),
        (["--port", &port], "choose another --port"),
        (["--device", "gpu"], "expected `auto`, `cpu`"),
        (["--searches", "0"], "0 is not in 1..=64"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
        let ended = command.arg("serve").args(args).output().unwrap();
        let error = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{error}");
        assert!(error.contains(says), "{error}");
    }
}

/// A folder with files, which goes with the test's other output.
fn tempfile(files: &[(&str, &str)]) -> std::path::PathBuf {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve-runs");
    for (name, content) in files {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, content).unwrap();
    }
    folder
}

#[test]
fn other_sites_and_names_are_refused() {
    let server = Server::start(&["--allow-host", "Den.local"]);
    let port = server.address.port();
    let with = |host: &str, origin: &str| {
        let origin = if origin.is_empty() {
            String::new()
        } else {
            format!("Origin: {origin}\r\n")
        };
        let request = format!("GET /api/status HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{origin}\r\n");
        server.raw(request.as_bytes()).status
    };
    for host in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("[::1]:{port}"),
        format!("den.local:{port}"),
    ] {
        assert_eq!(with(&host, ""), 200, "{host}");
        assert_eq!(with(&host, &format!("http://{host}")), 200, "{host}");
    }
    let ours = format!("localhost:{port}");
    // A name that was made to point here, and pages of others, of other ports, and of nobody.
    for (host, origin) in [
        ("evil.example", ""),
        ("localhost", ""),
        ("localhost.evil.example:80", ""),
        (&*ours, "http://evil.example"),
        (&*ours, "http://localhost"),
        (&*ours, "http://localhost:1"),
        (&*ours, "null"),
        (&*ours, &*format!("https://{ours}")),
    ] {
        assert_eq!(with(host, origin), 403, "{host} {origin}");
    }
    let without = server.raw(b"GET /api/status HTTP/1.0\r\n\r\n").status;
    assert!([400, 403].contains(&without), "{without}");
}

#[test]
fn hundreds_of_requests_at_once_are_answered_or_turned_away() {
    let server = Server::start(&["--searches", "1"]);
    let play = json!({"game": {}, "player": "rollouts", "effort": {"unit": "simulations", "amount": 20}}).to_string();
    let statuses: Vec<u16> = thread::scope(|scope| {
        let server = &server;
        let play = &play;
        let asked: Vec<_> = (0..300)
            .map(|index| {
                scope.spawn(move || {
                    // Every third request is a search, each of another page.
                    if index % 3 == 0 {
                        let headers = format!("Content-Type: application/json\r\nX-Chase-Client: {index}\r\n");
                        server.send("POST", "/api/play", &headers, play).status
                    } else {
                        server.post("/api/game", &json!({"moves": ["A3D2"]})).status
                    }
                })
            })
            .collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert!(
        statuses.iter().all(|status| [200, 503].contains(status)),
        "{statuses:?}"
    );
    assert!(
        statuses.iter().filter(|&&status| status == 200).count() >= 100,
        "{statuses:?}"
    );
    // And it is there for the next one.
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_newer_analysis_of_a_page_ends_the_older_one() {
    let server = Server::start(&[
        "--searches",
        "2",
        "--max-simulations",
        "10000000",
        "--max-seconds",
        "600",
    ]);
    let analyse = |simulations: u32| {
        let body = json!({"game": {}, "player": "rollouts", "simulations": simulations}).to_string();
        server.send(
            "POST",
            "/api/analyse",
            "Content-Type: application/json\r\nX-Chase-Client: one\r\n",
            &body,
        )
    };
    let (long, short) = thread::scope(|scope| {
        let long = scope.spawn(|| analyse(10_000_000));
        thread::sleep(Duration::from_millis(300));
        let short = analyse(5);
        (long.join().unwrap(), short)
    });
    assert!(long.body.contains("\"stop\":\"stopped\""), "{}", long.body);
    assert!(short.body.contains("\"stop\":\"simulations\""), "{}", short.body);
}
