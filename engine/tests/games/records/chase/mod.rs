//! Records of Chase, whose turns contain choices.

mod errors;
mod hostile;

use std::io::Read;
use std::num::NonZeroU32;

use chase_engine::chase::{Action, Position, Rules};
use chase_engine::record::RecordError;
use chase_engine::{Chase, Convention, Game, Outcome, Player, TextError};
use proptest::prelude::*;
use serde::Deserialize;

use super::{assert_same, cases, read_as_written};

/// The start of the article's first problem, with two of Black's 6s where they are not in the way.
const PROBLEM: &str = "4ff3/9/1D1f1f3/3E2D1E/3a5/9/8C/D8/9 b";

fn action(text: &str) -> Action {
    text.parse().unwrap()
}

type Record = chase_engine::Record<Chase>;

fn read(text: &str) -> Result<Record, TextError> {
    Record::read(text, &Rules::default())
}

fn read_all(text: &str) -> impl Iterator<Item = Result<Record, TextError>> {
    let records: Vec<_> = Record::read_all(text, &Rules::default()).collect();
    records.into_iter()
}

/// A record without plies of a game that begins from a position.
fn record_from(start: Position, rules: Rules) -> Record {
    Record::new(Chase::from_position(start, rules), rules)
}

/// Plays actions in exact form, with comments on them.
fn push(record: &mut Record, plies: &[(&str, &str)]) {
    for &(text, comment) in plies {
        record
            .push(action(text))
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        record.comment(comment);
    }
}

/// Two records of the same, actions included.
#[track_caller]
fn same(read: &Record, record: &Record) {
    assert_eq!(read.actions(), record.actions());
    assert_same(read, record);
}

fn limits(repetition: u32, quiet_turns: u32, max_turns: u32) -> Rules {
    let [repetition, quiet_turns, max_turns] = [repetition, quiet_turns, max_turns].map(NonZeroU32::new);
    Rules {
        repetition,
        quiet_turns,
        max_turns,
    }
}

fn problem() -> Record {
    let mut record = record_from(PROBLEM.parse().unwrap(), Rules::default());
    record.set_tag("Event", "Problem \"1\" of a \\ magazine").unwrap();
    record.set_tag("Date", "2026.11.21").unwrap();
    record.set_tag("White", "somebody").unwrap();
    record.set_tag("Black", "nobody").unwrap();
    record.set_tag("White", "a\tplayer\r\n").unwrap();
    let plies = [
        ("E4NE", ""),
        ("1B1C9", "sets up C9G7 {and then a capture\\bump}"),
        ("F5NE", "a line \n\n end"),
        ("C9NW", ""),
        ("G5E", ""),
        ("=F7", "the 4 on G2 need not be promoted"),
        ("G2W", ""),
    ];
    push(&mut record, &plies);
    record
}

const PROBLEM_TEXT: &str = r#"[Event "Problem \"1\" of a \\ magazine"]
[Date "2026.11.21"]
[White "a player"]
[Black "nobody"]
[Result "1-0"]
[Termination "four dice"]
[Rules "repetition 3, quiet 100, length 400"]
[Position "4ff3/9/1D1f1f3/3E2D1E/3a5/9/8C/D8/9 b 0 1"]

1... E4F5 2. 1B1C9 {sets up C9G7 {and then a capture\\bump\}} F5G5 {a line end}
3. C9G7 G5G6/G6:G7(B1=6/F7=5) {the 4 on G2 need not be promoted} 4. G2:G7 1-0
"#;

#[test]
fn a_record_is_written_with_its_tags_turns_and_comments() {
    let record = problem();
    assert_eq!(record.end(), Some((Outcome::Win(Player::White), "four dice")));
    assert_eq!(record.to_string(), PROBLEM_TEXT);
    same(&read(PROBLEM_TEXT).unwrap(), &record);
    assert_eq!(record.tag("White"), Some("a player"));
    assert_eq!(record.tag("Result"), None);
    assert_eq!(record.comment_at(2), "sets up C9G7 {and then a capture\\bump}");
}

