//! What is shown of training runs.

use std::process::Command;

use serde_json::{Value, json};

use super::server::Server;
use crate::program;

/// A run of one generation of four short games, with a network that knows nothing.
pub(super) fn tiny_run(folder: &std::path::Path) {
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
    // Started where there is a folder of that name, it needs no option to show the runs in it.
    let home = program::home("serve-trained-home");
    let empty = Server::start_in(&home, &[]).get("/api/status").json();
    assert_eq!(empty["has_runs"], json!(false));
    std::os::unix::fs::symlink(&runs, home.join("runs")).unwrap();
    let found = Server::start_in(&home, &["--device", "cpu"]).get("/api/status").json();
    let server = Server::start(&["--runs", runs.to_str().unwrap(), "--device", "cpu"]);
    let status = server.get("/api/status").json();
    assert_eq!(found, status);
    assert_eq!(
        (&status["players"][2]["id"], &status["has_runs"]),
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
    let explore = |request: Value| server.explore(&request);
    let answer = explore(json!({"game": {}, "run": "tiny", "kinds": ["measurement"]}));
    let first: u64 = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|explored| explored["tally"]["games"].as_u64().unwrap())
        .sum();
    assert_eq!((&answer["games"], first), (&json!(8), 8));
    assert!(answer["moves"][0]["class"].is_string());
    // By checkpoint and by kind.
    assert_eq!(answer["kinds"], json!({"measurement": 8, "selfplay": 4}));
    assert_eq!(answer["players"], json!([["gen-000001", 4], ["gen-000000", 4]]));
    let one = explore(json!({"game": {}, "run": "tiny", "player": "gen-000000"}));
    assert_eq!((&one["games"], &one["left_out"]), (&json!(8), &json!(0)));
    let of = |by: &Value| (by["run"].clone(), by["player"].clone(), by["kind"].clone());
    for by in one["moves"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|one| one["by"].as_array().unwrap())
    {
        assert_eq!((of(by).0, of(by).1), (json!("tiny"), json!("gen-000000")));
    }
    assert_eq!(explore(json!({"game": {}}))["games"], json!(12));
    // Older checkpoints play too; those that are not there do not.
    assert_eq!(status["players"][2]["checkpoints"], json!(["gen-000001", "gen-000000"]));
    for (player, status) in [
        ("net:tiny/gen-000000", 200),
        ("net:tiny/gen-000007", 404),
        ("net:tiny/", 404),
        ("net:tiny/../checkpoints/gen-000000", 404),
    ] {
        let effort = json!({"unit": "simulations", "amount": 3});
        let answer = server.post("/api/play", &json!({"game": {}, "player": player, "effort": effort}));
        assert_eq!(answer.status, status, "{player}: {}", answer.body);
        let answer = server.post("/api/analyse", &json!({"game": {}, "player": player, "simulations": 3}));
        assert_eq!(answer.status, status, "{player}: {}", answer.body);
    }
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
        [
            &details["kind"],
            &details["generation"],
            &details["games"],
            &details["has_report"],
        ],
        [&json!("residual"), &json!(1), &json!(4), &json!(true)]
    );
    assert!(details["curves"]["learner loss/total"].is_array(), "{details}");
    let report = server.get("/runs/tiny/report.html");
    assert!(
        report.body.contains("<html") && report.head.contains("sandbox"),
        "{}",
        report.head
    );
    // The run itself can be the folder.
    let server = Server::start(&["--runs", runs.join("tiny").to_str().unwrap(), "--device", "cpu"]);
    assert_eq!(server.get("/api/runs").json(), json!({"runs": ["tiny"]}));
}

