//! Who plays for `chase engine`. What it then says is tested in `tests/ugi.rs`.

use std::fs;

use chase_fixtures::TINY_NNUE_RUN;

use super::program::{home, run, text};
use super::train::TINY;

#[test]
fn without_a_player_the_newest_network_of_either_kind_plays() {
    let home = home("engine");
    fs::create_dir(home.join("runs")).unwrap();
    let plays = |args: &[&str], player: &str| {
        let engine = run(&home, &[&["engine"], args].concat());
        let note = text(&engine.stderr);
        assert!(engine.status.success() && engine.stdout.is_empty(), "{note}");
        assert_eq!(note, format!("no player given: {player} plays\n"));
    };
    plays(&[], "nnue:nnue-57");
    plays(&["--runs", "runs"], "nnue:nnue-57");
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
        plays(&[], player);
    }
    let refused = run(&home, &["engine", "--game", "stax-cyl"]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        text(&refused.stderr),
        "error: no network of stax-cyl in runs: expected a player\n"
    );
}

#[test]
fn who_cannot_play_is_refused() {
    let home = home("engine-refused");
    for (args, reason) in [
        (&["nobody"][..], "unknown player `nobody`"),
        (&["net:no/such/run"], "no/such/run"),
        (
            &["--runs", "no/such/folder"],
            "--runs no/such/folder: expected a folder",
        ),
        (&["random", "--device", "abacus"], "abacus"),
    ] {
        let refused = run(&home, &[&["engine"], args].concat());
        let error = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{error}");
        assert!(error.contains(reason), "{error}");
    }
}
