//! The rules, one by one, on small positions.

use std::num::NonZeroU32;

use chase_engine::placement::lines9::{Lengths, Lines9Position};
use chase_engine::placement::moves23::Moves23Position;
use chase_engine::placement::tetra24::{Tetra24Position, Tetrahex};
use chase_engine::placement::tricolour::TricolourPosition;
use chase_engine::placement::{Placement, Position, Rules};
use chase_engine::{Game, Outcome, Player, TextError, Tricolour};

/// A game from a position, after some actions.
fn after<P: Position>(position: &str, actions: &str) -> Result<Placement<P>, TextError> {
    let mut game = Placement::from_position_text(position, &Rules::default())?;
    for action in actions.split_whitespace() {
        game.apply(game.parse_action(action)?);
    }
    Ok(game)
}

#[track_caller]
fn leads_to<P: Position>(position: &str, actions: &str, expected: &str) {
    let game = after::<P>(position, actions).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.position_text(), expected);
}

/// The legal actions whose texts contain a part, in the order of texts.
fn actions<P: Position>(position: &str, part: &str) -> String {
    let game = after::<P>(position, "").unwrap();
    let actions = game.position().legal_actions().into_iter();
    let mut texts: Vec<_> = actions.map(|action| game.action_text(action)).collect();
    texts.retain(|text| text.contains(part));
    texts.sort_unstable();
    texts.join(" ")
}

#[track_caller]
fn ends<P: Position>(position: &str, actions: &str, outcome: Option<Outcome>) {
    let game = after::<P>(position, actions).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(game.outcome(), outcome, "{}", game.position_text());
}

const FIRST: Option<Outcome> = Some(Outcome::Win(Player::White));
const SECOND: Option<Outcome> = Some(Outcome::Win(Player::Black));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

/// A position of `moves23` with one row, the middle one, in which o is at the start of a turn.
fn middle(row: &str) -> String {
    format!("6/7/8/9/10/{row}/10/9/8/7/6 o 3 -")
}

#[test]
fn lines_move_as_whole_runs_by_their_length_at_most() {
    let moves = |row: &str| actions::<Moves23Position>(&middle(row), ":");
    // Three stones: up to three cells either way along the row, and not along the other rows.
    assert_eq!(moves("4ooo4"), "i6:o6 i6:q6 i6:s6 m6:c6 m6:e6 m6:g6");
    assert_eq!(moves("4o6"), "", "one stone is no line");
    assert_eq!(moves("ooo8"), "a6:g6 a6:i6 a6:k6", "the edge is in the way");
    assert_eq!(moves("oo1oo6"), "a6:e6 g6:k6 g6:m6 i6:e6", "friends are in the way");
    leads_to::<Moves23Position>(&middle("4ooo4"), "i6:s6", "6/7/8/9/10/7ooo1/10/9/8/7/6 o 1 -");
}

#[test]
fn longer_lines_kill_as_many_as_they_are_longer() {
    let moves = |row: &str| actions::<Moves23Position>(&middle(row), "a6:");
    assert_eq!(moves("oox8"), "a6:e6", "two against one kill one");
    assert_eq!(moves("oxo8"), "", "one stone is no line");
    assert_eq!(moves("ooxx7"), "", "not against as many");
    assert_eq!(moves("oooxx6"), "a6:g6", "three against two kill one, the nearest");
    assert_eq!(
        moves("ooooxx5"),
        "a6:k6",
        "four against two kill both, and not one alone"
    );
    assert_eq!(moves("ooooox5"), "a6:k6", "no further than the first cell behind");
    assert_eq!(moves("ooooxox4"), "a6:i6", "nor onto a friend");
    assert_eq!(moves("oooo1xx4"), "a6:i6 a6:m6", "over an empty cell");
    assert_eq!(moves("oooo3xx2"), "a6:i6 a6:k6 a6:m6 a6:o6", "fewer after a long way");
    assert_eq!(moves("oooo4x2"), "a6:i6 a6:k6 a6:m6 a6:o6", "none after the longest");
    assert_eq!(moves("ooo1x1xx3"), "a6:g6 a6:i6", "the run counts, not what follows it");
    leads_to::<Moves23Position>(&middle("oooxx6"), "a6:g6", "6/7/8/9/10/1ooox6/10/9/8/7/6 o 1 -");
    leads_to::<Moves23Position>(&middle("oooo1xx4"), "a6:m6 a6", "6/7/8/9/10/o2oooo4/10/9/8/7/6 x 3 -");
}

