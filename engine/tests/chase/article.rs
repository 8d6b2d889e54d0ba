//! Actions and turns in article form: every rule of writing and reading, and round trips over real positions.

use std::collections::BTreeSet;
use std::io::Read;

use chase_engine::chase::{Action, Cell, Die, Position, Rules, Setup, Speed};
use chase_engine::{Chase, Game, Outcome, Player};
use proptest::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::common::cases;

/// A position with dice written like `A7=4`.
fn position(to_move: Player, white: &str, black: &str) -> Position {
    let mut setup = Setup::empty(to_move);
    for (player, dice) in [(Player::White, white), (Player::Black, black)] {
        for word in dice.split_whitespace() {
            let (cell, pips) = word.split_once('=').unwrap();
            let speed = Speed::new(pips.parse().unwrap()).unwrap();
            setup.dice[cell.parse::<Cell>().unwrap().index()] = Some(Die { player, speed });
        }
    }
    setup.validate().unwrap()
}

/// Black dice out of the way, without the 3 that `more` adds; the two 2s are a choice when it is lost.
fn white_to_move(white: &str, more: &str) -> Position {
    position(Player::White, white, &format!("I4=2 I5=2 I6=6 I7=6 I8=6 {more}"))
}

fn cells(text: &str) -> Vec<Cell> {
    text.split_whitespace().map(|cell| cell.parse().unwrap()).collect()
}

/// Writes a turn and reads it back.
#[track_caller]
fn check(position: &Position, action: &str, choices: &str, text: &str) {
    let action: Action = action.parse().unwrap();
    let choices = cells(choices);
    assert_eq!(position.turn_text(action, &choices).unwrap(), text);
    let read = position.parse_article(text).unwrap_or_else(|error| panic!("{error}"));
    let choices = choices.into_iter().map(|cell| Action::Absorb { cell });
    assert_eq!(
        read,
        std::iter::once(action).chain(choices).collect::<Vec<_>>(),
        "{text}"
    );
}

#[test]
fn moves_exchanges_and_chains_of_bumps() {
    let initial = Position::initial();
    check(&initial, "A3NE", "", "A3D5");
    check(&initial, "1A6A7", "", "1A6A7");
    check(&initial, "A1E", "", "A1A2/A2A3/A3A4/A4A5/A5A6/A6A7/A7A8/A8A9/A9A1");
    check(&initial, "A9W", "", "A9A8/A8A7/A7A6/A6A5/A5A4/A4A3/A3A2/A2A1/A1A9");
    // The exact form is read as well, and an action that is not legal is written in it.
    let read = |text: &str| initial.parse_article(text).unwrap();
    assert_eq!(read("A3NE"), read("A3D5"));
    assert_eq!(initial.article_text("C3NE".parse().unwrap()), "C3NE");
    assert!(initial.turn_text("C3NE".parse().unwrap(), &[]).is_err());
}

