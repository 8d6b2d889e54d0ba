//! Who plays for `chase engine`. What it then says is tested in `tests/ugi.rs`.

use std::fs;

use chase_fixtures::TINY_NNUE_RUN;

use super::program::{home, run, text};
use super::train::TINY;

#[test]
fn without_a_player_the_built_in_agent_plays_or_the_newest_network_of_a_folder() {
    let home = home("engine");
    fs::create_dir(home.join("runs")).unwrap();
    let plays = |args: &[&str], player: &str| {
        let engine = run(&home, &[&["engine"], args].concat());
        let note = text(&engine.stderr);
        assert!(engine.status.success() && engine.stdout.is_empty(), "{note}");
        assert_eq!(note, format!("no player given: {player} plays\n"));
    };
    plays(&[], "nnue:nnue-57");
    // The run of the efficiently updatable network is the newer one, and comes first by name; then it is the older one.
    for (name, settings, player) in [
        ("b", TINY, "net:runs/b"),
        ("a", TINY_NNUE_RUN, "nnue:runs/a"),
        ("c", TINY, "net:runs/c"),
    ] {
        fs::write(home.join("settings.toml"), settings).unwrap();
        let directory = format!("runs/{name}");
        let trained = run(&home, &["train", "-q", "settings.toml", "--run-dir", &directory]);
        assert!(trained.status.success(), "{}", text(&trained.stderr));
        plays(&["--runs", "runs"], player);
        // A run that has just begun does not become the engine of a board.
        plays(&[], "nnue:nnue-57");
    }
    for (args, reason) in [
        (
            &["engine", "--game", "stax-cyl", "--runs", "runs"][..],
            "no network of stax-cyl in runs: expected a player",
        ),
        (
            &["engine", "--game", "stax-cyl"],
            "there is no built-in agent of stax-cyl: expected a player, or --runs with its network",
        ),
    ] {
        let refused = run(&home, args);
        assert_eq!(refused.status.code(), Some(2));
        assert_eq!(text(&refused.stderr), format!("error: {reason}\n"));
    }
}