#[test]
fn runs_are_listed_newest_first_and_matches_have_standings() {
    let runs = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve-matches");
    let _ = std::fs::remove_dir_all(&runs);
    for name in ["a-first", "b-second"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
        command.args(["match", "random", "greedy", "--game", "stax", "--pairs", "1"]);
        command
            .args(["--openings", "random:plies=2", "--run-dir"])
            .arg(runs.join(name));
        let played = command.output().unwrap();
        assert!(
            played.status.code() != Some(2),
            "{}",
            String::from_utf8_lossy(&played.stderr)
        );
    }
    let server = Server::start(&["--runs", runs.to_str().unwrap()]);
    assert_eq!(server.get("/api/runs").json()["runs"], json!(["b-second", "a-first"]));
    let details = server.get("/api/runs/a-first").json();
    assert_eq!((&details["kind"], &details["games"]), (&json!("match"), &json!(2)));
    let standings = &details["standings"];
    assert_eq!(
        (&standings["games"], &standings["of"]),
        (&json!(2), &json!(2)),
        "{details}"
    );
    let names: Vec<&Value> = standings["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| &player["name"])
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn runs_say_of_which_kind_they_are_and_how_many_games_they_have() {
    let runs = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve-kinds");
    let _ = std::fs::remove_dir_all(&runs);
    std::fs::create_dir_all(&runs).unwrap();
    let chase = |args: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
        let output = command.args(args.split(' ')).current_dir(&runs).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    // Two whole groups, and one of a single game.
    chase(
        "selfplay agent-41 --games 5 --simulations 2 --set rules.max_turns=8 --set selfplay.group_games=2 --set selfplay.in_flight=2 --quiet --run-dir data",
    );
    std::fs::write(runs.join("nnue.toml"), chase_fixtures::TINY_NNUE_RUN).unwrap();
    chase("train nnue.toml --run-dir second --quiet");
    let run = |name: &str, mark: &str| {
        std::fs::create_dir_all(runs.join(name).join(mark)).unwrap();
        std::fs::write(runs.join(name).join("meta.json"), chase_fixtures::run_meta("chase")).unwrap();
        std::fs::write(runs.join(name).join("config.toml"), "").unwrap();
    };
    run("compared", "agents");
    run("openings", "search");
    let games = runs.join("openings/games/round-00");
    std::fs::create_dir_all(&games).unwrap();
    // A third game is being written.
    std::fs::write(games.join("player-00-free.jsonl"), "{}\n{}\n{").unwrap();
    let server = Server::start(&["--runs", runs.to_str().unwrap(), "--device", "cpu"]);
    for (name, kind, games) in [
        ("data", "data set", 5),
        ("second", "nnue", 2),
        ("compared", "balance", 0),
        ("openings", "study", 2),
    ] {
        let details = server.get(&format!("/api/runs/{name}")).json();
        assert_eq!(
            (&details["kind"], &details["games"]),
            (&json!(kind), &json!(games)),
            "{name}"
        );
    }
    // An efficiently updatable network plays, for a time.
    let players = server.get("/api/status").json()["players"].clone();
    let second = players
        .as_array()
        .unwrap()
        .iter()
        .find(|player| player["id"] == "nnue:second");
    assert_eq!(second.unwrap()["efforts"][0]["unit"], "milliseconds");
    for player in ["nnue:second", "nnue:nnue-57", "nnue-57"] {
        let body = json!({"game": {}, "player": player, "effort": {"unit": "milliseconds", "amount": 20}});
        let answer = server.post("/api/play", &body);
        assert_eq!(answer.status, 200, "{player}: {}", answer.body);
    }
    // It analyses too, by nodes.
    let body = json!({"game": {}, "player": "nnue:second", "nodes": 500});
    let answer = server.post("/api/analyse", &body);
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert!(answer.body.contains("\"stop\":\"nodes\""), "{}", answer.body);
}

#[test]
fn a_cluster_whose_server_is_not_there_is_an_error_of_the_answer_only() {
    let server = Server::start(&["--cluster", "nats://127.0.0.1:1"]);
    assert_eq!(server.get("/api/status").json()["has_cluster"], json!(true));
    for _ in 0..2 {
        let answer = server.get("/api/cluster");
        assert_eq!(answer.status, 500);
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("cannot use the server nats://127.0.0.1:1"), "{error}");
    }
    let without = Server::start(&[]);
    assert_eq!(without.get("/api/status").json()["has_cluster"], json!(false));
    assert_eq!(without.get("/api/cluster").status, 404);
}

#[test]
fn prometheus_reads_which_workers_there_are() {
    let nats = chase_fixtures::Nats::start();
    let url = nats.url();
    let mut worker = Command::new(env!("CARGO_BIN_EXE_chase"));
    worker
        .args(["worker", &url, "--threads", "3", "--quiet"])
        .current_dir(env!("CARGO_TARGET_TMPDIR"));
    let mut worker = worker.spawn().unwrap();
    let server = Server::start(&["--cluster", &url]);
    // It says so when it has begun.
    let answer = chase_fixtures::wait_for("the metrics of the worker", || {
        let answer = server.get("/metrics");
        match answer.status != 200 || answer.body.contains("chase_worker_threads{") {
            true => Ok(answer),
            false => Err(answer.body),
        }
    });
    worker.kill().unwrap();
    worker.wait().unwrap();
    assert!(
        answer.head.contains("application/openmetrics-text; version=1.0.0"),
        "{}",
        answer.head
    );
    let threads = answer
        .body
        .lines()
        .find(|line| line.starts_with("chase_worker_threads{"));
    let threads = threads.unwrap_or_else(|| panic!("{}", answer.body));
    assert!(threads.ends_with("device=\"cpu\"} 3.0"), "{threads}");
    assert!(answer.body.ends_with("# EOF\n"), "{}", answer.body);
    assert_eq!(Server::start(&[]).get("/metrics").status, 404);
}
