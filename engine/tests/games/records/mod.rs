//! Records of any game: what is written, what is read back, and what is refused. Those of Chase have more tests.

mod chase;

use std::ops::Range;

use chase_engine::record::{RecordError, game_of_record};
use chase_engine::{Chess, ConnectFour, Draughts, Game, GameName, Outcome, Player, Record, TextError, with_game};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// So many cases of a property, the same ones every time.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Plays random actions, with comments on some, to the end of the game or of the plies.
fn random_record<G: Game>(
    rules: &G::Rules,
    plies: usize,
    comments: &[String],
    rng: &mut Xoshiro256PlusPlus,
) -> Record<G> {
    let mut record = Record::<G>::new(G::start(rules, rng), rules.clone());
    let mut legal = Vec::new();
    while record.actions().len() < plies && record.end().is_none() {
        record.game().legal_actions(&mut legal);
        record.push(legal[rng.random_range(0..legal.len())]).unwrap();
        if let Some(comment) = comments.get(rng.random_range(0..2 * comments.len() + 1)) {
            record.comment(comment);
        }
    }
    record
}

/// Two records that say the same of the same game: actions of Chase may differ that have one result.
#[track_caller]
fn assert_same<G: Game>(read: &Record<G>, written: &Record<G>) {
    let positions = |record: &Record<G>| {
        let mut game = record.start().clone();
        let mut positions = vec![game.position_text()];
        for (plies, &action) in (1..).zip(record.actions()) {
            game.apply(action);
            positions.push(format!("{} {}", game.position_text(), record.comment_at(plies)));
        }
        positions
    };
    assert_eq!(positions(read), positions(written));
    assert_eq!((read.rules(), read.end()), (written.rules(), written.end()));
    assert!(read.tags().eq(written.tags()));
    assert_eq!(read.to_string(), written.to_string());
}

#[track_caller]
fn round_trip<G: Game>(record: &Record<G>, standard: &G::Rules) {
    let text = record.to_string();
    let read = Record::read(&text, standard).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_same(&read, record);
    let twice: Vec<Record<G>> = Record::read_all(&format!("{text}\n{text}"), standard)
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(twice.len(), 2);
    assert_same(&twice[1], record);
    // The first part of a record is the record of the first part.
    let plies = record.actions().len() / 2;
    let mut part = read;
    part.truncate(plies);
    assert_eq!((part.actions().len(), part.comment_at(plies + 1)), (plies, ""));
    let rest = &record.actions()[plies..];
    rest.iter().for_each(|&action| part.push(action).unwrap());
    assert_eq!(part.game().position_text(), record.game().position_text());
}

fn read_as_written<G: Game>(rules: &G::Rules, seed: u64, plies: usize, comments: &[String], tags: &[(String, String)]) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut record = random_record::<G>(rules, plies, comments, &mut rng);
    for (tag, value) in tags {
        if record.set_tag(tag, value).is_ok() && tag != "White" && tag != "Black" {
            assert!(record.tag(tag).is_some());
        }
    }
    round_trip(&record, rules);
    let text = record.to_string();
    assert_eq!(game_of_record(&text).as_deref().unwrap_or("chase"), G::name(rules));
    let mut turns = text.lines().filter(|line| !line.starts_with('['));
    let words_too_long = text.split_whitespace().any(|word| word.chars().count() > 70);
    assert!(words_too_long || turns.all(|line| line.chars().count() <= 80), "{text}");
    if record.end().is_none() {
        record.declare(Outcome::Win(Player::Black), "resignation").unwrap();
        round_trip(&record, rules);
    }
}

fn read_or_refused<G: Game>(name: GameName, seed: u64, at: prop::sample::Index, damage: &str) {
    let rules = name.rules::<G>();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let comments = ["a comment".to_owned()];
    let text = random_record::<G>(&rules, 20, &comments, &mut rng).to_string();
    let text = format!("{text}\n{text}");
    let start = at.index(text.len());
    let end = (start + rng.random_range(0..4)).min(text.len());
    check_hostile::<G>(&format!("{}{damage}{}", &text[..start], &text[end..]), &rules);
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn random_records_of_every_game_are_read_as_they_were_written(
        seed: u64,
        plies in 0_usize..120,
        comments in prop::collection::vec("(\\PC|[ {}\\\\\"\\[\\]\n\t]){0,30}", 0..4),
        tags in prop::collection::vec(("[A-Za-z][A-Za-z0-9_]{0,8}", "(\\PC|[\\\\\"\\]\n]){0,20}"), 0..4),
    ) {
        for &name in GameName::ALL {
            with_game!(name, G => read_as_written::<G>(&name.rules::<G>(), seed, plies, &comments, &tags));
        }
    }

    /// A file in which something was replaced is read, or refused with a place in it.
    #[test]
    fn damaged_records_are_read_or_refused(
        seed: u64,
        at: prop::sample::Index,
        damage in "\\PC{0,4}|[\\[\\]{}()\"\\\\ \n\r:=/.*0-9a-h]{0,4}",
    ) {
        for &name in GameName::ALL {
            with_game!(name, G => read_or_refused::<G>(name, seed, at, &damage));
        }
    }
}

