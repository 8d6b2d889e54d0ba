//! Bad positions and actions: what the error says, and where it points.

use chase_engine::chase::{Action, Position, Rules, SetupFault};
use chase_engine::{Chase, Game, TextError};

/// The message in one line, and the part of the input that it points to.
fn parts(error: &TextError) -> (String, &str) {
    (error.message.to_string(), &error.input[error.span.clone()])
}

#[test]
fn malformed_positions_point_at_the_place() {
    for (text, message, place) in [
        ("", "row I", ""),
        ("   ", "row I", ""),
        ("abcdedcba", "row H", ""),
        ("abcdedcba/9/9/9/9/9/9/9 w", "row A", ""),
        ("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA", "`w` or `b`", ""),
        ("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA white", "`w` or `b`", "white"),
        ("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA W", "`w` or `b`", "W"),
        ("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA/9 w", "after the nine rows", "/9"),
        ("abcdedcba/9/9/9/9/9/9/8/ABCDEDCBA w", "9 cells in row B, found 8", "8"),
        (
            "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBAA w",
            "9 cells in row A, not more",
            "ABCDEDCBAA",
        ),
        ("abcdedcba/9/9/9/45/9/9/9/ABCDEDCBA w", "one digit for a run", "5"),
        ("abcdedcba/9/9/9/9/9/9/09/ABCDEDCBA w", "a die", "0"),
        ("abcdedcga/9/9/9/9/9/9/9/ABCDEDCBA w", "a die", "g"),
        ("abcdedcbä/9/9/9/9/9/9/9/ABCDEDCBA w", "a die", "ä"),
        ("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w x", "turns since", "x"),
        ("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w -1 1", "turns since", "-1"),
        ("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 +1", "number of the turn", "+1"),
        (
            "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 99999999999",
            "number of the turn",
            "99999999999",
        ),
        (
            "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 1 end here",
            "the end of the position",
            "end here",
        ),
    ] {
        let error = text.parse::<Position>().unwrap_err();
        let (found, at) = parts(&error);
        assert!(found.contains(message), "{text}: {found}");
        assert_eq!(at, place, "{text}: {found}");
    }
}

#[test]
fn illegal_positions_name_every_reason() {
    let faults = |text: &str| {
        let setup = text.parse::<chase_engine::chase::Setup>().unwrap();
        setup.validate().unwrap_err().faults
    };
    let white = chase_engine::Player::White;
    let black = chase_engine::Player::Black;
    assert_eq!(
        faults("fffffffff/ff7/9/9/4F4/9/9/9/ABC6 w 0 0"),
        [
            SetupFault::DieInChamber,
            SetupFault::TooManyDice {
                player: black,
                count: 11
            },
            SetupFault::TooManyPips {
                player: black,
                total: 66
            },
            SetupFault::TurnZero,
        ]
    );
    assert_eq!(
        faults("abcdedcba/9/9/9/9/9/9/9/ABCDEDCB1 b"),
        [SetupFault::TooFewPips {
            player: white,
            total: 24
        }]
    );
    // White has one die of lowest speed: the point is not White's to give.
    let forced = faults("abcdedcba/9/9/9/9/9/9/9/ABCDEDCB1 w");
    let cell = "A1".parse().unwrap();
    assert_eq!(
        forced,
        [SetupFault::ForcedAbsorption {
            player: white,
            points: 1,
            cell
        }]
    );
    let error = "  abcdedcba/9/9/9/4A4/9/9/9/ABCDEDCBA w "
        .parse::<Position>()
        .unwrap_err();
    let (message, at) = parts(&error);
    assert_eq!(
        message,
        "not a legal position: a die stands on E5, the Chamber; the dice of white show 26 in total, more than 25"
    );
    assert_eq!(at, "abcdedcba/9/9/9/4A4/9/9/9/ABCDEDCBA w");
}

