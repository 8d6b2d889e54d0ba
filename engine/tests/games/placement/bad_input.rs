//! Bad positions and actions: what the error says, and where it points.

use chase_engine::placement::lines9::Lines9Position;
use chase_engine::placement::moves23::Moves23Position;
use chase_engine::placement::tetra24::Tetra24Position;
use chase_engine::placement::tricolour::TricolourPosition;
use chase_engine::placement::{Placement, Position, Rules};
use chase_engine::{Game, TextError, seed};
use rand::RngExt;

use super::for_each_game;
use crate::data::POSITIONS;

#[track_caller]
fn says(error: TextError, message: &str, place: &str) {
    assert!(error.message.contains(message), "{error}");
    assert_eq!(&error.input[error.span.clone()], place, "{error}");
}

#[track_caller]
fn refused<P: Position>(text: &str, message: &str, place: &str) {
    says(text.parse::<P>().expect_err(text), message, place);
}

#[test]
fn malformed_boards_point_at_the_place() {
    refused::<Lines9Position>("", "9 cells in row 1, found 0", "");
    refused::<Lines9Position>("9/9 o 1", "row 3 of 9 from the top", "");
    refused::<Lines9Position>("9/9/9/9/9/9/9/9/9/9 o 1", "after 9 rows", "/9");
    refused::<Lines9Position>("9/9/9/9/9/9/9/9/8 o 1", "9 cells in row 9, found 8", "8");
    refused::<Lines9Position>("9/9/9/9/9/9/9/9/10 o 1", "9 cells in row 9, not more", "10");
    refused::<Lines9Position>("o9/9/9/9/9/9/9/9/9 o 1", "9 cells in row 1, not more", "o9");
    refused::<Lines9Position>(
        "oxoxoxoxox/9/9/9/9/9/9/9/9 o 1",
        "9 cells in row 1, not more",
        "oxoxoxoxox",
    );
    refused::<Lines9Position>("o08/9/9/9/9/9/9/9/9 o 1", "from 1 to 9", "08");
    refused::<Lines9Position>("z8/9/9/9/9/9/9/9/9 o 1", "`o`, `x` or a run", "z");
    refused::<Lines9Position>("ä8/9/9/9/9/9/9/9/9 o 1", "`o`, `x` or a run", "ä");
    refused::<Lines9Position>("99999999999999999999999/9 o 1", "not more", "99999999999999999999999");
    refused::<Moves23Position>("6/7/8/9/10/11/10/9/8/7/7 o 2 -", "6 cells in row 11, not more", "7");
    refused::<Lines9Position>("9/9/9/9/9/9/9/9/9", "`o` or `x` as the player to move", "");
    refused::<Lines9Position>("9/9/9/9/9/9/9/9/9 w 1", "`o` or `x` as the player to move", "w");
    refused::<Lines9Position>("9/9/9/9/9/9/9/9/9  o 1", "`o` or `x` as the player to move", "");
    refused::<Lines9Position>("9/9/9/9/9/9/9/9/9 o 1 and more", "end of the position", " and more");
    refused::<Lines9Position>("9/9/9/9/9/9/9/9/9 o 1 ", "end of the position", " ");
}