#[test]
fn captures_list_who_absorbs_as_far_as_it_is_known() {
    let bump = white_to_move("C7=2 E6=5 A1=6 A2=6 A3=6", "F6=3");
    check(&bump, "C7NW", "I5", "C7E6/E6:F6(I5=5)");
    check(&bump, "C7NW", "", "C7E6/E6:F6");
    assert_eq!(bump.article_text("C7NW".parse().unwrap()), "C7E6/E6:F6");

    let white = "D4=1 A1=6 A2=6 A3=6 A4=6";
    let lone_lowest = position(Player::White, white, "D5=5 I4=2 I5=5 I6=5 I7=5 I8=3");
    check(&lone_lowest, "D4E", "", "D4:D5(I4=6/I8=4)");
    let forced_then_choice = position(Player::White, white, "D5=6 I4=2 I5=4 I6=4 I7=4 I8=5");
    check(&forced_then_choice, "D4E", "", "D4:D5(I4=6)");
    check(&forced_then_choice, "D4E", "I6", "D4:D5(I4=6/I6=6)");
    let choice_then_forced = position(Player::White, white, "D5=6 I4=3 I5=3 I6=4 I7=4 I8=5");
    check(&choice_then_forced, "D4E", "", "D4:D5");
    check(&choice_then_forced, "D4E", "I5", "D4:D5(I5=6/I4=6)");
    let two_choices = position(Player::White, white, "D5=6 I4=4 I5=4 I6=4 I7=4 I8=3");
    check(&two_choices, "D4E", "I7", "D4:D5(I8=6/I7=6)");
    let two_choices = position(Player::White, white, "D5=5 I4=4 I5=4 I6=4 I7=4 I8=4");
    check(&two_choices, "D4E", "I7", "D4:D5(I7=6)");
    check(&two_choices, "D4E", "I7 I4", "D4:D5(I7=6/I4=6)");

    // A choice as a turn of its own.
    let absorbing = two_choices.play("D4E".parse().unwrap()).unwrap();
    check(&absorbing, "=I7", "", "=I7");
    assert!(absorbing.turn_text("=I7".parse().unwrap(), &cells("I4")).is_err());

    // Who has four dice left absorbs no more.
    let last = position(Player::White, white, "D5=1 I4=6 I5=6 I6=6 I7=6");
    check(&last, "D4E", "", "D4:D5");
}

#[test]
fn chamber_moves_list_their_exits() {
    let others = "A1=6 A2=6 A3=6";
    check(
        &white_to_move(&format!("A7=4 B1=3 {others}"), "B3=3"),
        "A7NW",
        "",
        "A7E5/D5=2/E6=2",
    );
    // A capture on the left, on the right, on both sides.
    let white = format!("A7=4 B1=3 {others}");
    check(&white_to_move(&white, "D5=3"), "A7NW", "I5", "A7E5/:D5=2/E6=2(I5=5)");
    check(&white_to_move(&white, "E6=3"), "A7NW", "I5", "A7E5/D5=2/:E6=2(I5=5)");
    let both = position(Player::White, &white, "D5=1 E6=2 I4=2 I5=2 I6=6 I7=6 I8=6");
    check(&both, "A7NW", "I4", "A7E5/:D5=2/:E6=2(I4=5)");
    // Bumps at the exits, at the end of which there may be a capture.
    let white = format!("A7=4 D5=3 {others}");
    check(&white_to_move(&white, "B3=3"), "A7NW", "", "A7E5/D5=2/D5C4/E6=2");
    check(
        &white_to_move(&white, "C4=3"),
        "A7NW",
        "I4",
        "A7E5/D5=2/D5:C4/E6=2(I4=5)",
    );
    let white = "A7=4 E6=1 E7=2 A1=6 A2=6 A3=6";
    check(&white_to_move(white, "E8=3"), "A7NW", "", "A7E5/D5=2/E6=2/E6E7/E7:E8");
    // A 1 does not split, nor does any die of ten. A 3 splits into 2 on the left and 1 on the right.
    check(
        &white_to_move("D6=1 A1=6 A2=6 A3=6 A4=6", "B3=3"),
        "D6NW",
        "",
        "D6E5/D5=1",
    );
    let ten = "A1=1 A2=2 A3=3 A4=3 A5=3 A6=2 A7=4 A8=3 A9=2 C1=2";
    check(&white_to_move(ten, "B3=3"), "A7NW", "", "A7E5/D5=4");
    check(
        &white_to_move("B7=3 A1=6 A2=6 A3=6 A4=4", "B3=3"),
        "B7NW",
        "",
        "B7E5/D5=2/E6=1",
    );
}