#[test]
fn the_reader_takes_other_layouts_of_the_same_record() {
    let record = problem();
    let crlf = PROBLEM_TEXT.replace('\n', "\r\n");
    let glued = PROBLEM_TEXT
        .replace("... ", "...")
        .replace(". ", ".")
        .replace("1B1C9 {", "1B1C9{");
    let unnumbered = ["1... ", "2. ", "3. ", "4. "]
        .iter()
        .fold(PROBLEM_TEXT.to_owned(), |text, n| text.replace(n, ""));
    let exact = PROBLEM_TEXT.replace("3. C9G7", "3. C9NW").replace("4. G2:G7", "4. G2W");
    let later = PROBLEM_TEXT.replace("/F7=5)", ") =F7");
    let split = PROBLEM_TEXT.replace("{the 4 on", "{the 4\n}{ } {on");
    let marked = format!("\u{feff}\n\n{PROBLEM_TEXT}\n\n");
    for text in [crlf, glued, unnumbered, exact, later, split, marked] {
        assert_ne!(text, PROBLEM_TEXT);
        same(&read(&text).unwrap_or_else(|error| panic!("{error}\n{text}")), &record);
    }
    let (tags, turns) = PROBLEM_TEXT.split_once("\n\n").unwrap();
    let mut lines: Vec<&str> = tags.lines().collect();
    lines.rotate_left(4);
    let rotated = format!("{}\n{turns}", lines.join(" "));
    same(&read(&rotated).unwrap(), &record);
    assert_eq!(
        record.game().position().to_short_cfen(),
        "4ff3/9/3f1aD2/3E2E1E/9/9/9/F8/9 b"
    );
}

#[test]
fn choices_stand_in_the_bracket_unless_a_comment_comes_between() {
    let start: Position = "3bbfff1/9/9/5c3/5E3/9/6B2/9/FFF6 w".parse().unwrap();
    let play = |comments: [&str; 4]| {
        let mut record = record_from(start, Rules::PUBLISHED);
        for ply in ["C7NW", "=I5", "1I5I4", "E6E"].into_iter().zip(comments) {
            push(&mut record, &[ply]);
        }
        let text = record.to_string();
        same(&read(&text).unwrap_or_else(|error| panic!("{error}")), &record);
        text.split_once("\n\n").unwrap().1.to_owned()
    };
    let last = "2. E6E8 *\n";
    assert_eq!(play(["", "", "", ""]), format!("1. C7E6/E6:F6(I5=5) 1I5I4 {last}"));
    assert_eq!(
        play(["", "b", "", ""]),
        format!("1. C7E6/E6:F6(I5=5) {{b}} 1I5I4 {last}")
    );
    assert_eq!(
        play(["a", "b", "", ""]),
        format!("1. C7E6/E6:F6 {{a}} =I5 {{b}} 1I5I4 {last}")
    );
    // Two choices, and a comment between them; White's choice in a turn of its own, where its number goes.
    let turns = |start: &str, plies: &[(&str, &str)]| {
        let mut record = record_from(start.parse().unwrap(), Rules::PUBLISHED);
        push(&mut record, plies);
        let text = record.to_string();
        same(&read(&text).unwrap_or_else(|error| panic!("{error}")), &record);
        text.split_once("\n\n").unwrap().1.to_owned()
    };
    let two = "3ddddd1/9/9/9/9/3Ae4/9/9/FFFF5 w";
    let plies = [("D4E", ""), ("=I7", "x"), ("=I4", "")];
    assert_eq!(turns(two, &plies), "1. D4:D5(I7=6) {x} =I4 *\n");
    let plies = [
        ("E4NE", ""),
        ("1B1C9", ""),
        ("F5NE", ""),
        ("C9NW", ""),
        ("G5E", "x"),
        ("=F7", ""),
        ("G2W", ""),
    ];
    let text = "1... E4F5 2. 1B1C9 F5G5 3. C9G7 G5G6/G6:G7(B1=6) {x} 4. =F7 G2:G7 1-0\n";
    assert_eq!(turns(PROBLEM, &plies), text);
    // A record can end, and begin, before the choice.
    let mut record = record_from(start, Rules::PUBLISHED);
    push(&mut record, &[("C7NW", "")]);
    assert!(record.to_string().ends_with("\n\n1. C7E6/E6:F6 *\n"));
    same(&read(&record.to_string()).unwrap(), &record);
    let mut record = record_from(*record.game().position(), Rules::PUBLISHED);
    push(&mut record, &[("=I4", ""), ("1I4I5", "")]);
    assert!(record.to_string().ends_with("\n\n1... =I4 1I4I5 *\n"), "{record}");
    same(&read(&record.to_string()).unwrap(), &record);
}

