//! The rules, one by one, on small positions.

use std::num::NonZeroU32;

use chase_engine::placement::lines9::{Lengths, Lines9Position};
use chase_engine::placement::moves23::Moves23Position;
use chase_engine::placement::tetra24::Tetra24Position;
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
