//! `chase show` as a person meets it.

use std::fs;
use std::path::Path;
use std::process::Output;

use chase_engine::chase::Position;
use chase_engine::chase::notation::SvgOptions;

use super::program::{home, run};

fn show(args: &[&str]) -> Output {
    run(Path::new("."), &[&["show"][..], args].concat())
}

#[test]
fn a_picture_is_written_whole_and_leaves_nothing_else() {
    let folder = home("show-svg");
    let file = folder.join("board.svg");
    let shown = show(&["--svg", file.to_str().unwrap()]);
    assert!(shown.status.success() && shown.stdout.is_empty());
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        Position::initial().to_svg(&SvgOptions::default())
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