/// Reads hostile text: no panic, and every error points at a place that can be shown.
fn check_hostile<G: Game>(text: &str, rules: &G::Rules) -> bool {
    Record::<G>::read_all(text, rules).all(|record| match record {
        Ok(record) => {
            assert_same(&Record::read(&record.to_string(), rules).unwrap(), &record);
            true
        }
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{:?} in {text}", error.span);
            assert!(error.line() <= text.matches('\n').count() + 1 && !error.to_string().is_empty());
            false
        }
    })
}

const CHECKERS: &str = r#"[Game "checkers"]
[Event "A \"friendly\" match"]
[Dark "somebody"]
[Light "nobody"]
[Result "1-0"]
[Termination "resignation"]
[Rules "repetition 3, quiet 100, length 400"]
[Position "8/8/1m1m4/8/8/4M3/8/M7 l - 3 12"]

12... d6-e5 {offers two {or one\}} 13. e3-d4 e5xc3 1-0
"#;

fn checkers(text: &str) -> Result<Record<Draughts>, TextError> {
    Record::read(text, &GameName::Checkers.rules::<Draughts>())
}

const CHESS: &str = r#"[Game "chess"]
[White "first"]
[Black "second"]
[Result "0-1"]
[Termination "checkmate"]
[Rules "repetition 3, quiet 100, length 400"]

1. f2f3 e7e5 2. g2g4 {loses at once} d8h4 0-1
"#;

#[test]
fn records_are_written_with_the_names_and_numbers_of_their_game() {
    let rules = GameName::Chess.rules::<Chess>();
    let mut record = Record::new(Chess::new(&rules), rules);
    record.set_tag("White", "first").unwrap();
    record.set_tag("Black", "second").unwrap();
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        record.push(record.game().parse_action(text).unwrap()).unwrap();
        record.comment(if text == "g2g4" { "loses\n at once" } else { "" });
    }
    assert_eq!(record.to_string(), CHESS);
    round_trip(&record, &rules);
    assert_eq!(game_of_record(CHESS).as_deref(), Some("chess"));

    let rules = GameName::Checkers.rules::<Draughts>();
    let start = Draughts::from_position_text("8/8/1m1m4/2m5/8/4M3/8/M7 d - 3 12", &rules).unwrap();
    let mut record = Record::new(start, rules);
    // The names of any game's players, and its own.
    record.set_tag("White", "somebody").unwrap();
    record.set_tag("Light", "nobody").unwrap();
    for text in ["e3-d4", "c5xe3", "a1-b2", "e3-d2"] {
        record.push(record.game().parse_action(text).unwrap()).unwrap();
    }
    let text = record.to_string();
    assert!(text.starts_with("[Game \"checkers\"]\n[Dark \"somebody\"]\n[Light \"nobody\"]\n[Result \"*\"]\n"));
    assert!(text.ends_with("\n\n12. e3-d4 c5xe3 13. a1-b2 e3-d2 *\n"), "{text}");
    round_trip(&record, &rules);
}

#[test]
fn plies_of_one_turn_share_its_number() {
    let rules = GameName::Checkers.rules::<Draughts>();
    let start = Draughts::from_position_text("8/8/8/4m3/8/2m5/1M5m/8 d - 0 5", &rules).unwrap();
    let mut record = Record::new(start, rules);
    for text in ["b2xd4", "d4xf6", "h2-g1"] {
        record
            .push(
                record
                    .game()
                    .parse_action(text)
                    .unwrap_or_else(|error| panic!("{error}")),
            )
            .unwrap();
    }
    assert!(record.to_string().ends_with("\n\n5. b2xd4 d4xf6 h2-g1 *\n"), "{record}");
    round_trip(&record, &rules);
    // Within a turn its number may stand again.
    let text = record
        .to_string()
        .replace(" d4xf6", " 5. d4xf6")
        .replace(" h2-g1", " 5... h2-g1");
    assert_same(&checkers(&text).unwrap(), &record);
}

