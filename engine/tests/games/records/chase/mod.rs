//! Records of Chase, whose turns contain choices.

mod errors;
mod hostile;

use chase_engine::chase::{Action, Position, Rules};
use chase_engine::record::RecordError;
use chase_engine::{Chase, Outcome, Player, TextError};

use super::assert_same;

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
    same(&record, &before);
}
