//! Bad and hostile input.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::Command;
use std::thread;

use serde_json::json;

use super::server::Server;

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
            json!({"game": {}, "run": "..", "kinds": ["selfplay"]}),
            "no run",
        ),
        (
            "/api/explorer",
            json!({"game": {}, "kinds": ["fun"]}),
            "expected one of `selfplay`, `measurement`, `match`, `study`",
        ),
    ] {
        let answer = server.post(path, &body);
        assert!((400..500).contains(&answer.status), "{path} {body}");
        assert!(answer.error().contains(says), "{}", answer.error());
    }
    let headers = "Content-Type: application/json\r\n";
    for (body, status, says) in [
        (
            "{\"moves\" 1}",
            400,
            "the body is not valid JSON: expected `:` at line 1 column 10",
        ),
        ("[]", 422, "the body is not such a request: "),
        ("{\"moves\": 3}", 422, "the body is not such a request: moves: "),
        ("{\"movse\": []}", 422, "unknown field `movse`"),
        (
            "\u{0}",
            400,
            "the body is not valid JSON: expected value at line 1 column 1",
        ),
    ] {
        let answer = server.send("POST", "/api/game", headers, body);
        assert_eq!(answer.status, status, "{body}");
        assert!(answer.error().contains(says), "{}", answer.error());
    }
    // Deep nesting must not take the stack.
    let deep = "[".repeat(100_000);
    let answer = server.send("POST", "/api/game", headers, &format!("{{\"game\": {deep}"));
    assert!([400, 422].contains(&answer.status), "{}", answer.status);
    assert_eq!(server.get("/").status, 200);
    // Without the type that browsers ask for permission to send across sites.
    let plain = server.send("POST", "/api/game", "Content-Type: text/plain\r\n", "{}");
    let expected = "expected the header Content-Type: application/json";
    assert_eq!((plain.status, &*plain.error()), (415, expected));
    let get = server.get("/api/game");
    assert_eq!(
        (get.status, &*get.error()),
        (405, "expected the method in the header Allow")
    );
    assert!(get.head.to_lowercase().contains("allow: post"), "{}", get.head);
}

#[test]
fn long_games_and_huge_bodies_are_refused() {
    let server = Server::start(&[]);
    let body = "x".repeat(300 << 10);
    let answer = server.send("POST", "/api/game", "Content-Type: application/json\r\n", &body);
    assert_eq!(
        (answer.status, &*answer.error()),
        (413, "expected a body of at most 262144 bytes")
    );
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
        "/api/runs/%ff/games",
        "//etc/passwd",
        "/.git/config",
    ] {
        let answer = server.get(path);
        assert!((400..=404).contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("PRIVATE"), "{path}");
    }
    assert_eq!(server.get("/api/runs").json(), json!({"runs": []}));
}