/// The text without the marks «» of a place in it, and that place.
fn unmarked(marked: &str) -> (String, Range<usize>) {
    let start = marked.find('«').unwrap();
    let end = marked.find('»').unwrap() - '«'.len_utf8();
    (marked.replace(['«', '»'], ""), start..end)
}

/// The text with the place of the error marked in it by «», and the message.
#[track_caller]
fn check_error<G: Game>(standard: &G::Rules, marked: &str, message: &str) {
    let (text, place) = unmarked(marked);
    let error = Record::<G>::read(&text, standard).expect_err(&text);
    assert_eq!(error.message, message, "{text}");
    assert_eq!((&error.input, &error.span), (&text, &place), "{error}");
    assert_eq!(error.line(), 1 + text[..place.start].matches('\n').count());
}

#[test]
fn errors_name_the_first_wrong_place_and_what_is_expected() {
    let tags = |result: &str, more: &str| {
        let rules = "repetition 3, quiet 100, length 400";
        format!("[Game \"checkers\"]\n[Result \"{result}\"]\n{more}[Rules \"{rules}\"]\n\n")
    };
    let turns = |turns: &str| tags("*", "") + turns;
    let check_error = |marked: &str, message| {
        check_error::<Draughts>(&GameName::Checkers.rules::<Draughts>(), marked, message);
    };
    check_error(
        "[Game \"«queens»\"]\n",
        "a record of queens, expected a record of checkers",
    );
    check_error("[Game «»checkers]\n", "expected `\"` before the value of the tag Game");
    check_error(
        "[Game \"checkers\"] [Result \"*\"]\n\n«»1. c3-d4 *",
        "expected a tag [Rules \"repetition 3, quiet 100, length 400\"]",
    );
    check_error(
        "[Result \"*\"] [Rules \"repetition 3, «none»\"]\n\n*",
        "expected `quiet` with a limit (1 to 4294967295) or `off`, like `repetition 3, quiet 100, length 400`",
    );
    check_error(&tags("«dark»", ""), "expected 1-0, 0-1, 1/2-1/2 or *");
    check_error(
        &tags("*", "[Position \"8/8/8/8/8/8/8/1«M»6 d -\"]\n"),
        "b1 is a light cell, and the pieces of checkers stand on dark cells",
    );
    // Backslashes move places within a value, so the whole value is shown.
    check_error(
        &tags("*", "[Position \"«8/8/\\\\»\"]\n"),
        "a6 is a light cell, and the pieces of checkers stand on dark cells",
    );
    check_error(&turns("«{»x} 1. c3-d4 *"), "expected a turn before the first comment");
    check_error(
        &turns("1. c3-d4 «1.» f6-e5 *"),
        "expected `1...`, the number of this turn",
    );
    check_error(
        &turns("1. «c3=d4» *"),
        "expected a step like `c3-d4` or a jump like `c3xe5`",
    );
    check_error(
        &turns("1. c3-d4 {x}\n«c3»-b4 *"),
        "illegal: there is no piece on c3, and Light is to move",
    );
    check_error(&turns("1. c3-d4 «1-0»"), "expected *, as the tag Result says");
    check_error("1. c3-d4 «e5-»", "expected a step like `c3-d4` or a jump like `c3xe5`");
    let over = "[Position \"8/8/8/2m5/1M6/8/8/8 d - 0 1\"]\n";
    check_error(
        &(tags("1-0", over) + "1. b4xd6 «f8-e7» 1-0"),
        "expected 1-0: the game has ended, no action",
    );
    check_error(
        &(tags("«*»", over) + "1. b4xd6 *"),
        "expected 1-0: the game has ended, no action",
    );
    // Reasons of the board and of conventions are not declared.
    for reason in ["no action", "quiet turns"] {
        check_error(
            &(tags("1-0", &format!("[Termination \"«{reason}»\"]\n")) + "1. c3-d4 1-0"),
            "expected a reason that the board does not show: the game is not over there",
        );
    }
    let error = checkers(&format!("{CHECKERS}\n{CHECKERS}")).unwrap_err();
    assert_eq!((&*error.message, error.line()), ("expected the end of the record", 12));
}