#[test]
fn two_directions_to_one_cell_are_told_apart_by_the_exact_form() {
    let ambiguous = white_to_move("F1=6 F4=1 A1=6 A2=6 A3=6", "E4=3");
    check(&ambiguous, "F1NE", "I5", "F1NE(I5=5)");
    check(&ambiguous, "F1W", "", "F1W");
    assert_eq!(ambiguous.article_text("F1W".parse().unwrap()), "F1W");
    // The same result: no need to tell them apart. The reader takes the first direction.
    let alike = white_to_move("F1=6 A4=1 A1=6 A2=6 A3=6", "F4=3");
    check(&alike, "F1NE", "I5", "F1:F4(I5=5)");
    assert_eq!(alike.article_text("F1W".parse().unwrap()), "F1:F4");
    // One of them blocked.
    let one = white_to_move("F1=6 F4=1 A1=6 A2=6 F8=6", "E4=3");
    check(&one, "F1NE", "I5", "F1F4/F4:E4(I5=5)");
}

/// The line of the article's first problem, in this notation. Its text fixes all dice but two of Black's 6s; they stand
/// on I5 and I6 here, out of the way of everything that the text mentions.
#[test]
fn the_solution_of_the_first_problem() {
    let white = "B1=4 C9=3 F4=5 F7=4 F9=5 G2=4";
    let start = position(Player::Black, white, "E4=1 G4=6 G6=6 I5=6 I6=6");
    let mut game = Chase::from_position(start, Rules::default());
    for text in "E4F5 1B1C9 F5G5 C9G7 G5G6/G6:G7(B1=6/F7=5) G2:G7".split(' ') {
        assert_eq!(game.outcome(), None);
        let turn = game
            .position()
            .parse_article(text)
            .unwrap_or_else(|error| panic!("{error}"));
        let choices: Vec<Cell> = turn[1..].iter().map(|choice| absorber(*choice)).collect();
        assert_eq!(game.position().turn_text(turn[0], &choices).unwrap(), text);
        turn.into_iter().for_each(|action| game.apply(action));
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(Player::White)));
    assert_eq!(game.position().to_short_cfen(), "4ff3/9/3f1aD2/3E2E1E/9/9/9/F8/9 b");

    // What the text says about other lines: a tempting capture, its refutation by a ricochet, a wraparound.
    check(&start, "E4NW", "B1", "E4:F4(C9=6/B1=6)");
    let mut after = start;
    for action in start.parse_article("E4:F4(C9=6/B1=6)").unwrap() {
        after.play_unchecked(action);
    }
    check(&after, "B1SE", "", "B1:F4");
    assert!(after.play("B1SE".parse().unwrap()).unwrap().decision().is_some());
    let after = start.play(start.parse_article("E4F5").unwrap()[0]).unwrap();
    check(&after, "F4NW", "", "F4G1");
    check(&after, "C9NE", "", "C9F2");
}

fn absorber(action: Action) -> Cell {
    match action {
        Action::Absorb { cell } => cell,
        other => panic!("{other} is no choice"),
    }
}

/// A text with the place of the error marked in it, and what is wrong there.
#[track_caller]
fn check_error(position: &Position, marked: &str, message: &str) {
    let text = marked.replace(['«', '»'], "");
    let start = marked.find('«').unwrap();
    let end = marked.find('»').unwrap() - '«'.len_utf8();
    let error = position.parse_article(&text).expect_err(&text);
    assert_eq!(error.message, message, "{text}");
    assert_eq!((&error.input, error.span.clone()), (&text, start..end), "{error}");
}

