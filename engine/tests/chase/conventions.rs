//! Draw and length conventions, and what a game knows beyond its position.

use std::num::NonZeroU32;

use chase_engine::chase::{Action, Position, Rules};
use chase_engine::{Chase, Game, Outcome, Player};

/// Four plies after which the position is the same again.
const THERE_AND_BACK: [&str; 4] = ["1A2A1", "1I2I1", "1A1A2", "1I1I2"];

fn play(game: &mut Chase, actions: &[&str]) {
    for text in actions {
        let action = game.parse_action(text).unwrap();
        game.apply(action);
    }
}

fn from(text: &str, rules: &Rules) -> Chase {
    Chase::from_position_text(text, rules).unwrap()
}

/// A pass is a move of searches alone: the position after it occurs once.
#[test]
fn a_pass_is_no_occurrence_of_a_position() {
    let mut game = Chase::new(&Rules::default());
    play(&mut game, &["1A2A1"]);
    let mut passed = game.null_move().unwrap();
    assert!(passed.null_move().is_none());
    play(&mut passed, &["1A1A2", "1I2I1", "1A2A1", "1I1I2"]);
    assert_eq!((passed.occurrences(), passed.end()), (2, None));
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let mut game = Chase::new(&Rules::default());
    play(&mut game, &THERE_AND_BACK);
    assert_eq!((game.occurrences(), game.end()), (2, None));
    play(&mut game, &THERE_AND_BACK[..3]);
    assert_eq!((game.occurrences(), game.end()), (2, None));
    play(&mut game, &THERE_AND_BACK[3..]);
    assert_eq!(game.occurrences(), 3);
    assert_eq!(game.end(), Some((Outcome::Draw, "repetition")));
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    assert!(actions.is_empty() && !game.is_legal("A1E".parse().unwrap()));

    let twice = Rules {
        repetition: NonZeroU32::new(2),
        ..Rules::default()
    };
    let mut game = Chase::new(&twice);
    play(&mut game, &THERE_AND_BACK);
    assert_eq!(game.end(), Some((Outcome::Draw, "repetition")));

    let mut game = Chase::new(&Rules::PUBLISHED);
    for _ in 0..30 {
        play(&mut game, &THERE_AND_BACK);
    }
    assert_eq!((game.occurrences(), game.end()), (31, None));
}

#[test]
fn a_hundred_quiet_turns_are_a_draw_and_a_capture_starts_anew() {
    let quiet = "a1f1f1f1a/c8/9/9/5b3/9/9/9/ABCDEDCBA w 98 80";
    let mut game = from(quiet, &Rules::default());
    play(&mut game, &["1A2A1"]);
    assert_eq!(game.end(), None);
    play(&mut game, &["I1SE"]);
    assert_eq!(game.end(), Some((Outcome::Draw, "quiet turns")));
    let mut game = from(quiet, &Rules::default());
    play(&mut game, &["A4NE"]);
    assert_eq!((game.position().quiet_turns(), game.end()), (0, None));
}

#[test]
fn a_chamber_move_starts_the_count_anew_even_with_ten_dice() {
    let mut game = from("abcdedcba/9/9/9/3A5/9/9/9/ABBDDDCAC w 40 80", &Rules::default());
    let dice = game.position().dice(Player::White).count();
    play(&mut game, &["E4E"]);
    assert_eq!((dice, game.position().dice(Player::White).count()), (10, 10));
    assert_eq!((game.position().quiet_turns(), game.end()), (0, None));
}

#[test]
fn four_hundred_turns_truncate_a_game_which_is_no_draw() {
    let mut game = from("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 200", &Rules::default());
    play(&mut game, &["1A2A1"]);
    assert_eq!((game.position().turns_played(), game.end()), (399, None));
    play(&mut game, &["1I2I1"]);
    assert_eq!(game.end(), Some((Outcome::Truncated, "length limit")));
    assert_eq!(Outcome::Truncated.value_for(Player::White), None);
}

#[test]
fn a_win_goes_before_a_draw_and_a_draw_before_the_length_limit() {
    let lost = from("f1f1f3e/9/9/9/5D3/9/9/9/ABC1EDCBA b 100 300", &Rules::default());
    assert_eq!(lost.end(), Some((Outcome::Win(Player::White), "four dice")));
    let drawn = from("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 100 300", &Rules::default());
    assert_eq!(drawn.end(), Some((Outcome::Draw, "quiet turns")));
}

#[test]
fn a_player_without_a_legal_action_loses() {
    // White's five 5s stand apart, so that none can give; each way is blocked, those of A3 NE and A7 NW by the Chamber.
    let stuck = "2d1E1c2/4cc3/9/9/9/8c/1c7/4cc3/E1E1E1E2 w";
    let game = from(stuck, &Rules::default());
    assert_eq!(game.end(), Some((Outcome::Win(Player::Black), "no action")));
    // One die less, and a way is open.
    let open: Position = "2e1E1c2/4cd3/9/9/9/8c/1c7/4d4/E1E1E1E2 w".parse().unwrap();
    let actions: Vec<String> = open.legal_actions().iter().map(ToString::to_string).collect();
    assert_eq!(actions, ["A5NE"]);
}

#[test]
fn policy_indices_are_the_mover_s_view() {
    let white = from("a1f1f1f1a/c8/9/9/5b3/9/9/9/ABCDEDCBA w", &Rules::default());
    let black = Chase::from_position(white.position().rotated(), Rules::default());
    let mut actions = Vec::new();
    white.legal_actions(&mut actions);
    for action in actions {
        assert_eq!(
            white.policy_index(action),
            black.policy_index(action.rotated()),
            "{action}"
        );
        assert_eq!(white.policy_index(action), action.policy_index());
    }
    // Planes of [37, 9, 9]: direction NW is the third, A4 is the fourth cell of row A in axial columns.
    let index = |text: &str| white.policy_index(text.parse::<Action>().unwrap());
    assert_eq!(index("A4NW"), 2 * 81 + 3);
    assert_eq!(index("2A5A6"), (6 + 1) * 81 + 4);
    assert_eq!(index("=A9"), 36 * 81 + 8);
}

#[test]
fn keys_tell_positions_counters_and_occurrences_apart() {
    let rules = Rules::default();
    let start = Chase::new(&rules);
    let mut again = start.clone();
    play(&mut again, &THERE_AND_BACK);
    assert_eq!(again.position().key(), start.position().key());
    assert_ne!(again.key(), start.key(), "the second occurrence is nearer to a draw");
    let text = |quiet: u32, turn: u32| format!("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w {quiet} {turn}");
    let key = |quiet, turn, rules: &Rules| from(&text(quiet, turn), rules).key();
    assert_ne!(key(0, 9, &rules), key(4, 9, &rules));
    assert_ne!(key(0, 9, &rules), key(0, 10, &rules));
    assert_eq!(
        key(0, 9, &Rules::PUBLISHED),
        key(4, 10, &Rules::PUBLISHED),
        "nothing looks at the counters"
    );
}