/// Plays actions in exact form.
fn played(start: &str, rules: Rules, actions: &str) -> Record {
    let start = if start.is_empty() {
        Position::initial()
    } else {
        start.parse().unwrap()
    };
    let mut record = record_from(start, rules);
    for text in actions.split_whitespace() {
        push(&mut record, &[(text, "")]);
    }
    record
}

#[test]
fn every_way_to_end_is_recorded_with_its_reason() {
    let shuffle = "1A6A7 1I6I7 1A7A6 1I7I6 ".repeat(2);
    let (white, black) = (Some(Outcome::Win(Player::White)), Some(Outcome::Win(Player::Black)));
    let capture = "3bbfff1/9/9/5c3/5E3/9/6B2/9/FFF6 w";
    for (record, outcome, result, termination) in [
        (played(PROBLEM, Rules::default(), "E4NE"), None, "*", "unterminated"),
        (problem(), white, "1-0", "four dice"),
        (
            played("2ffff3/9/9/9/9/9/9/9/EEEEE4 b", Rules::default(), ""),
            white,
            "1-0",
            "four dice",
        ),
        (
            played("eeeee4/9/9/9/9/9/9/9/5FFFF w", Rules::default(), ""),
            black,
            "0-1",
            "four dice",
        ),
        // Four 5s on row A and one on I5, all blocked, none beside another.
        (
            played("3cEc3/4cd3/9/9/9/8c/1c1c1c3/9/E1E1E1E2 w", Rules::PUBLISHED, ""),
            black,
            "0-1",
            "no action",
        ),
        (
            played("", limits(3, 100, 400), &shuffle),
            Some(Outcome::Draw),
            "1/2-1/2",
            "repetition",
        ),
        (
            played("", limits(0, 3, 400), "A3NE I3SW 1A8A7"),
            Some(Outcome::Draw),
            "1/2-1/2",
            "quiet turns",
        ),
        (
            played("", limits(0, 0, 3), "A3NE I3SW A7NW"),
            Some(Outcome::Truncated),
            "*",
            "length limit",
        ),
        // The limit comes before the choice: the bracket stays away.
        (
            played(capture, limits(0, 0, 1), "C7NW"),
            Some(Outcome::Truncated),
            "*",
            "length limit",
        ),
    ] {
        check_end(&record, outcome, result, termination);
        let mut again = record.clone();
        if termination != "unterminated" {
            let error = RecordError::Ended(termination.to_owned());
            assert_eq!(again.push(action("A3NE")), Err(error.clone()));
            assert_eq!(again.declare(Outcome::Truncated, "resignation"), Err(error));
            same(&again, &record);
        }
    }
    for (outcome, result, reason) in [
        (white, "1-0", "resignation"),
        (Some(Outcome::Draw), "1/2-1/2", "agreed \"draw\""),
        (None, "*", "power failure"),
    ] {
        let mut record = played("", Rules::default(), "A3NE");
        record.declare(outcome.unwrap_or(Outcome::Truncated), reason).unwrap();
        check_end(&record, outcome.or(Some(Outcome::Truncated)), result, reason);
        assert!(matches!(record.push(action("I3SW")), Err(RecordError::Ended(_))));
    }
}

