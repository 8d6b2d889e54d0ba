//! Positions that break the rules, and how an error is shown.

use chase_engine::chase::{Position, SetupFault};

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
    assert_eq!(
        error.message,
        "not a legal position: a die stands on E5, the Chamber; the dice of white show 26 in total, more than 25"
    );
    assert_eq!(
        &error.input[error.span.clone()],
        "abcdedcba/9/9/9/4A4/9/9/9/ABCDEDCBA w"
    );
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