#[test]
fn stones_of_a_turn_share_no_row_line() {
    let start = "6/7/8/9/10/11/10/9/8/7/6 o 2 -";
    assert!(after::<Moves23Position>(start, "f1 p1").is_err(), "in one row");
    assert!(after::<Moves23Position>(start, "f1 p11").is_err(), "across the board");
    leads_to::<Moves23Position>(start, "f1 k4", "o5/7/8/4o4/10/11/10/9/8/7/6 x 3 -");
    // Lines of cells that are no row lines are fine.
    let empty = "6/7/8/9/10/11/10/9/8/7/6 o 3 -";
    leads_to::<Moves23Position>(empty, "h7 k6 n5", "6/7/8/9/6o3/5o5/3o6/9/8/7/6 x 3 -");
    leads_to::<Moves23Position>(empty, "n5 h7", "6/7/8/9/6o3/11/3o6/9/8/7/6 o 1 n5h7");
}

#[test]
fn stones_after_a_line_move_are_free() {
    let position = middle("oox8");
    assert_eq!(actions::<Moves23Position>(&position, "6").matches(':').count(), 1);
    let game = after::<Moves23Position>(&position, "a6:e6").unwrap();
    assert_eq!(game.position().legal_actions().len(), 91 - 2);
    assert!(
        after::<Moves23Position>(&position, "f1 a6:e6").is_err(),
        "only at the start of a turn"
    );
}

#[test]
fn three_sides_win_that_are_no_neighbours() {
    // The middle row touches four sides with its corners, but no three that are no neighbours.
    let row = "6/7/8/9/10/ooooo1ooooo/10/9/8/7/6";
    ends::<Moves23Position>(&format!("{row} o 1 -"), "k6", None);
    // With a leg to the right end of the bottom: upper left, upper right and bottom.
    let leg = "6/7/8/9/10/ooooo1ooooo/5o4/5o3/5o2/5o1/5o";
    ends::<Moves23Position>(&format!("{leg} o 1 -"), "k6", FIRST);
    let game = after::<Moves23Position>(&format!("{leg} o 1 -"), "k6").unwrap();
    assert_eq!(game.end_reason(), Some("three sides"));
    assert_eq!(
        game.position_text().split(' ').next_back(),
        Some("-"),
        "{}",
        game.position_text()
    );
    let short = "6/7/8/9/10/ooooo1ooooo/5o4/5o3/5o2/5o1/6";
    ends::<Moves23Position>(&format!("{short} o 1 -"), "k6", None);
    // The other three sides, by a stone in the middle of a turn.
    let other = "ooooo1/5o1/5o2/5o3/5o4/5o5/4o5/3o5/2o5/1o5/o1oooo";
    ends::<Moves23Position>(&format!("{other} o 3 -"), "h11", FIRST);
    // A line move connects as well as a stone.
    let apart = "ooooo1/5o1/5o2/5o3/5o4/5o5/4o5/3o5/2o5/1o5/ooo1oo";
    let game = after::<Moves23Position>(&format!("{apart} o 3 -"), "p11:l11").unwrap();
    assert_eq!(
        (game.position_text().split(' ').nth(2), game.outcome()),
        (Some("1"), None)
    );
}