#[test]
fn what_it_cannot_serve_ends_it_with_code_2() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (args, says) in [
        (["--runs", "no/such/folder"], "no/such/folder: expected a folder"),
        (["--agents", "no/such/folder"], "no/such/folder: expected a folder"),
        (
            ["--study", "no/such/folder"],
            "no/such/folder: expected a study's folder or its study.json",
        ),
        (["--port", &port], "choose another --port"),
        (
            ["--device", "gpu"],
            "invalid value 'gpu' for '--device <DEVICE>': expected auto, cpu, cuda or cuda:N",
        ),
        (["--device", "cuda:4096"], "error: device `cuda:4096`: "),
        (["--searches", "0"], "expected a whole number from 1 to 64"),
        (["--bind", "localhost"], "expected an IP address, such as 127.0.0.1"),
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
        "DEN.local".to_owned(),
        "den.local:8443".to_owned(),
    ] {
        assert_eq!(with(&host, ""), 200, "{host}");
        assert_eq!(with(&host, &format!("http://{host}")), 200, "{host}");
    }
    // Through a proxy that encrypts, which keeps the name of the Host or replaces it by ours.
    for host in ["den.local", &format!("127.0.0.1:{port}")] {
        assert_eq!(with(host, "https://den.local"), 200, "{host}");
        assert_eq!(with(host, "https://den.local:8443"), 200, "{host}");
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
        ("den.local", "https://den.local.evil.example"),
        ("den.local.evil.example", ""),
    ] {
        assert_eq!(with(host, origin), 403, "{host} {origin}");
    }
    // Of two headers it would be a matter of taste which one counts.
    for twice in [
        format!("Host: {ours}\r\nHost: evil.example\r\n"),
        format!("Host: {ours}\r\nOrigin: http://{ours}\r\nOrigin: http://evil.example\r\n"),
    ] {
        let request = format!("GET /api/status HTTP/1.1\r\nConnection: close\r\n{twice}\r\n");
        let status = server.raw(request.as_bytes()).status;
        assert!([400, 403].contains(&status), "{twice}: {status}");
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
    let request = |simulations: u32| {
        let body = json!({"game": {}, "player": "rollouts", "simulations": simulations}).to_string();
        let headers = "Content-Type: application/json\r\nX-Chase-Client: one\r\n";
        server.request("POST", "/api/analyse", headers, &body)
    };
    let mut long = BufReader::new(server.open(request(10_000_000).as_bytes()));
    let mut line = String::new();
    // It answers as soon as the search has its turn.
    long.read_line(&mut line).unwrap();
    let short = server.raw(request(5).as_bytes());
    let mut rest = String::new();
    long.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("\"stop\":\"stopped\""), "{line}{rest}");
    assert!(short.body.contains("\"stop\":\"simulations\""), "{}", short.body);
}

/// The most memory that a process has had, in MiB.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
}

#[cfg(target_os = "linux")]
#[test]
fn a_foreign_run_takes_no_memory() {
    use std::fs::{self, File};
    use std::os::unix::fs::symlink;
    let home = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve-foreign");
    let _ = fs::remove_dir_all(&home);
    let runs = home.join("runs");
    fs::create_dir_all(&runs).unwrap();
    let run = |name: &str| {
        fs::create_dir_all(runs.join(name)).unwrap();
        fs::write(runs.join(name).join("meta.json"), chase_fixtures::run_meta("chase")).unwrap();
        runs.join(name).join("report.html")
    };
    symlink("/dev/zero", run("endless")).unwrap();
    let made = Command::new("mkfifo").arg(run("pipe")).status().unwrap();
    assert!(made.success());
    File::create(run("huge")).unwrap().set_len(1 << 30).unwrap();
    fs::write(run("whole"), "<html>").unwrap();
    run("facts");
    let facts = File::create(runs.join("facts/meta.json")).unwrap();
    facts.set_len(1 << 30).unwrap();
    let server = Server::start(&["--runs", runs.to_str().unwrap()]);
    assert_eq!(server.get("/runs/whole/report.html").body, "<html>");
    let before = most_memory(server.process.id());
    for (name, reason) in [
        ("endless", "expected a regular file"),
        ("pipe", "expected a regular file"),
        ("huge", "expected at most 16777216 bytes, found 1073741824"),
    ] {
        let answer = server.get(&format!("/runs/{name}/report.html"));
        assert_eq!(answer.status, 404, "{name}: {}", answer.body);
        assert!(answer.error().contains(reason), "{name}: {}", answer.error());
        assert_eq!(
            server.get(&format!("/api/runs/{name}")).json()["has_report"],
            json!(name == "huge")
        );
    }
    assert_eq!(server.get("/api/status").status, 200);
    // Games of a study that never end.
    fs::create_dir_all(runs.join("study/games/round-00")).unwrap();
    fs::create_dir(runs.join("study/search")).unwrap();
    fs::write(runs.join("study/meta.json"), chase_fixtures::run_meta("chase")).unwrap();
    symlink("/dev/zero", runs.join("study/games/round-00/player-00-free.jsonl")).unwrap();
    let games = server.post("/api/explorer", &json!({"game": {}, "run": "study"}));
    assert!(games.body.contains("expected a regular file"), "{}", games.body);
    let facts = server.get("/api/runs/facts");
    assert!(
        facts.error().contains("expected at most 67108864 bytes"),
        "{}",
        facts.body
    );
    let grown = most_memory(server.process.id()) - before;
    assert!(grown < 200, "{grown} MiB");
}