#[test]
fn errors_name_the_first_wrong_place_and_what_is_expected() {
    let initial = Position::initial();
    let bad = |text, message| check_error(&initial, text, message);
    let action = "expected an action: a move like A3D5, an exchange like 1A6A7, or an absorption like =C9";
    bad("«»", action);
    bad("«J3D5»", action);
    bad("«é»(", action);
    bad("«»/A3D5", action);
    bad("«A0»D5", "expected a cell from A1 to I9");
    bad("«A€»", "expected a cell from A1 to I9");
    bad("A3«»", "expected the cell to which the die on A3 goes");
    bad("A3«D55»", "expected the cell to which the die on A3 goes");
    bad("A3:«:D5»", "expected the cell to which the die on A3 goes");
    bad("A3«NN»", "expected the cell to which the die on A3 goes");
    bad("A3«E3»", "expected a cell to which the die on A3 can go: D5, D2");
    bad("«C3D3»", "illegal: there is no die on C3, and white is to move");
    bad("«I3F2»", "illegal: the die on I3 is not white's, who is to move");
    bad(
        "«A3SE»",
        "illegal: a die on an edge row sets out inward: expected A3NE, which is the same move",
    );
    bad("«A3A6»", "illegal: the die on A4 stands in the way of the one on A3");
    bad("A3«:»D5", "expected no `:` before D5, where no die is captured");
    bad("A3D5«/»", "expected the end of the action");
    bad("A3D5«/D5E5»", "expected the end of the action");
    bad("A3D5«(»", "expected the end of the turn: nothing is to be absorbed");
    bad(
        "A3D5«(A1=2)»",
        "expected the end of the turn: nothing is to be absorbed",
    );
    bad("A3NE«/D5E5»", "expected the end of the action");
    bad("A3«D5 »", "expected the cell to which the die on A3 goes");
    bad("«=A3»", "illegal: white has nothing to absorb");
    bad("«6»A6A7", "expected 1 to 5 points");
    bad("1A6«A8»", "expected a neighbour of A6");
    bad("«1A1A2»", "illegal: the 1 on A1 cannot give 1: at least 1 must remain");
    bad("1A6A7«/A7A8»", "expected the end of the action");
    bad("A1A2«»", "expected `/` and `A2A3`, the step of the die bumped from A2");
    bad("A1A2/«A2A4»", "expected `A2A3`, the step of the die bumped from A2");
    bad("A1A2/«»", "expected `A2A3`, the step of the die bumped from A2");
    bad("A1A2/A2«:»A3", "expected no `:` before A3, where no die is captured");

    let bump = white_to_move("C7=2 E6=5 A1=6 A2=6 A3=6", "F6=3");
    let bad = |text, message| check_error(&bump, text, message);
    bad("C7E6/E6«»F6", "expected `:` before F6, where a die is captured");
    bad("C7E6/E6:F6(«»", "expected a cell from A1 to I9");
    bad("C7E6/E6:F6(«»)", "expected a cell from A1 to I9");
    bad(
        "C7E6/E6:F6(«I6»=6)",
        "illegal: I6 cannot take the 3 points: expected a die of lowest speed, =I4 or =I5",
    );
    bad(
        "C7E6/E6:F6(«I5=6»)",
        "expected `I5=5`, the next die to absorb and its new speed",
    );
    bad("C7E6/E6:F6(I5=5«»", "expected `)`");
    bad("C7E6/E6:F6(I5=5«/I4=5»)", "expected `)`: no more is to be absorbed");
    bad("C7E6/E6:F6(I5=5)«x»", "expected the end of the turn");
    bad("C7E6/E6:F6(I5=5)«(»", "expected the end of the turn");
    let absorbing = bump.play("C7NW".parse().unwrap()).unwrap();
    check_error(
        &absorbing,
        "«I6F7»",
        "illegal: black has 3 points to absorb first: expected =I4 or =I5",
    );
    check_error(
        &absorbing,
        "«=I6»",
        "illegal: I6 cannot take the 3 points: expected a die of lowest speed, =I4 or =I5",
    );
    check_error(&absorbing, "=I5«(I4=5)»", "expected the end of the action");

    let forced = position(
        Player::White,
        "D4=1 A1=6 A2=6 A3=6 A4=6",
        "D5=6 I4=2 I5=4 I6=4 I7=4 I8=5",
    );
    let bad = |text, message| check_error(&forced, text, message);
    bad("D4«»D5", "expected `:` before D5, where a die is captured");
    bad(
        "D4:D5(«I5=6»)",
        "expected `I4=6`, the next die to absorb and its new speed",
    );
    bad(
        "D4:D5(I4=6/«I4»=6)",
        "illegal: I4 cannot take the 2 points: expected a die of lowest speed, =I5 or =I6 or =I7",
    );
    bad("D4:D5(I4=6/«»)", "expected a cell from A1 to I9");
    let both = position(
        Player::White,
        "D4=1 A1=6 A2=6 A3=6 A4=6",
        "D5=6 I4=3 I5=3 I6=4 I7=4 I8=5",
    );
    let left = "expected `/` and `I4=6`, the next die to absorb and its new speed";
    check_error(&both, "D4:D5(I5=6«»)", left);
    let last = position(Player::White, "D4=1 A1=6 A2=6 A3=6 A4=6", "D5=1 I4=6 I5=6 I6=6 I7=6");
    check_error(
        &last,
        "D4:D5«(I4=6)»",
        "expected the end of the turn: nothing is to be absorbed",
    );
    let lost = last.play("D4E".parse().unwrap()).unwrap();
    check_error(&lost, "«I4F6»", "illegal: black has lost already");

    let chamber = white_to_move("A7=4 D5=3 A1=6 A2=6 A3=6", "C4=3");
    let bad = |text, message| check_error(&chamber, text, message);
    bad("A7E5«»", "expected `/` and `D5=2`, the left exit of the Chamber");
    bad("A7E5/«D5=3»", "expected `D5=2`, the left exit of the Chamber");
    bad("A7E5/«E6=2»", "expected `D5=2`, the left exit of the Chamber");
    bad("A7E5/«:»D5=2", "expected no `:` before D5, where no die is captured");
    bad(
        "A7E5/D5=2/«E6=2»",
        "expected `D5:C4`, the step of the die bumped from D5",
    );
    bad("A7E5/D5=2/D5«»C4", "expected `:` before C4, where a die is captured");
    bad(
        "A7E5/D5=2/D5:C4«»(I4=5)",
        "expected `/` and `E6=2`, the right exit of the Chamber",
    );
    bad("A7E5/D5=2/D5:C4/E6=2«/E6E7»", "expected the end of the action");
    let capture = white_to_move("A7=4 B1=3 A1=6 A2=6 A3=6", "D5=3");
    check_error(
        &capture,
        "A7E5/«»D5=2/E6=2",
        "expected `:` before D5, where a die is captured",
    );
    let into = white_to_move("C6=1 D6=6 A1=6 A2=6 A3=6", "B3=3");
    check_error(
        &into,
        "«C6D6»/D6E5",
        "illegal: the move from C6 would bump a die into the Chamber",
    );

    let ambiguous = white_to_move("F1=6 F4=1 A1=6 A2=6 A3=6", "E4=3");
    check_error(&ambiguous, "«F1F4»", "ambiguous: write F1NE or F1W");
    check_error(&ambiguous, "«F1F4»/F4:E4", "ambiguous: write F1NE or F1W");
    let stuck = position(
        Player::White,
        "A1=6 A2=5 A3=5 A4=4 A9=5",
        "I4=2 I5=2 I6=6 I7=6 I8=6 B1=1 B2=1 C1=1",
    );
    check_error(&stuck, "«A1C5»", "expected another die: the one on A1 cannot move");
}

