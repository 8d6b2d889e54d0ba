//! Bad positions and actions: what the error says, and where it points.

use chase_engine::draughts::{Checkers, CheckersCyl, CheckersNum, Position, Queens, Rules, Stax, StaxUni, Variant};
use chase_engine::{Draughts, Game, TextError};

#[track_caller]
fn says(error: TextError, message: &str, place: &str) {
    assert!(error.message.contains(message), "{error}");
    assert_eq!(&error.input[error.span.clone()], place, "{error}");
}

#[track_caller]
fn refused<V: Variant>(text: &str, message: &str, place: &str) {
    says(text.parse::<Position<V>>().expect_err(text), message, place);
}

#[test]
fn malformed_positions_point_at_the_place() {
    refused::<Checkers>("", "rank 8", "");
    refused::<Checkers>("8/8 d -", "rank 6", "");
    refused::<Checkers>("8/8/8/8/8/8/8/8/8 d -", "after the eight ranks", "/8");
    refused::<Checkers>("8/8/8/8/8/8/8/7 d -", "8 cells in rank 1, found 7", "7");
    refused::<Checkers>("8/8/8/8/8/8/8/M71 d -", "one digit for a run", "1");
    refused::<Checkers>("8/8/8/8/8/8/8/M8 d -", "8 cells in rank 1, not more", "M8");
    refused::<Checkers>("8/8/8/8/8/8/8/X7 d -", "a man (M or m)", "X");
    refused::<Checkers>("8/8/8/8/8/8/8/ä7 d -", "a man (M or m)", "ä");
    refused::<Checkers>("8/8/8/8/8/8/8/9 d -", "a run of empty cells", "9");
    refused::<Checkers>("8/8/8/8/8/8/8/M7", "`d` or `l`", "");
    refused::<Checkers>("8/8/8/8/8/8/8/M7 w -", "`d` or `l`", "w");
    refused::<Checkers>("8/8/8/8/8/8/8/M7 d", "`-` at the start", "");
    refused::<Checkers>("8/8/8/8/8/8/8/M7 d x", "`-` at the start", "x");
    refused::<Checkers>("8/8/8/8/8/8/8/M7 d - -1", "turns since the last jump", "-1");
    refused::<Checkers>("8/8/8/8/8/8/8/M7 d - 0 0", "number of the turn", "0");
    refused::<Checkers>(
        "8/8/8/8/8/8/8/M7 d - 0 99999999999",
        "number of the turn",
        "99999999999",
    );
    refused::<Checkers>(
        "8/8/8/8/8/8/8/M7 d - 0 1 more of it",
        "end of the position",
        "more of it",
    );
    refused::<Queens>("(M/8/8/8/8/8/8/8 d -", "`)` at the end", "");
    refused::<Queens>("(M)7/8/8/8/8/8/8/8 d -", "at least two pieces", "(M)");
    refused::<Queens>("()7/8/8/8/8/8/8/8 d -", "at least two pieces", "()");
}