#[test]
fn turns_that_the_rules_do_not_allow_say_why() {
    let moves = |rest: &str| format!("6/7/8/9/10/oo9/10/9/8/7/6 {rest}");
    refused::<Moves23Position>(&moves("o"), "from 1 to 3", "");
    refused::<Moves23Position>(&moves("o 4 -"), "from 1 to 3", "4");
    refused::<Moves23Position>(&moves("o 0 -"), "from 1 to 3", "0");
    refused::<Moves23Position>(&moves("o 3"), "stones placed in this turn, like `f1h1`, or `-`", "");
    refused::<Moves23Position>(&moves("o 2 z9"), "stones placed in this turn", "z9");
    refused::<Moves23Position>(&moves("o 2 a"), "stones placed in this turn", "a");
    refused::<Moves23Position>(&moves("o 2 c1"), "stones placed in this turn", "c1");
    refused::<Moves23Position>(&moves("o 1 c6a6"), "in the order of rows and letters", "a6");
    refused::<Moves23Position>(&moves("o 1 a6a6"), "in the order of rows and letters", "a6");
    refused::<Moves23Position>(&moves("x 2 a6"), "no stone of x on a6", "a6");
    refused::<Moves23Position>(&moves("o 1 a6c6"), "a6 and c6 are in one row line", "a6c6");
    refused::<Moves23Position>(&moves("o 3 a6"), "this turn has 4", "3 a6");
    refused::<Moves23Position>(&moves("o 2 -"), "but there are stones of other turns", "2 -");
    refused::<Moves23Position>(&moves("o 1 a6"), "but there are stones of other turns", "1 a6");
    refused::<Moves23Position>("6/7/8/9/10/11/10/9/8/7/6 o 2 - -", "end of the position", " -");
    let full = "oxxxoo/oxxoxox/oxoxxxxx/oxxxoxoxo/oxoxoxxoxx/oxxxxxxxxox/oxoxxxxxxx/oxoxxoxxo/oxxoxxxx/oxxxooo/oxxxox";
    refused::<Moves23Position>(&format!("{full} o 1 -"), "no stones can complete this turn", "-");
    refused::<Moves23Position>(&format!("{full} x 2 h1"), "no stones can complete this turn", "h1");

    let shapes = |rest: &str| format!("7/8/9/10/11/12/oooo9/12/11/10/9/8/7 {rest}");
    refused::<Tetra24Position>(&shapes("o 4 - 0 -"), "there are shapes on the board", "-");
    refused::<Tetra24Position>(&shapes("o 4 - 3 o"), "from 0 to 2", "3");
    refused::<Tetra24Position>(&shapes("o 4 - 0 w"), "changed last, or `-`", "w");
    refused::<Tetra24Position>(&shapes("o 4 - 0"), "changed last, or `-`", "");
    refused::<Tetra24Position>(&shapes("o 4 -"), "turns in a row without a stone", "");
    refused::<Tetra24Position>(&shapes("o 2 a7c7 0 o"), "a7 and c7 are in one group", "a7c7");
    refused::<Tetra24Position>(&shapes("o 3 a7 2 o"), "the game is over", "2");
    refused::<Tetra24Position>(&shapes("o 1 - 0 o"), "this turn has 1", "1 -");
    refused::<Tetra24Position>(&shapes("o 2 - 0 o"), "but there are stones of other turns", "2 -");

    let lines = |rest: &str| format!("oo7/9/9/9/9/9/9/9/9 {rest}");
    refused::<Lines9Position>(&lines("o"), "the stones that must still be placed", "");
    refused::<Lines9Position>(&lines("o 0"), "the stones that must still be placed", "0");
    refused::<Lines9Position>(&lines("o 3"), "the stones that must still be placed", "3");
    refused::<Lines9Position>(&lines("o 2+"), "`2`: o is not behind", "2+");
    refused::<Lines9Position>(&lines("x 2"), "`2+`: x is behind", "2");
    refused::<Lines9Position>("9/9/9/9/9/9/9/9/9 o 2", "the first turn is one stone", "2");

    let colours = |rest: &str| format!("5/6/7/8/3o5/8/7/6/5 {rest}");
    let board = "5/6/7/8/3o5/8/7/6/5";
    refused::<TricolourPosition>(&colours("o"), "first stone, swap or not", "");
    refused::<TricolourPosition>(&colours("o z 0"), "first stone, swap or not", "z");
    refused::<TricolourPosition>(&colours("o m"), "everything was passed, from 0 to 2", "");
    refused::<TricolourPosition>(&colours("o m 3"), "everything was passed, from 0 to 2", "3");
    refused::<TricolourPosition>(&colours("o f 0"), "no stones before the first", board);
    refused::<TricolourPosition>(&colours("o s 0"), "expected `x` in this phase", "o");
    refused::<TricolourPosition>(&colours("x s 1"), "no turn has been passed", "1");
    refused::<TricolourPosition>(&colours("x p 0"), "x has no stone that could have moved", "p");
    refused::<TricolourPosition>(&colours("o q 2"), "the game is over", "2");
    refused::<TricolourPosition>("5/6/7/8/9/8/7/6/5 o m 0", "there are no stones", "m");
    refused::<TricolourPosition>("5/6/7/8/9/8/7/6/5 x s 0", "one stone, of o", "5/6/7/8/9/8/7/6/5");
}

#[track_caller]
fn illegal<P: Position>(position: &str, action: &str, message: &str) {
    let game = Placement::<P>::from_position_text(position, &Rules::default()).unwrap();
    says(game.parse_action(action).expect_err(action), message, action);
}