/// Every action, and every turn with one way of absorbing, leads where it would without being written and read.
fn round_trip(position: &Position, rng: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let play = |plies: &[Action]| {
        plies
            .iter()
            .fold(*position, |position, &action| position.play(action).unwrap())
    };
    let mut texts = Vec::new();
    for action in position.legal_actions() {
        let alone = position.article_text(action);
        let read = position
            .parse_article(&alone)
            .unwrap_or_else(|error| panic!("{position}: {error}"));
        assert_eq!(play(&read), play(&[action]), "{position}: {alone}");

        let mut after = play(&[action]);
        let mut choices = Vec::new();
        while !matches!(action, Action::Absorb { .. }) && !after.absorbers().is_empty() {
            let turn = position.turn_text(action, &choices).unwrap();
            let read = position
                .parse_article(&turn)
                .unwrap_or_else(|error| panic!("{position}: {error}"));
            assert_eq!(play(&read), after, "{position}: {turn}");
            let dice: Vec<Cell> = after.absorbers().into_iter().collect();
            choices.push(dice[rng.random_range(0..dice.len())]);
            after = after
                .play(Action::Absorb {
                    cell: choices[choices.len() - 1],
                })
                .unwrap();
        }
        let turn = position.turn_text(action, &choices).unwrap();
        let read = position
            .parse_article(&turn)
            .unwrap_or_else(|error| panic!("{position}: {error}"));
        assert_eq!(play(&read), after, "{position}: {turn}");
        texts.push(turn);
    }
    texts
}

