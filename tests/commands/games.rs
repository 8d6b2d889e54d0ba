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
fn a_game_is_kept_in_a_file_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    for name in ["connect-four", "stax", "queens-uni-num", "tricolour"] {
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
