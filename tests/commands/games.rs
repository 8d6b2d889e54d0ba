//! Every registered game through the commands.

use std::path::Path;

use chase_engine::{Game, GameName, with_game};
use serde_json::Value;

use super::program::{fed, text};

fn good(folder: &Path, args: &[&str], input: &str) -> String {
    let output = fed(folder, args, input.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn bad(folder: &Path, args: &[&str]) -> String {
    let output = fed(folder, args, b"");
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    text(&output.stderr)
}

#[test]
fn every_game_is_counted_shown_listed_and_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    for &game in GameName::ALL {
        let name = game.name();
        let (start, count) = with_game!(game, G => {
            let game = G::new(&G::published_rules(&game.rules::<G>()));
            (game.position_text(), game.perft(3))
        });
        let counted = good(home, &["perft", "3", "--game", name, "--position", &start], "");
        assert_eq!(counted, format!("nodes {count}\n"), "{name}");
        let divided = good(home, &["perft", "3", "--game", name, "--divide"], "");
        assert!(divided.ends_with(&format!("nodes {count}\n")), "{name}");
        let listed: Value = serde_json::from_str(&good(home, &["moves", "--game", name, &start], "")).unwrap();
        let lines = divided.lines().count() - 1;
        assert_eq!(listed["actions"].as_array().unwrap().len(), lines, "{name}");
        assert!(
            good(home, &["show", "--game", name, "--svg", "-"], "").contains("</svg>"),
            "{name}"
        );
        let analysis = ["analyse", "uniform", "--game", name, "--simulations", "20", "--json"];
        let analysis: Value = serde_json::from_str(&good(home, &analysis, "")).unwrap();
        assert_eq!(analysis["legal_actions"], lines, "{name}");
        assert_eq!(analysis["position"], start, "{name}");
        let engine = good(
            home,
            &["engine", "random", "--game", name],
            "ugi\nisready\ngo nodes 1\nquit\n",
        );
        assert!(
            engine.contains("ugiok\nreadyok\n") && engine.contains("\nbestmove "),
            "{name}: {engine}"
        );
    }
}

#[test]
fn positions_without_counters_lead_to_positions_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let input = "8/8/8/8/7m/M7/8/8 d -\n8/8/8/8/7m/M7/8/8 d - 3 9\nnonsense\n";
    let output = fed(folder.path(), &["moves", "--game", "checkers-cyl"], input.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let lines: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let result = |line: usize| lines[line]["actions"][0]["result"].as_str().unwrap().to_owned();
    assert_eq!(result(0), "8/8/8/6M1/8/8/8/8 l -");
    assert_eq!(result(1), "8/8/8/6M1/8/8/8/8 l - 0 9");
    assert!(
        lines[2]["error"].as_str().unwrap().contains("light cell"),
        "{}",
        lines[2]
    );
    // By the rules alone: a blocked side has lost, and nothing is a draw.
    let lost = good(
        folder.path(),
        &["moves", "--game", "checkers", "8/8/8/8/1m6/m7/8/8 d -"],
        "",
    );
    assert!(lost.contains("\"outcome\":\"light\""), "{lost}");
}

#[test]
fn a_person_plays_draughts_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "random", "--game", "checkers-num", "--seed", "3"];
    let said = good(
        folder.path(),
        &args,
        "moves\n1\nrecord\nundo\nsave game.txt\nhint 5\nresign\nundo\nload game.txt\nmoves c3\nswap\nnew\nquit\n",
    );
    assert!(said.starts_with("You play Dark against random (Light)."), "{said}");
    assert!(said.contains("\n   1  c3-b4\n"), "{said}");
    assert!(
        said.contains("Dark plays c3-b4\n") && said.contains("Light plays "),
        "{said}"
    );
    assert!(
        said.contains("[Dark \"person\"]") && said.contains("[Result \"*\"]"),
        "{said}"
    );
    assert!(said.contains("best: "), "{said}");
    assert!(said.contains("Light has won by resignation: you lose"), "{said}");
    assert!(said.contains("you play Light now"), "{said}");
    let saved = std::fs::read_to_string(folder.path().join("game.txt")).unwrap();
    assert!(saved.contains("[Position \"") && !saved.contains("c3-b4"), "{saved}");
    let output = fed(folder.path(), &args, b"a1-a8\n");
    assert_eq!(
        output.status.code(),
        Some(2),
        "what is not understood is told at the end"
    );
}