#[test]
fn every_action_of_the_reference_positions_is_read_as_it_was_written() {
    let mut lines = String::new();
    let packed: &[u8] = include_bytes!("../data/positions.jsonl.gz");
    flate2::read::GzDecoder::new(packed).read_to_string(&mut lines).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut texts = BTreeSet::new();
    for line in lines.lines() {
        let data: serde_json::Value = serde_json::from_str(line).unwrap();
        let position: Position = data["position"].as_str().unwrap().parse().unwrap();
        texts.extend(round_trip(&position, &mut rng));
    }
    // The positions hold every kind of text, so that the test above is one.
    let count = |what: &str, is: &dyn Fn(&str) -> bool| {
        let count = texts.iter().filter(|text| is(text)).count();
        assert!(count >= 20, "only {count} texts with {what}");
    };
    count("an exact move", &|text| {
        text.starts_with(|c: char| c.is_ascii_uppercase())
            && text
                .split('(')
                .next()
                .is_some_and(|head| !head[2..].contains(|c: char| c.is_ascii_digit()))
    });
    count("an absorption alone", &|text| text.starts_with('='));
    count("captures at both exits", &|text| {
        text.contains("E5/:") && text.matches(':').count() == 2
    });
    count("a bump at an exit", &|text| {
        text.contains("E5/") && text.matches('/').count() > 2 && !text.contains('(')
    });
    count("one exit", &|text| {
        text.contains("E5/") && text.matches('/').count() == 1 && !text.contains('(')
    });
    count("several dice that absorb", &|text| {
        text.contains('(') && text.matches('=').count() > 1 && !text.contains("E5")
    });
    count("a chain of six bumps", &|text| text.matches('/').count() > 6);
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn every_action_of_a_random_game_is_read_as_it_was_written(seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Position::initial();
        for _ in 0..120 {
            let actions = position.legal_actions();
            if actions.is_empty() {
                break;
            }
            round_trip(&position, &mut rng);
            position.play_unchecked(actions[rng.random_range(0..actions.len())]);
        }
    }

    /// No text makes the reader panic, and where it is wrong the place can be shown.
    #[test]
    fn any_text_is_read_or_refused(text in "[A-I1-9:/=()NESWé ]{0,16}|\\PC{0,12}", seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Position::initial();
        for _ in 0..rng.random_range(0..40) {
            let actions = position.legal_actions();
            if actions.is_empty() {
                break;
            }
            position.play_unchecked(actions[rng.random_range(0..actions.len())]);
        }
        // Correct beginnings reach deeper than random ones.
        let actions = position.legal_actions();
        let whole = actions.first().map(|&action| position.article_text(action)).unwrap_or_default();
        for text in [text.clone(), format!("{whole}{text}"), format!("{}{text}", &whole[..whole.len() / 2])] {
            if let Err(error) = position.parse_article(&text) {
                prop_assert!(text.get(error.span.clone()).is_some(), "{text}: {:?}", error.span);
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}