#[test]
fn a_player_without_a_complete_turn_draws() {
    // Two cells are empty, both in one row line, and each line of o meets as many enemies or more.
    let stuck = "ooxxxx/oxxoxxx/xoxxxxxx/xxooxxxoo/oxoxxxxxxx/1ox1xxxxxox/xxooxxoxxx/xxoxxxxxx/xoxxxxxx/oxxoxxx/ooxxoo";
    ends::<Moves23Position>(&format!("{stuck} o 3 -"), "", DRAW);
    let before = stuck.replacen("ooxxxx/", "oo1xxx/", 1);
    let game = after::<Moves23Position>(&format!("{before} x 1 -"), "j1").unwrap();
    assert_eq!((game.outcome(), game.end_reason()), (DRAW, Some("no turn")));
    assert_eq!(game.position_text(), format!("{stuck} o 3 -"));
    // With a third empty cell a line can move; a stone is not legal, since no other two can follow.
    assert_eq!(actions::<Moves23Position>(&format!("{before} o 3 -"), ""), "f1:j1");
}

#[test]
fn stones_of_a_turn_stand_in_different_groups() {
    let start = "7/8/9/10/11/12/13/12/11/10/9/8/7 o 2 - 0 -";
    assert!(after::<Tetra24Position>(start, "m7 o7").is_err());
    leads_to::<Tetra24Position>(start, "m7 q7", "7/8/9/10/11/12/6o1o4/12/11/10/9/8/7 x 4 - 0 -");
    // The cell between joins two older groups, and may not join one of this turn.
    let two = "7/8/9/10/11/12/6o1o4/12/11/10/9/8/7 o 4 - 0 -";
    leads_to::<Tetra24Position>(two, "o7", "7/8/9/10/11/12/6ooo4/12/11/10/9/8/7 o 3 o7 0 -");
    assert!(after::<Tetra24Position>(two, "k7 o7").is_err());
    assert!(after::<Tetra24Position>(two, "k7 s7").is_ok());
}