#[test]
fn a_list_of_turns_is_read_without_tags() {
    let read = |text: &str| Record::<ConnectFour>::read(text, &());
    let over = "1.1 2 2. 1 2 3. 1 2 4. 1";
    let white = Some((Outcome::Win(Player::White), "four in a line"));
    assert_eq!(read(over).unwrap().end(), white);
    assert_eq!(read(&format!("\u{feff}\n {over} {{good}} 0-1")).unwrap().end(), white);
    assert!(read("").unwrap().actions().is_empty());
    let error = read(&format!("{over} 2")).unwrap_err();
    assert_eq!(error.message, "expected 1-0: the game has ended, four in a line");
    let all: Vec<_> = Record::<ConnectFour>::read_all(over, &()).collect();
    assert_eq!((all.len(), all[0].as_ref().unwrap().end()), (1, white));
    assert_eq!(Record::<ConnectFour>::read_all(" \n", &()).count(), 0);
    // Turns of Chase may be typed in small letters, and comments stay as they are.
    let rules = GameName::Chase.rules::<chase_engine::Chase>();
    let typed = Record::<chase_engine::Chase>::read("1. a3d5 {Good} i3f2", &rules).unwrap();
    assert!(typed.to_string().ends_with("\n\n1. A3D5 {Good} I3F2 *\n"), "{typed}");
}

#[test]
fn an_end_that_the_board_does_not_show_is_declared() {
    for (outcome, result, reason) in [
        (Outcome::Win(Player::Black), "0-1", "resignation"),
        (Outcome::Draw, "1/2-1/2", "agreed \"draw\""),
        (Outcome::Truncated, "*", "ply limit"),
    ] {
        let mut record = Record::<ConnectFour>::read("1. 4", &()).unwrap();
        record.declare(outcome, reason).unwrap();
        assert_eq!(record.push(1), Err(RecordError::Ended(reason.to_owned())));
        let read = Record::<ConnectFour>::read(&record.to_string(), &()).unwrap();
        assert_eq!(read.end(), Some((outcome, reason)));
        assert!(
            record
                .to_string()
                .starts_with(&format!("[Game \"connect-four\"]\n[Result \"{result}\"]\n"))
        );
        record.truncate(0);
        assert_eq!((record.end(), record.game().plies()), (None, 0));
    }
    let mut record = Record::<ConnectFour>::read("", &()).unwrap();
    for reason in ["", "full board", "repetition", "unterminated"] {
        let error = Err(RecordError::Reason(reason.to_owned()));
        assert_eq!(record.declare(Outcome::Draw, reason), error);
    }
    // Columns count from 0 as actions and from 1 in texts.
    assert_eq!(record.push(7), Err(RecordError::Illegal("8".to_owned())));
}

#[test]
fn records_that_are_cut_off_are_refused_at_every_byte() {
    let rules = GameName::Checkers.rules::<Draughts>();
    let text = CHECKERS.replace("friendly", "é\u{202e}\u{1f3b2}");
    for end in (1..text.len() - 1).filter(|&end| text.is_char_boundary(end)) {
        assert!(!check_hostile::<Draughts>(&text[..end], &rules), "{}", &text[..end]);
    }
    assert!(check_hostile::<Draughts>(&text, &rules));
}

/// Many plies of games that look for repetitions: no time that grows with the square of their number.
#[test]
fn large_records_are_read_in_time() {
    fn check<G: Game>(name: GameName, turns: &str) {
        let tags = "[Result \"*\"] [Rules \"repetition 4294967295, quiet off, length off\"]\n";
        let position = match name {
            GameName::Checkers => "[Position \"3Q4/8/8/8/8/8/8/q7 d -\"]",
            _ => "",
        };
        let text = format!("{position}{tags}{}*", turns.repeat(20_000));
        assert!(check_hostile::<G>(&text, &name.rules::<G>()), "{name}");
        assert!(!check_hostile::<G>(&"[Game \"\"]".repeat(100_000), &name.rules::<G>()));
        assert!(!check_hostile::<G>(&"1.".repeat(1_000_000), &name.rules::<G>()));
    }
    check::<Chess>(GameName::Chess, "g1f3 g8f6 f3g1 f6g8\n");
    check::<Draughts>(GameName::Checkers, "d8-e7 a1-b2 e7-d8 b2-a1\n");
}