#[track_caller]
fn check_end(record: &Record, outcome: Option<Outcome>, result: &str, termination: &str) {
    assert_eq!(record.end(), outcome.map(|outcome| (outcome, termination)));
    let text = record.to_string();
    assert!(text.contains(&format!("[Result \"{result}\"]\n")), "{text}");
    let quoted = termination.replace('"', "\\\"");
    assert!(text.contains(&format!("[Termination \"{quoted}\"]\n")), "{text}");
    assert!(text.ends_with(&format!("{result}\n")), "{text}");
    same(&read(&text).unwrap_or_else(|error| panic!("{error}")), record);
}

#[test]
fn what_a_record_cannot_take_is_refused() {
    let mut record = played("", Rules::default(), "A3NE");
    let before = record.clone();
    assert!(matches!(record.push(action("A1NE")), Err(RecordError::Illegal(_))));
    for name in ["", "1st", "A B", "Ä", "A\"", "_a"] {
        assert_eq!(record.set_tag(name, "x"), Err(RecordError::TagName(name.to_owned())));
    }
    for name in ["Game", "Result", "Termination", "Rules", "Position"] {
        assert_eq!(record.set_tag(name, "x"), Err(RecordError::DerivedTag(name.to_owned())));
    }
    let conventions = Convention::ALL.map(Convention::name);
    let reasons = Chase::END_REASONS.iter().copied().chain(conventions);
    for reason in reasons.chain(["", " \n", "unterminated", "four  dice"]) {
        assert!(
            matches!(record.declare(Outcome::Truncated, reason), Err(RecordError::Reason(_))),
            "{reason}"
        );
    }
    same(&record, &before);
}

#[derive(Deserialize)]
struct ReferenceGame {
    actions: Vec<String>,
    last: String,
    end: String,
}

fn reference_games() -> Vec<ReferenceGame> {
    let mut text = String::new();
    let packed: &[u8] = include_bytes!("../../../data/games.jsonl.gz");
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_reference_games_are_read_as_they_were_written() {
    let games = reference_games();
    let records: Vec<Record> = games
        .iter()
        .map(|game| played("", Rules::PUBLISHED, &game.actions.join(" ")))
        .collect();
    let text = records.iter().map(Record::to_string).collect::<Vec<_>>().join("\n");
    let read: Vec<Record> = read_all(&text).map(|record| record.unwrap()).collect();
    assert_eq!(read.len(), 300);
    for ((game, record), read) in games.iter().zip(&records).zip(&read) {
        assert_same(read, record);
        assert_eq!(read.game().position().to_short_cfen(), game.last);
        assert_eq!(read.end().map(|(outcome, _)| outcome.name()), Some(&*game.end));
        let actions: Vec<String> = read.actions().iter().map(ToString::to_string).collect();
        let mut replayed = Chase::new(&Rules::PUBLISHED);
        actions.iter().for_each(|text| replayed.apply(action(text)));
        assert_eq!(replayed.position().to_short_cfen(), game.last);
    }
    assert!(
        text.lines()
            .all(|line| line.chars().count() <= 80 && line.trim_end() == line)
    );
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn random_records_are_read_as_they_were_written(
        seed: u64,
        plies in 0_usize..300,
        rules in (0_u32..4, 0_u32..30, 0_u32..200),
        comments in prop::collection::vec("(\\PC|[ {}\\\\\"\\[\\]\n\t]){0,30}", 0..5),
        tags in prop::collection::vec(("[A-Za-z][A-Za-z0-9_]{0,8}", "(\\PC|[\\\\\"\\]\n]){0,20}"), 0..5),
    ) {
        read_as_written::<Chase>(&limits(rules.0, rules.1, rules.2), seed, plies, &comments, &tags);
    }
}