#[test]
fn a_game_is_kept_in_a_file_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    for name in [
        "connect-four",
        "stax",
        "queens-uni-num",
        "moves23",
        "tetra24",
        "lines9",
        "tricolour",
    ] {
        let file = &*format!("{name}.txt");
        let play = |more: &[&str], input: &str| {
            let args = [&["play", "random", "--seed", "5", "--record", file], more].concat();
            good(home, &args, input)
        };
        let kept = || std::fs::read_to_string(home.join(file)).unwrap();
        // In one go, and in two parts, the second of which finds the game and the side in the file.
        play(&["--game", name, "--black"], "1\n1\n1\n");
        let whole = kept();
        std::fs::remove_file(home.join(file)).unwrap();
        play(&["--game", name, "--black"], "1\n");
        assert!(kept().contains(&format!("[Game \"{name}\"]\n")), "{}", kept());
        play(&[], "1\n1\n");
        assert_eq!(kept(), whole);
        // What is taken back is taken out of the file.
        play(&[], "undo\n");
        assert!(kept().len() < whole.len(), "{}", kept());
    }
    std::fs::write(home.join("thesis.txt"), "years of work").unwrap();
    for (args, says) in [
        (
            &["--record", "stax.txt", "--game", "queens"][..],
            "a record of stax, expected a record of queens",
        ),
        (
            &["--record", "stax.txt", "--rules", "repetition 2, quiet off, length off"],
            "leave out --position and --rules",
        ),
        (
            &["--record", "thesis.txt", "--game", "stax"],
            "is not a record of a game of stax",
        ),
        (
            &["--record", "no/such/folder.txt", "--game", "stax"],
            "the game is not saved",
        ),
    ] {
        let said = bad(home, &[&["play", "random"], args].concat());
        assert!(said.contains(says), "{args:?}: {said}");
    }
    assert_eq!(
        std::fs::read_to_string(home.join("thesis.txt")).unwrap(),
        "years of work"
    );
}

/// Settings of a run that takes seconds.
const SETTINGS: [&str; 16] = [
    "limits.generations=1",
    "selfplay.games=4",
    "selfplay.group_games=4",
    "selfplay.in_flight=4",
    "search.simulations=4",
    "search.fast_simulations=2",
    "rules.max_turns=20",
    "network.blocks=1",
    "network.channels=8",
    "network.pooling=0",
    "measurement.games=2",
    "measurement.simulations=2",
    "evaluation.games=2",
    "evaluation.simulations=2",
    "evaluation.opponents=['random']",
    "learner.batch=16",
];

/// Trains a network of a game in the folder `run`.
fn train(home: &Path, game: &str) {
    let mut args = vec!["train", "--game", game, "--run-dir", "run", "--quiet"];
    args.extend(SETTINGS.iter().flat_map(|setting| ["--set", setting]));
    good(home, &args, "");
}

