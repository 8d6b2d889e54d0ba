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
    check_error(
        "[Result \"*\"]\n\n«»1. A3D5 *",
        "expected a tag [Rules \"repetition 3, quiet 100, length 400\"]",
    );
    let name = "expected the name of a tag: letters, digits and `_`, beginning with a letter";
    check_error("[«»", name);
    check_error("[«1a» \"x\"]", name);
    check_error("[«»é \"x\"]", name);
    check_error("[A«»=\"x\"]", "expected `\"` before the value of the tag A");
    check_error("[A \"x\"«»", "expected `]` behind the value of the tag A");
    check_error("[A \"x\"«» ]", "expected `]` behind the value of the tag A");
    check_error(
        "[A \"x«»\n\"]",
        "expected `\"` behind the value of the tag A, on the same line",
    );
    check_error(
        "[A \"x\\\"]«»\r\n\"]",
        "expected `\"` behind the value of the tag A, on the same line",
    );
    check_error("[A \"\"]\n[«A» \"x\"]\n", "expected the tag A only once");
    check_error("[Rules \"\"]\n[«Rules» \"\"]\n", "expected the tag Rules only once");

    let tags = |result: &str, more: &str| {
        format!("[Result \"{result}\"]\n{more}[Rules \"repetition 3, quiet 100, length 400\"]\n\n")
    };
    check_error(&tags("«2-0»", ""), "expected 1-0, 0-1, 1/2-1/2 or *");
    let position = "[Position \"abcdedcba/9/9/9/9/9/9/9/ABCDEDC«X»A w 0 1\"]\n";
    let message = "expected a die (A to F or a to f) or a run of empty cells (1 to 9)";
    check_error(&tags("*", position), message);
    let position = "[Position \"«9/9/9/9/4a4/9/9/9/EEEEE4 w 0 1»\"]\n";
    let message = "not a legal position: a die stands on E5, the Chamber; the dice of black show 1 in total instead of \
                   25, and only the player to move can have points to absorb";
    check_error(&tags("*", position), message);
    for (rules, name) in [
        ("«»", "repetition"),
        ("«3», 100, 400", "repetition"),
        ("«repetition 0», quiet 100, length 400", "repetition"),
        ("«repetition 03», quiet 100, length 400", "repetition"),
        ("«repetition +3», quiet 100, length 400", "repetition"),
        ("repetition off, «length 400», quiet 100", "quiet"),
        ("repetition off, «quiet 4294967296», length 400", "quiet"),
        ("repetition off, «quiet  3», length 400", "quiet"),
        ("repetition off, quiet off«»", "length"),
    ] {
        let message = format!(
            "expected `{name}` with a limit (1 to 4294967295) or `off`, like `repetition 3, quiet 100, length 400`"
        );
        check_error(&format!("[Result \"*\"] [Rules \"{rules}\"]\n\n*"), &message);
    }
    let rules = "[Result \"*\"] [Rules \"repetition off, quiet off, length off«, x»\"]\n\n*";
    check_error(rules, "expected the end of the conventions");

    let turns = |turns: &str| tags("*", "") + turns;
    let turn_or_result = "expected a turn, or the result: 1-0, 0-1, 1/2-1/2 or *";
    check_error(&turns("«»"), turn_or_result);
    check_error(&turns("1. A3D5 {x} «»"), turn_or_result);
    check_error(&turns("1. A3D5\n\n«[Result» \"*\"]"), turn_or_result);
    check_error(&turns("1. A3D5\n1«»{x}"), "expected a cell from A1 to I9");
    check_error(&turns("«{»x} 1. A3D5 *"), "expected a turn before the first comment");
    check_error(
        &turns("1. A3D5 «{»never closed \\} *"),
        "expected a comment that ends with `}`",
    );
    let action = "expected an action: a move like A3D5, an exchange like 1A6A7, or an absorption like =C9";
    check_error(&turns("1. «»"), action);
    check_error(&turns("1. A3D5 «}» *"), action);
    check_error(&turns("1. A3D5 2«-0»"), "expected a cell from A1 to I9");
    check_error(&turns("1. 2«.» A3D5 *"), "expected a cell from A1 to I9");
    check_error(&turns("«2.» A3D5 *"), "expected `1.`, the number of this turn");
    check_error(&turns("«1...» A3D5 *"), "expected `1.`, the number of this turn");
    check_error(&turns("«01.» A3D5 *"), "expected `1.`, the number of this turn");
    check_error(
        &turns("«99999999999999999999.» A3D5 *"),
        "expected `1.`, the number of this turn",
    );
    check_error(
        &turns("1. A3D5 «2.» I3F2 *"),
        "expected `1...`, the number of this turn",
    );
    check_error(
        &turns("1. A3D5 I3F2\n«3.» 1A8A7 *"),
        "expected `2.`, the number of this turn",
    );
    check_error(
        &turns("1. A3«E3» *"),
        "expected a cell to which the die on A3 can go: D5, D2",
    );
    check_error(
        &turns("1. A3D5\n«C3D3» *"),
        "illegal: there is no die on C3, and black is to move",
    );
    check_error(
        &turns("1. A3D5 {x}\r\nI3«:»F2"),
        "expected no `:` before F2, where no die is captured",
    );
    check_error(
        &turns("1. A3D5«(»\n"),
        "expected the end of the turn: nothing is to be absorbed",
    );
    check_error(&turns("1. A3D5 «1-0»"), "expected *, as the tag Result says");
    check_error(
        &(tags("1-0", "") + "1. A3D5 «*»"),
        "expected 1-0, as the tag Result says",
    );
    let open = "expected `*`: the game is not over on the board, and there is no tag Termination";
    check_error(&(tags("«1-0»", "") + "1. A3D5 1-0"), open);
    check_error(
        &(tags("«0-1»", "[Termination \"unterminated\"]\n") + "1. A3D5 0-1"),
        open,
    );
    let declared = "expected a reason that the board does not show: the game is not over there";
    check_error(
        &(tags("1-0", "[Termination \"«four dice»\"]\n") + "1. A3D5 1-0"),
        declared,
    );
    check_error(
        &(tags("*", "[Termination \"«length limit»\"]\n") + "1. A3D5 *"),
        declared,
    );
    check_error(&(tags("*", "[Termination \"«»\"]\n") + "1. A3D5 *"), declared);

    let (head, end) = PROBLEM_TEXT.split_at(PROBLEM_TEXT.len() - "1-0\n".len());
    check_error(&format!("{head}«0-1»"), "expected 1-0: the game has ended, four dice");
    check_error(&format!("{head}«*»"), "expected 1-0: the game has ended, four dice");
    check_error(
        &format!("{head}«G4G5» {end}"),
        "expected 1-0: the game has ended, four dice",
    );
    check_error(
        &format!("{head}«4...» G4G5 {end}"),
        "expected 1-0: the game has ended, four dice",
    );
    let ended = |from: &str, to: &str| PROBLEM_TEXT.replace(from, to);
    check_error(
        &ended("[Result \"1-0\"]", "[Result \"«1/2-1/2»\"]"),
        "expected 1-0: the game has ended, four dice",
    );
    check_error(
        &ended("\"four dice\"", "\"«resignation»\""),
        "expected `four dice`, by which the game has ended",
    );
    check_error(
        &ended("B1=6/F7=5", "B1=6/«F7=6»"),
        "expected `F7=5`, the next die to absorb and its new speed",
    );
    check_error(
        &ended("/F7=5) {", ") «G2:G7» {"),
        "illegal: white has 1 points to absorb first: expected =F7 or =G2",
    );
    let limit = "[Position \"3bbfff1/9/9/5c3/5E3/9/6B2/9/FFF6 w 0 1\"] [Result \"*\"]\n\
                 [Rules \"repetition off, quiet off, length 1\"] «C7E6/E6:F6(I4=5)» *";
    check_error(
        limit,
        "expected no absorption: the game has ended already: length limit",
    );
    let twice = read(&format!("{PROBLEM_TEXT}\n{PROBLEM_TEXT}")).unwrap_err();
    assert_eq!(twice.message, "expected the end of the record");
    assert_eq!(
        twice.span,
        PROBLEM_TEXT.len() + 1..PROBLEM_TEXT.len() + 1 + "[Event".len()
    );
    assert_eq!(read_all(" \r\n\n").count(), 0);
}