#[test]
fn groups_of_exactly_four_count() {
    let three = "7/8/9/10/11/12/5ooo5/12/11/10/9/8/7 o 4 - 0 -";
    let game = after::<Tetra24Position>(three, "q7").unwrap();
    let shapes = |position: &Tetra24Position| Tetrahex::ALL.map(|shape| position.tetrahexes(Player::White, shape));
    assert_eq!(shapes(game.position()), [1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(game.position().changed_last(), Some(Player::White));
    // A fifth stone spoils it.
    let game = after::<Tetra24Position>(three, "q7 pass pass s7").unwrap();
    assert_eq!(shapes(game.position()), [0; 7]);
    assert_eq!(game.position().different_shapes(Player::White), 0);
    for (stone, shape) in [("p6", 1), ("n6", 5), ("l6", 5), ("j6", 1), ("i7", 0)] {
        let game = after::<Tetra24Position>(three, stone).unwrap();
        assert_eq!(shapes(game.position())[shape], 1, "{stone}");
    }
}

#[test]
fn two_passed_turns_end_the_game_of_shapes() {
    let empty = "7/8/9/10/11/12/13/12/11/10/9/8/7 o 2 - 0 -";
    leads_to::<Tetra24Position>(empty, "pass", "7/8/9/10/11/12/13/12/11/10/9/8/7 x 4 - 1 -");
    ends::<Tetra24Position>(empty, "pass pass", DRAW);
    ends::<Tetra24Position>(empty, "pass m7 pass pass", None);
    ends::<Tetra24Position>(empty, "m7 pass a7 pass pass", None);
    let bar = "7/8/9/10/11/12/13/12/11/10/9/8/3oooo";
    let ended = |last: &str| format!("{bar} o 4 - 2 {last}");
    ends::<Tetra24Position>(&ended("x"), "", FIRST);
    // Equal numbers: the player whose number changed last loses.
    let equal = |last: &str| format!("xxxx3/8/9/10/11/12/13/12/11/10/9/8/3oooo o 4 - 2 {last}");
    ends::<Tetra24Position>(&equal("x"), "", FIRST);
    ends::<Tetra24Position>(&equal("o"), "", SECOND);
}

#[test]
fn all_seven_shapes_win_at_once() {
    let mut game = after::<Tetra24Position>("7/8/9/10/11/12/13/12/11/10/9/8/7 x 4 - 0 -", "").unwrap();
    let groups = [
        "g1 i1 k1 m1",
        "e3 d4 c5 d6",
        "u5 w5 x6 w7",
        "k11 m11 n12 p12",
        "m7 o7 l6 l8",
        "q1 s1 r2 s3",
        "q9 s9 r10 t10",
    ];
    let mut queues = groups.map(|group| group.split(' '));
    // A stone for each of up to four groups in a turn; the second player only passes.
    for round in 0..4 {
        for half in [0..4, 4..7] {
            game.apply(game.parse_action("pass").unwrap());
            for group in half {
                let stone = queues[group].next().unwrap();
                let action = game
                    .parse_action(stone)
                    .unwrap_or_else(|error| panic!("{round}: {error}"));
                assert_eq!(game.outcome(), None);
                game.apply(action);
            }
            if game.outcome().is_none() && game.position().stones_left() < 4 {
                game.apply(game.parse_action("pass").unwrap());
            }
        }
    }
    assert_eq!((game.outcome(), game.end_reason()), (FIRST, Some("all shapes")));
}

/// A position of `lines9` with these first rows.
fn rows(rows: &str, state: &str) -> String {
    let count = 9 - rows.split('/').count();
    format!("{rows}{} {state}", "/9".repeat(count))
}

#[test]
fn lists_of_lines_are_compared_from_the_longest() {
    let lengths = |board: &str| {
        let text = rows(board, "o 1");
        let position: Lines9Position = text.parse().unwrap();
        Player::BOTH.map(|player| position.lengths(player))
    };
    let counts = |lengths: Lengths| (2..=9).map(|length| lengths.count(length)).collect::<Vec<_>>();
    let [first, second] = lengths("oooo1xx2/9/xx7");
    assert_eq!(counts(first), [0, 0, 1, 0, 0, 0, 0, 0]);
    assert_eq!(counts(second), [2, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!((first.longest(), second.longest()), (Some(4), Some(2)));
    assert!(first > second, "one longer line is more than two shorter ones");
    let [first, second] = lengths("ooo1xxx2/9/oo7");
    assert!(first > second, "a list that has run out is the shorter one");
    let [first, second] = lengths("ooo1xxx2");
    assert_eq!(first, second);
    // All four directions, and a whole run only.
    let [first, _] = lengths("o1o1o4/1ooo5/ooooo4/1ooo5/o1o1o4");
    assert_eq!(counts(first), [4, 8, 0, 4, 0, 0, 0, 0]);
    assert_eq!(lengths("ooooooooo")[0].longest(), Some(9));
}

#[test]
fn who_is_behind_at_the_start_of_a_turn_may_place_a_third_stone() {
    let start = "9/9/9/9/9/9/9/9/9 o 1";
    leads_to::<Lines9Position>(start, "a1 c3 e3", &rows("o8/9/2x1x4", "o 2"));
    leads_to::<Lines9Position>(start, "a1 c3 d4", &rows("o8/9/2x6/3x5", "o 2+"));
    // Stones of the turn itself do not change it, either way.
    leads_to::<Lines9Position>(start, "a1 c3 d4 b1 c1", &rows("ooo6/9/2x6/3x5", "o 0+"));
    leads_to::<Lines9Position>(start, "a1 c3 d4 b1 c1 end", &rows("ooo6/9/2x6/3x5", "x 2+"));
    leads_to::<Lines9Position>(start, "a1 c3 d4 b1 c1 d1", &rows("oooo5/9/2x6/3x5", "x 2+"));
    leads_to::<Lines9Position>(start, "a1 c3 d4 b1", &rows("oo7/9/2x6/3x5", "o 1+"));
    assert!(
        after::<Lines9Position>(start, "a1 c3 d4 b1 end").is_err(),
        "two are compulsory"
    );
    assert!(after::<Lines9Position>(start, "end").is_err());
}

#[test]
fn a_full_board_is_counted() {
    // Columns of two colours in pairs of rows, but for the last cell.
    let board = "oxoxoxoxo/oxoxoxoxo/xoxoxoxox/xoxoxoxox/oxoxoxoxo/oxoxoxoxo/xoxoxoxox/xoxoxoxox/oxoxoxox1";
    let game = after::<Lines9Position>(&format!("{board} o 1"), "i9").unwrap();
    let [first, second] = Player::BOTH.map(|player| game.position().lengths(player));
    assert_eq!(first, second);
    assert_eq!((game.outcome(), game.end_reason()), (DRAW, Some("full board")));
    assert!(game.parse_action("end").is_err() && game.parse_action("a1").is_err());
    // One stone of the other colour at the corner makes the difference.
    let game = after::<Lines9Position>(&format!("{board} x 0+"), "i9").unwrap();
    let [first, second] = Player::BOTH.map(|player| game.position().lengths(player));
    assert_eq!(game.outcome(), if first > second { FIRST } else { SECOND });
    assert_ne!(first, second);
    // On a board of two colours by turns the first player has the two longest diagonals.
    let row = |row: u32| -> String {
        (0..9)
            .map(|letter| if (row + letter).is_multiple_of(2) { 'o' } else { 'x' })
            .collect()
    };
    let turns: Vec<_> = (0..9).map(row).collect();
    ends::<Lines9Position>(&format!("{} o 2", turns.join("/")), "", FIRST);
    ends::<Lines9Position>(&format!("{} x 2+", turns.join("/")), "", FIRST);
}

#[test]
fn stones_of_tricolour_move_by_their_distance() {
    let moves = |board: &str, part: &str| actions::<TricolourPosition>(&format!("{board} o m 0"), part);
    assert_eq!(moves("5/6/7/8/4o4/8/7/6/5", ""), "--", "not from the middle");
    assert_eq!(moves("5/6/7/8/3o5/8/7/6/5", "g5"), "g5e5 g5f4 g5f6 g5h4 g5h6 g5i5");
    assert_eq!(moves("5/6/7/8/2o6/8/7/6/5", "e5"), "e5a5 e5c3 e5c7 e5g3 e5g7 e5i5");
    assert_eq!(moves("5/6/7/8/o8/8/7/6/5", "a5"), "a5e1 a5e9 a5i5");
    // Own stones may be jumped, enemies not, and the end must be empty.
    assert_eq!(moves("5/6/7/8/2oo5/8/7/6/5", "e5i"), "e5i5");
    assert_eq!(moves("5/6/7/8/2ox5/8/7/6/5", "e5i"), "");
    assert_eq!(moves("5/6/7/8/2o1x4/8/7/6/5", "e5i"), "");
    assert_eq!(moves("5/6/7/8/2o1o4/8/7/6/5", "e5i"), "");
}

#[test]
fn the_first_stone_may_be_taken() {
    let start = "5/6/7/8/9/8/7/6/5 o f 0";
    leads_to::<TricolourPosition>(start, "i5", "5/6/7/8/4o4/8/7/6/5 x s 0");
    leads_to::<TricolourPosition>(start, "i5 swap", "5/6/7/8/4x4/8/7/6/5 o m 0");
    leads_to::<TricolourPosition>(start, "i5 keep", "5/6/7/8/4o4/8/7/6/5 x m 0");
    leads_to::<TricolourPosition>(start, "i5 keep -- a5", "5/6/7/8/x3o4/8/7/6/5 o m 0");
    assert!(after::<TricolourPosition>(start, "--").is_err());
    assert_eq!(
        actions::<TricolourPosition>("5/6/7/8/4o4/8/7/6/5 x s 0", ""),
        "keep swap"
    );
}

#[test]
fn two_turns_of_nothing_are_a_draw() {
    let one = "5/6/7/8/3o5/8/7/6/5 x m 0";
    leads_to::<TricolourPosition>(one, "--", "5/6/7/8/3o5/8/7/6/5 x q 0");
    leads_to::<TricolourPosition>(one, "-- --", "5/6/7/8/3o5/8/7/6/5 o m 1");
    // A move alone is no passed turn; the count stands until the turn is over.
    leads_to::<TricolourPosition>(one, "-- -- g5h4", "5/6/7/3o4/9/8/7/6/5 o p 1");
    leads_to::<TricolourPosition>(one, "-- -- g5h4 --", "5/6/7/3o4/9/8/7/6/5 x m 0");
    ends::<TricolourPosition>(one, "-- -- -- --", DRAW);
    let game = after::<TricolourPosition>(one, "-- -- -- --").unwrap();
    assert_eq!(game.end_reason(), Some("passes"));
}

#[test]
fn a_group_of_three_colours_wins() {
    // Along the top, the second colour is one cell short; the corner e1 has two colours.
    let top = "oooo1/6/7/8/9/8/7/6/5 o q 0";
    ends::<TricolourPosition>(top, "m1", None);
    // Down the upper right side to q5, which has two colours.
    let right = "o1ooo/5o/6o/7o/9/8/7/6/5 o q 0";
    ends::<TricolourPosition>(right, "q5", None);
    let around = "o1ooo/5o/6o/7o/8o/8/7/6/5 o q 0";
    ends::<TricolourPosition>(around, "g1", FIRST);
    // A stone that moves wins in the middle of its turn.
    let game = after::<TricolourPosition>("oo1oo/5o/4o1o/7o/8o/8/7/6/5 o m 0", "k3i1").unwrap();
    assert_eq!((game.outcome(), game.end_reason()), (FIRST, Some("three colours")));
    assert_eq!(game.position_text(), "ooooo/5o/6o/7o/8o/8/7/6/5 o p 0");
}

/// Both stones step aside and back, and nothing else is done.
const ASIDE_AND_BACK: &str = "g5h4 -- k5j6 -- h4g5 -- j6k5 --";
const TWO: &str = "5/6/7/8/3o1x3/8/7/6/5 o m 0";

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let once = after::<TricolourPosition>(TWO, ASIDE_AND_BACK).unwrap();
    assert_eq!((once.position_text().as_str(), once.occurrences()), (TWO, 2));
    assert_ne!(once.key(), after::<TricolourPosition>(TWO, "").unwrap().key());
    let twice = after::<TricolourPosition>(TWO, &format!("{ASIDE_AND_BACK} {ASIDE_AND_BACK}")).unwrap();
    assert_eq!((twice.outcome(), twice.end_reason()), (DRAW, Some("repetition")));
    // A stone that is placed begins a new count.
    let placed = ASIDE_AND_BACK.replacen("--", "a5", 1);
    let more = after::<TricolourPosition>(TWO, &format!("{placed} {ASIDE_AND_BACK}")).unwrap();
    assert_eq!((more.occurrences(), more.outcome()), (2, None));
}

#[test]
fn two_hundred_turns_truncate_a_game() {
    let rules = Rules {
        repetition: None,
        ..Rules::default()
    };
    assert_eq!(rules.max_turns, NonZeroU32::new(200));
    let mut game = Tricolour::from_position_text(TWO, &rules).unwrap();
    for action in ASIDE_AND_BACK.split(' ').cycle().take(398) {
        game.apply(game.parse_action(action).unwrap());
        assert_eq!(game.outcome(), None);
    }
    for action in ["j6k5", "--"] {
        assert_eq!(game.outcome(), None);
        game.apply(game.parse_action(action).unwrap());
    }
    assert_eq!((game.turns_played(), game.outcome()), (200, Some(Outcome::Truncated)));
    assert_eq!(game.end_reason(), Some("length limit"));
    assert!(game.parse_action("--").is_err());
}

#[test]
fn conventions_are_read_as_they_are_written() {
    let rules = Rules::default();
    assert_eq!(Tricolour::rules_text(&rules), "repetition 3, length 200");
    assert_eq!(Tricolour::rules_text(&Rules::PUBLISHED), "repetition off, length off");
    for rules in [rules, Rules::PUBLISHED] {
        assert_eq!(
            Tricolour::rules_from_text(&Tricolour::rules_text(&rules), &Rules::default()),
            Ok(rules)
        );
    }
    for text in [
        "",
        "repetition 3",
        "repetition 0, length 200",
        "repetition 3, quiet 100, length 200",
        "repetition 3, length 200, ",
    ] {
        let error = Tricolour::rules_from_text(text, &Rules::default()).unwrap_err();
        assert!(error.message.starts_with("expected "), "{error}");
    }
}