/// From training to a match and back to people.
#[test]
fn a_network_of_stax_is_trained_rated_matched_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    train(home, "stax-uni-num");
    let written = std::fs::read_to_string(home.join("run/config.toml")).unwrap();
    assert!(
        written.contains("game = \"stax-uni-num\"") && written.contains("wrap_rows = true"),
        "{written}"
    );
    let rated = good(
        home,
        &["evaluate", "run", "--games", "2", "--opponent", "random", "--json"],
        "",
    );
    assert!(rated.contains("\"baseline\": \"random\""), "{rated}");
    // The game is that of the network.
    let matched = [
        "match",
        "net:run,simulations=2",
        "random",
        "--pairs",
        "1",
        "--run-dir",
        "m",
        "--quiet",
    ];
    good(home, &matched, "");
    assert!(
        std::fs::read_to_string(home.join("m/config.toml"))
            .unwrap()
            .starts_with("game = \"stax-uni-num\"")
    );
    let records = good(home, &["export", "run"], "");
    assert_eq!(records.matches("[Position \"").count(), 4, "{records}");
    // Another variant is refused with both names.
    let refused = bad(
        home,
        &["match", "net:run", "random", "--game", "stax-uni", "--pairs", "1"],
    );
    assert!(
        refused.contains("`game` is stax-uni-num, expected stax-uni"),
        "{refused}"
    );
    let refused = bad(home, &["analyse", "run", "--game", "chase"]);
    assert!(refused.contains("`game` is stax-uni-num, expected chase"), "{refused}");
}

#[test]
fn networks_of_placement_games_are_trained_matched_and_exported() {
    for (game, hexagonal) in [
        ("moves23", true),
        ("tetra24", true),
        ("lines9", false),
        ("tricolour", true),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path();
        train(home, game);
        let written = std::fs::read_to_string(home.join("run/config.toml")).unwrap();
        for setting in [format!("hex = {hexagonal}"), "quiet_turns = 0".to_owned()] {
            assert!(written.contains(&setting), "{game}: {setting} in {written}");
        }
        let rated = ["evaluate", "run", "--games", "2", "--opponent", "random", "--json"];
        assert!(good(home, &rated, "").contains("\"baseline\": \"random\""), "{game}");
        let pairs = ["--pairs", "1", "--run-dir", "m", "--quiet"];
        good(
            home,
            &[&["match", "net:run,simulations=2", "random"][..], &pairs].concat(),
            "",
        );
        let conditions = std::fs::read_to_string(home.join("m/config.toml")).unwrap();
        assert!(conditions.starts_with(&format!("game = \"{game}\"")), "{conditions}");
        assert!(conditions.contains("quiet_turns = 0\nmax_turns = 200"), "{conditions}");
        let records = good(home, &["export", "run"], "");
        assert_eq!(records.matches(&format!("[Game \"{game}\"]")).count(), 4, "{records}");
        let refused = bad(home, &["match", "greedy", "random", "--game", game, "--pairs", "1"]);
        let expected = format!("player `greedy`: there is no heuristic for {game}: expected random, rollouts");
        assert!(refused.contains(&expected), "{refused}");
        let refused = bad(home, &["train", "--game", game, "--set", "rules.quiet_turns=9"]);
        assert!(
            refused.contains(&format!("rules.quiet_turns is 9, expected 0: {game} does not count")),
            "{refused}"
        );
    }
}

#[test]
fn a_person_plays_stones_through_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "random", "--game", "tricolour", "--seed", "3"];
    let said = good(folder.path(), &args, "m5\nrecord\nundo\nhint 5\nquit\n");
    assert!(said.contains("o places the first stone"), "{said}");
    assert!(said.contains("First plays m5") && said.contains("best: "), "{said}");
    assert!(said.contains("[First \"person\"]"), "{said}");
    let engine = good(
        folder.path(),
        &["engine", "random", "--game", "tricolour"],
        "ugi\nquit\n",
    );
    assert!(
        engine.contains("option name MaxTurns type spin default 200 "),
        "{engine}"
    );
}

#[test]
fn unknown_games_are_told_with_those_there_are() {
    let folder = tempfile::tempdir().unwrap();
    for command in [
        &["perft", "1"][..],
        &["show"],
        &["train"],
        &["analyse"],
        &["play"],
        &["engine", "random"],
    ] {
        let told = bad(folder.path(), &[command, &["--game", "shogi"]].concat());
        assert!(
            told.contains("unknown game `shogi`: expected chase, connect-four, chess, chess-cyl, checkers"),
            "{told}"
        );
    }
    let told = bad(folder.path(), &["show", "--game", "stax", "--attacks", "white"]);
    assert!(
        told.contains("--attacks is for pictures of chase only, not of stax"),
        "{told}"
    );
}
