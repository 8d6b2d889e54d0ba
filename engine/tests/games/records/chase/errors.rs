//! Records that are refused: the message, and the place that it points at.

use chase_engine::Chase;
use chase_engine::chase::Rules;

use super::{PROBLEM_TEXT, read, read_all};
use crate::records;

/// The text with the place of the error marked in it by «», and the message.
#[track_caller]
fn check_error(marked: &str, message: &str) {
    records::check_error::<Chase>(&Rules::default(), marked, message);
    check_second(marked, message);
}

/// As the second record of a file the same is wrong at a place further on.
#[track_caller]
fn check_second(marked: &str, message: &str) {
    let (file, place) = records::unmarked(&format!("{PROBLEM_TEXT}\n{marked}"));
    let mut records = read_all(&file);
    assert!(records.next().unwrap().is_ok());
    let second = records.next().unwrap().expect_err(marked);
    assert_eq!((&*second.message, second.span), (message, place), "{marked}");
    assert_eq!(second.input, file);
    assert!(records.next().is_none(), "nothing is read behind an error");
}

#[test]
fn errors_name_the_first_wrong_place_and_what_is_expected() {
    // Alone it is a list of turns.
    check_second("«»1. A3D5 *", "expected a tag [Result \"*\"]");
    check_error("[A \"x\"«»", "expected `]` behind the value of the tag A");
    let line = "expected `\"` behind the value of the tag A, on the same line";
    check_error("[A \"x\\\"]«»\r\n\"]", line);
    check_error("[A \"\"]\n[«A» \"x\"]\n", "expected the tag A only once");
    let limits = "repetition 3, quiet 100, length 400";
    for (rules, name) in [
        ("«3», 100, 400", "repetition"),
        ("«repetition 03», quiet 100, length 400", "repetition"),
        ("repetition off, «quiet 4294967296», length 400", "quiet"),
        ("repetition off, quiet off«»", "length"),
    ] {
        let message = format!("expected `{name}` with a limit (1 to 4294967295) or `off`, like `{limits}`");
        check_error(&format!("[Result \"*\"] [Rules \"{rules}\"]\n\n*"), &message);
    }
    let tags = |result: &str, more: &str| format!("[Result \"{result}\"]\n{more}[Rules \"{limits}\"]\n\n");
    let position = "[Position \"abcdedcba/9/9/9/9/9/9/9/ABCDEDC«X»A w 0 1\"]\n";
    let message = "expected a die (A to F or a to f) or a run of empty cells (1 to 9)";
    check_error(&tags("*", position), message);
    let turns = |turns: &str| tags("*", "") + turns;
    let turn_or_result = "expected a turn, or the result: 1-0, 0-1, 1/2-1/2 or *";
    check_error(&turns("1. A3D5 {x} «»"), turn_or_result);
    check_error(&turns("1. A3D5\n\n«[Result» \"*\"]"), turn_or_result);
    let comment = "expected a comment that ends with `}`";
    check_error(&turns("1. A3D5 «{»never closed \\} *"), comment);
    check_error(&turns("«01.» A3D5 *"), "expected `1.`, the number of this turn");
    check_error(
        &turns("1. A3D5 «2.» I3F2 *"),
        "expected `1...`, the number of this turn",
    );
    check_error(
        &(tags("1-0", "") + "1. A3D5 «*»"),
        "expected 1-0, as the tag Result says",
    );
    let open = "expected `*`: the game is not over on the board, and there is no tag Termination";
    check_error(&(tags("«1-0»", "") + "1. A3D5 1-0"), open);
    let (head, end) = PROBLEM_TEXT.split_at(PROBLEM_TEXT.len() - "1-0\n".len());
    let over = "expected 1-0: the game has ended, four dice";
    check_error(&format!("{head}«0-1»"), over);
    check_error(&format!("{head}«G4G5» {end}"), over);
    let changed = |from: &str, to: &str| PROBLEM_TEXT.replace(from, to);
    let reason = "expected `four dice`, by which the game has ended";
    check_error(&changed("\"four dice\"", "\"«resignation»\""), reason);
    let absorber = "expected `F7=5`, the next die to absorb and its new speed";
    check_error(&changed("B1=6/F7=5", "B1=6/«F7=6»"), absorber);
    let choice = "illegal: white has 1 points to absorb first: expected =F7 or =G2";
    check_error(&changed("/F7=5) {", ") «G2:G7» {"), choice);
    let limit = "[Position \"3bbfff1/9/9/5c3/5E3/9/6B2/9/FFF6 w 0 1\"] [Result \"*\"]\n\
                 [Rules \"repetition off, quiet off, length 1\"] «C7E6/E6:F6(I4=5)» *";
    let ended = "expected no absorption: the game has ended already: length limit";
    check_error(limit, ended);
    assert!(read(&format!("{PROBLEM_TEXT}\n{PROBLEM_TEXT}")).is_err());
    assert_eq!(read_all(" \r\n\n").count(), 0);
}