#[test]
fn malformed_actions_point_at_the_place() {
    for (text, message, place) in [
        ("", "an action", ""),
        ("hello", "an action", "hello"),
        ("A", "a cell", "A"),
        ("A0E", "a cell", "A0"),
        ("Aä", "a cell", "Aä"),
        ("A3", "a direction", ""),
        ("A3N", "a direction", "N"),
        ("A3NWW", "a direction", "NWW"),
        ("=", "a cell", ""),
        ("=J1", "a cell", "J1"),
        ("=A1 ", "a cell", "A1 "),
        ("1A6", "a cell", ""),
        ("1A6A", "a cell", "A"),
        ("6A6A7", "1 to 5 points", "6"),
        ("1A6A8", "a neighbour of A6", "A8"),
        ("1A6A7A8", "a cell", "A7A8"),
        ("1ä", "a cell", "ä"),
    ] {
        let error = text.parse::<Action>().unwrap_err();
        let (found, at) = parts(&error);
        assert!(found.contains(message), "{text}: {found}");
        assert_eq!(at, place, "{text}: {found}");
    }
}

#[test]
fn illegal_actions_say_why() {
    let start = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";
    let absorbing = "b7b/9/9/2f6/9/2f6/9/F5f2/F1F1E3B b";
    let inside = "abcdedcba/9/9/9/2AF5/9/9/9/ABC1ED2C w";
    for (position, action, reason) in [
        (start, "B1E", "there is no die on B1, and white is to move"),
        (start, "I1SE", "the die on I1 is not white's, who is to move"),
        (start, "A3SW", "expected A3NW, which is the same move"),
        (start, "A2E", "the die on A3 stands in the way of the one on A2"),
        (start, "=A1", "white has nothing to absorb"),
        (start, "1A1A2", "the 1 on A1 cannot give 1: at least 1 must remain"),
        (start, "2A4A5", "the 5 on A5 cannot take 2: no die goes above 6"),
        (start, "1A3B3", "an exchange needs an own die on B3"),
        (inside, "E4E", "the Chamber is in the way of the die on E4"),
        (inside, "E3E", "the move from E3 would bump a die into the Chamber"),
        (
            absorbing,
            "I1E",
            "black has 3 points to absorb first: expected =I1 or =I9",
        ),
        (
            absorbing,
            "=F3",
            "F3 cannot take the 3 points: expected a die of lowest speed, =I1 or =I9",
        ),
    ] {
        let game = Chase::from_position_text(position, &Rules::default()).unwrap();
        let error = game.parse_action(action).unwrap_err();
        let (found, at) = parts(&error);
        assert!(found.contains(reason), "{position} {action}: {found}");
        assert_eq!(at, action);
    }
}

#[test]
fn nothing_is_read_where_the_game_is_over() {
    let there_and_back = ["1A2A1", "1I2I1", "1A1A2", "1I1I2"];
    let mut repeated = Chase::new(&Rules::default());
    for text in there_and_back.iter().cycle().take(8) {
        repeated.apply(repeated.parse_action(text).unwrap());
    }
    let from = |text: &str| Chase::from_position_text(text, &Rules::default()).unwrap();
    for (game, action, reason) in [
        (repeated, "1A2A1", "repetition"),
        (from("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 100 80"), "A1E", "quiet turns"),
        (from("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b 0 400"), "I1E", "length limit"),
        (from("f1f1f3e/9/9/9/5D3/9/9/9/ABC1EDCBA b"), "I1E", "four dice"),
        (from("2d1E1c2/4cc3/9/9/9/8c/1c7/4cc3/E1E1E1E2 w"), "A1E", "no action"),
    ] {
        assert!(!game.is_legal(action.parse().unwrap()));
        let error = game.parse_action(action).unwrap_err();
        assert_eq!(parts(&error), (format!("illegal: the game is over: {reason}"), action));
        // What is no action at all is told first.
        let error = game.parse_action("A1").unwrap_err();
        assert!(parts(&error).0.starts_with("expected"), "{error}");
    }
}

#[test]
fn the_message_shows_the_text_and_marks_the_place() {
    let error = "abcdedcba/9/9/9/9/9/9/8/ABCDEDCBA w".parse::<Position>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected 9 cells in row B, found 8\n  abcdedcba/9/9/9/9/9/9/8/ABCDEDCBA w\n                        ^"
    );
    // A long line is cut around the place, and control characters do not reach the terminal.
    let long = "9/".repeat(200).parse::<Position>().unwrap_err().to_string();
    assert!(long.lines().all(|line| line.chars().count() <= 130), "{long}");
    let shown = "abc\u{1b}[2J/9".parse::<Position>().unwrap_err().to_string();
    assert!(shown.contains("abc\u{fffd}[2J/9"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "{shown}");
}
