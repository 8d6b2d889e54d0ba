//! `chase show` as a person meets it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn show(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
    command.arg("show").args(args).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_initial_position_is_the_default_and_a_pipe_gets_no_colours() {
    let shown = show(&[]);
    assert!(shown.status.success());
    assert_eq!(
        std::str::from_utf8(&shown.stdout).unwrap(),
        include_str!("../engine/tests/pictures/initial.txt")
    );
    // The position as an option, as in other commands.
    let option = show(&["--position", "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w"]);
    assert_eq!(option.stdout, shown.stdout);
    let painted = show(&["--color", "always"]);
    assert!(painted.stdout.contains(&0x1b));
}

#[test]
fn an_action_is_played_and_marked() {
    let shown = show(&[
        "2f2f3/9/7F1/1d7/8d/9/8e/2E6/1E3DE2 b 7 31",
        "--last",
        "F2NW",
        "--attacks",
        "white",
    ]);
    assert_eq!(
        String::from_utf8(shown.stdout).unwrap(),
        include_str!("../engine/tests/pictures/middle.txt")
    );
}

#[test]
fn a_picture_is_written_whole_and_leaves_nothing_else() {
    let folder = folder("show-svg");
    let file = folder.join("board.svg");
    let shown = show(&["--svg", file.to_str().unwrap()]);
    assert!(shown.status.success() && shown.stdout.is_empty());
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        include_str!("../engine/doc/initial.svg")
    );
    // A folder cannot be replaced by a file: the part that was written has to go again.
    let taken = folder.join("taken");
    fs::create_dir(&taken).unwrap();
    let shown = show(&["--svg", taken.to_str().unwrap()]);
    assert_eq!(shown.status.code(), Some(2));
    assert!(String::from_utf8(shown.stderr).unwrap().contains("cannot write"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    let piped = show(&[
        "--svg",
        "-",
        "--arrow",
        "A3NW,value=0.5,label=50%",
        "--arrow",
        "A1-A9",
        "--heat",
        "C4=1,x",
    ]);
    let text = String::from_utf8(piped.stdout).unwrap();
    assert!(text.contains("50%") && text.contains(">x</text>") && text.contains("arrow plain"));
}

#[test]
fn what_cannot_be_drawn_is_refused_with_the_reason() {
    for (args, reason) in [
        (&["abc w"][..], "row I"),
        (&["9/9/9/9/9/9/9/9/9 w"], "not a legal position"),
        (&["--position", "abc w"], "row I"),
        (&["abc w", "--position", "abc w"], "row I"),
        (&["--last", "A5"], "expected the cell"),
        (&["--last", "I5SE"], "the die on I5 is not white's"),
        (&["--svg", "-", "--arrow", "A3-J9"], "expected a cell"),
        (&["--svg", "-", "--arrow", "B3NW"], "no die"),
        (&["--svg", "-", "--arrow", "A3NW,size=2"], "found `size`"),
        (&["--svg", "-", "--arrow", "A3NW,value=2"], "from 0 to 1"),
        (&["--svg", "-", "--heat", "C4"], "CELL=VALUE"),
        (&["--heat", "C4=1"], "--svg"),
        (&["--width", "64"], "--svg"),
        (&["--theme", "dark"], "--svg"),
        (&["--labels", "edge"], "--svg"),
    ] {
        let shown = show(args);
        let error = String::from_utf8(shown.stderr).unwrap();
        assert_eq!(shown.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(reason), "{args:?}: {error}");
        assert!(shown.stdout.is_empty(), "{args:?}");
    }
}