#[test]
fn illegal_actions_say_why() {
    let moves = "6/7/8/9/10/ooox7/10/9/8/7/6 o 3 -";
    for text in ["", "f", "f1:", ":f1", "f1:h", "F1", "a6-c6", "pass", "f1:h1:j1", "ä6"] {
        illegal::<Moves23Position>(moves, text, "expected a cell like `h7`, or a line move");
    }
    illegal::<Moves23Position>(moves, "a6", "a6 is not empty");
    illegal::<Moves23Position>(
        moves,
        "a6:k6",
        "the line of 3 stones from a6 cannot reach k6: expected a6:g6",
    );
    illegal::<Moves23Position>(moves, "c6:g6", "c6 is not the rear stone of a line of o that way");
    illegal::<Moves23Position>(moves, "e6:a6", "it cannot move that way");
    illegal::<Moves23Position>(moves, "g6:i6", "g6 is not the rear stone of a line of o");
    illegal::<Moves23Position>(moves, "a6:f1", "not the rear stone");
    illegal::<Moves23Position>(moves, "a6:h1", "no row line leads from a6 to h1");
    let placed = "o5/7/8/9/10/ooox7/10/9/8/7/6 o 2 f1";
    illegal::<Moves23Position>(placed, "p1", "p1 is in one row line with f1");
    illegal::<Moves23Position>(placed, "a6:g6", "a line moves at the start of a turn");

    let shapes = "7/8/9/10/11/12/oo11/12/11/10/9/8/7 o 3 a7 0 -";
    let error = "a7 and c7";
    assert!(
        !shapes
            .parse::<Tetra24Position>()
            .unwrap_or_else(|error| panic!("{error}"))
            .to_string()
            .contains(error)
    );
    illegal::<Tetra24Position>(shapes, "e7", "a stone on e7 would join the group of a7");
    illegal::<Tetra24Position>(shapes, "c7", "c7 is not empty");
    illegal::<Tetra24Position>(shapes, "end", "expected a cell like `n6`, or `pass`");

    let lines = "oo7/9/9/9/9/9/9/9/9 x 1+";
    illegal::<Lines9Position>(lines, "end", "stones still to place in this turn: 1; expected a cell");
    illegal::<Lines9Position>(lines, "a1", "a1 is not empty");
    illegal::<Lines9Position>(lines, "j1", "expected a cell like `e5`");

    let colours = "5/6/7/8/2ox4o/8/7/6/5 o m 0";
    for text in ["", "-", "Swap", "e5e", "e5e5e5", "e5ä5"] {
        illegal::<TricolourPosition>(colours, text, "expected a cell like `i5`, a move like `m5k3`");
    }
    illegal::<TricolourPosition>(colours, "e5i5", "a stone of x on g5 is in the way");
    illegal::<TricolourPosition>(
        colours,
        "e5g5",
        "moves by 2 cells along a row line, which does not lead to g5",
    );
    illegal::<TricolourPosition>(colours, "e5e5", "which does not lead to e5");
    illegal::<TricolourPosition>(colours, "g5h4", "there is no stone of o on g5");
    illegal::<TricolourPosition>(colours, "i1", "expected a move, like `m5k3`, or `--`");
    illegal::<TricolourPosition>(colours, "swap", "expected a move");
    illegal::<TricolourPosition>("5/6/7/8/4o4/8/7/6/5 o m 0", "i5g5", "the middle, cannot move");
    illegal::<TricolourPosition>("5/6/7/8/4o4/8/7/6/5 x s 0", "--", "expected `swap` or `keep`");
    illegal::<TricolourPosition>(
        "5/6/7/8/4o4/8/7/6/5 x q 0",
        "i5g5",
        "expected a stone, like `i5`, or `--`",
    );
    illegal::<TricolourPosition>("5/6/7/8/2o1x4/8/7/6/5 o m 0", "e5i5", "i5 is not empty");
}

#[test]
fn finished_games_allow_nothing() {
    for reference in POSITIONS.iter().filter(|reference| reference.game == "tetra24") {
        let game = Placement::<Tetra24Position>::from_position_text(&reference.position, &Rules::default()).unwrap();
        if game.outcome().is_some() {
            says(
                game.parse_action("pass").unwrap_err(),
                "the game is over: passes",
                "pass",
            );
        }
    }
}

#[test]
fn changed_texts_are_read_or_refused_with_a_place() {
    fn check<P: Position>() {
        let mut rng = seed::named("hostile", &[]);
        let characters: Vec<char> = "ox0123456789/ -+fsmpqabcdz:\u{e4}\u{1f600}\t\u{0}".chars().collect();
        let (mut read, mut refused) = (0, 0);
        for reference in POSITIONS.iter().filter(|reference| reference.game == P::NAME) {
            for _ in 0..200 {
                let mut text: Vec<char> = reference.position.chars().collect();
                for _ in 0..rng.random_range(1..4) {
                    let at = rng.random_range(0..text.len());
                    let new = characters[rng.random_range(0..characters.len())];
                    match rng.random_range(0..3) {
                        0 => text[at] = new,
                        1 => text.insert(at, new),
                        _ => _ = text.remove(at),
                    }
                }
                let text: String = text.into_iter().collect();
                match text.parse::<P>() {
                    Ok(position) => {
                        read += 1;
                        assert_eq!(position.to_string(), text, "there is one way to write a position");
                        let actions = position.legal_actions();
                        assert_eq!(actions.is_empty(), position.end().is_some(), "{text}");
                        for action in actions {
                            let next = position.play(action).unwrap();
                            assert_eq!(next.to_string().parse(), Ok(next), "{text}");
                        }
                    }
                    Err(error) => {
                        refused += 1;
                        assert!(text.get(error.span.clone()).is_some(), "{error:?}");
                        assert!(!error.to_string().is_empty());
                    }
                }
            }
        }
        assert!(read > 100 && refused > 1000, "{} {read} {refused}", P::NAME);
    }
    for_each_game!(check);
}