#[test]
fn positions_that_the_rules_do_not_allow_say_why() {
    refused::<Checkers>("8/8/8/8/8/8/8/1M6 d -", "b1 is a light cell", "M");
    refused::<Checkers>("8/8/8/8/8/8/8/(Mm)7 d -", "no stacks in checkers", "(Mm)");
    refused::<Checkers>("M1M1M1M1/8/8/8/8/8/8/8 d -", "light cell", "M");
    let thirteen = "8/8/8/M7/1M1M1M1M/M1M1M1M1/1M1M1M1M/8";
    refused::<Checkers>(&format!("{thirteen} d -"), "Dark has 13 pieces, more than 12", thirteen);
    refused::<Stax>(
        "8/8/8/8/8/8/8/M7 d -",
        "Dark has 1 pieces, expected 12: in stax",
        "8/8/8/8/8/8/8/M7",
    );
    refused::<CheckersNum>("8/8/8/8/8/8/8/M7 d -", "A to L", "M");
    refused::<CheckersCyl>("8/8/8/8/8/8/8/A7 d -", "M or m", "A");
    refused::<CheckersNum>("8/8/8/8/8/8/8/C1C5 d -", "two men with the number 3", "C");
    refused::<Checkers>("1M6/8/8/8/8/8/8/8 d -", "where it becomes a king", "M");
    refused::<Checkers>("8/8/8/8/8/8/8/M7 d a3", "no piece of Dark on a3", "a3");
    refused::<Checkers>("8/8/8/8/8/8/8/M7 d a1", "cannot continue jumping", "a1");
    refused::<Checkers>("8/8/8/8/8/8/1m6/M7 d a1:b2", "have left the board", "b2");
    let stax = |state: &str| format!("8/8/8/8/8/8/1(mmmmmmmmmmmm)6/(MMMMMMMMMMMM)7 d {state}");
    refused::<Stax>(&stax("a1:"), "`-` at the start", "");
    refused::<Stax>(&stax("a1:b"), "`-` at the start", "b");
    refused::<Stax>(&stax("a1:c3"), "c3 does not show an enemy", "c3");
    refused::<Stax>(&stax("a1:b2b2"), "each once", "b2");
    refused::<Stax>(&stax("a1:b2"), "cannot continue jumping", "a1");
    assert!(stax("a1").parse::<Position<Stax>>().is_ok());
    // Where pieces can be uncovered on the last rank, men may stand there.
    let uncovered = "(MMMMMMMMMMMM)7/8/8/8/8/8/8/(mmmmmmmmmmmm)7 d -";
    assert!(uncovered.parse::<Position<Queens>>().is_ok());
    refused::<StaxUni>(uncovered, "light cell", "(");
    refused::<Stax>(
        "1(MMMMMMMMMMMM)6/8/8/8/8/8/8/(qmmmmmmmmmmm)7 d -",
        "where it becomes a king",
        "M",
    );
    assert!(
        "1(MMMMMMMMMMMM)6/8/8/8/8/8/8/(mmmmmmmmmmmm)7 d -"
            .parse::<Position<StaxUni>>()
            .is_ok()
    );
}

#[track_caller]
fn illegal<V: Variant>(position: &str, action: &str, message: &str, place: &str) {
    let game = Draughts::from_position_text(position, &Rules::standard(V::VARIATION)).unwrap();
    says(game.parse_action(action).expect_err(action), message, place);
}

#[test]
fn illegal_actions_say_why() {
    let start = Position::<Checkers>::initial().to_string();
    for text in ["", "c3", "c3d4", "c3-d9", "c3:d4", "C3-D4", "c3-d4x", "c3äd"] {
        illegal::<Checkers>(&start, text, "a step like `c3-d4`", text);
    }
    illegal::<Checkers>(&start, "c4-d5", "no piece on c4", "c4");
    illegal::<Checkers>(&start, "d6-e5", "not Dark's", "d6");
    illegal::<Checkers>(&start, "b2-c3", "c3 is not empty", "c3");
    illegal::<Checkers>(&start, "c3-e5", "no step leads from c3 to e5", "c3-e5");
    illegal::<Checkers>(&start, "c3xe5", "no piece on d4 to jump", "c3xe5");
    illegal::<Checkers>(&start, "b2xd4", "the piece on c3 is Dark's own", "b2xd4");
    let position = "8/8/8/8/3m4/2M3M1/8/8 d -";
    illegal::<Checkers>(position, "g3-h4", "can jump, and must: expected c3xe5", "-");
    illegal::<Checkers>("8/8/8/8/8/2M3M1/8/8 d -", "c3-b2", "does not step that way", "c3-b2");
    illegal::<CheckersNum>("8/8/8/8/1e1f4/2E5/8/8 d -", "c3xe5", "number is too low", "c3xe5");
    let twice = "6m1/4(mm)3/(mQ)m2(mM)1m1/1(MMMMM)(Qmmmq)5/2m5/5MM1/5M2/M7 d c5:b6";
    illegal::<Queens>(twice, "c5xa7", "b6 has been jumped in this turn already", "c5xa7");
    let going_on = "8/8/5m2/8/3m4/M1M5/8/8 d c3";
    illegal::<Checkers>(
        going_on,
        "a3-b4",
        "the piece on c3 must continue jumping: expected c3xe5",
        "a3",
    );
    let lost = "8/8/8/8/8/8/8/q7 d -";
    let game = Draughts::from_position_text(lost, &Rules::standard(Checkers::VARIATION)).unwrap();
    assert!(game.parse_action("a3-b4").is_err());
}
