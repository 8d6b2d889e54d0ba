//! Reading records.

use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr;

use super::{DERIVED, Record, Termination, is_name, one_line, result_text};
use crate::chase::notation::ParseError;
use crate::chase::{Position, Rules};
use crate::{Outcome, Player};

const RESULTS: [Option<Outcome>; 4] = [
    Some(Outcome::Win(Player::White)),
    Some(Outcome::Win(Player::Black)),
    Some(Outcome::Draw),
    None,
];

impl Record {
    /// Reads the records of a file, one after the other, and stops behind the first error.
    ///
    /// Errors show their place in the whole text.
    pub fn read_all(text: &str) -> impl Iterator<Item = Result<Self, ParseError>> {
        let mut reader = Reader::new(text);
        std::iter::from_fn(move || {
            reader.skip_blanks();
            if reader.at == text.len() {
                return None;
            }
            let record = reader.record();
            if record.is_err() {
                reader.at = text.len();
            }
            Some(record)
        })
    }

    /// Reads a game without tags: its turns as in a record, from the initial position under the default conventions.
    /// Numbers, comments and a result at the end may be missing; a result is not compared with the board.
    ///
    /// # Errors
    /// At the first word that is no legal turn.
    pub fn from_turns(text: &str) -> Result<Self, ParseError> {
        let mut reader = Reader::new(text);
        let mut record = Self::new(Position::initial(), Rules::default());
        loop {
            reader.skip_blanks();
            let word = reader.word();
            if reader.rest().is_empty() {
                return Ok(record);
            }
            if outcome_of(&text[word.clone()]).is_some() && text[word.end..].trim_ascii_start().is_empty() {
                reader.at = word.end;
            } else if reader.rest().starts_with('{') {
                reader.comment(&mut record)?;
            } else {
                reader.turn(&mut record)?;
            }
        }
    }
}

/// Reads one record and nothing else.
impl FromStr for Record {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut reader = Reader::new(text);
        let record = reader.record()?;
        reader.skip_blanks();
        if reader.at < text.len() {
            return Err(reader.expected("the end of the record", reader.word()));
        }
        Ok(record)
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// The end of a record according to its tags: the places of their values in the text.
struct Claims {
    result: Range<usize>,
    termination: Option<Range<usize>>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        // A byte order mark is no part of the text.
        let at = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
        Self { text, at }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn expected(&self, what: impl Into<String>, span: Range<usize>) -> ParseError {
        ParseError::expected(what.into(), self.text, span)
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_ascii_start().len();
    }

    /// The place of the word that begins here; a comment begins another.
    fn word(&self) -> Range<usize> {
        let ends = |character: char| character.is_ascii_whitespace() || character == '{';
        let length = self.rest().find(ends).unwrap_or(self.rest().len());
        self.at..self.at + length
    }

    fn record(&mut self) -> Result<Record, ParseError> {
        let (mut record, claims) = self.tags()?;
        loop {
            self.skip_blanks();
            let word = self.word();
            if self.rest().starts_with('{') {
                self.comment(&mut record)?;
            } else if outcome_of(&self.text[word.clone()]).is_some() {
                self.at = word.end;
                self.conclude(&mut record, &claims, word)?;
                return Ok(record);
            } else if word.is_empty() || self.rest().starts_with('[') {
                return Err(self.expected("a turn, or the result: 1-0, 0-1, 1/2-1/2 or *", word));
            } else {
                self.turn(&mut record)?;
            }
        }
    }

    /// Reads the tags, and makes a record from those that its game depends on.
    fn tags(&mut self) -> Result<(Record, Claims), ParseError> {
        let mut places = BTreeMap::new();
        let mut set = Vec::new();
        self.skip_blanks();
        while self.rest().starts_with('[') {
            let start = self.at + 1;
            let (name, value) = self.tag()?;
            if places.insert(name, value.clone()).is_some() {
                return Err(self.expected(format!("the tag {name} only once"), start..start + name.len()));
            }
            if !DERIVED.contains(&name) {
                // Not `set_tag`, which looks for an earlier one of that name: slow, if there are many.
                set.push((name.to_owned(), one_line(&unescaped(&self.text[value], '"'))));
            }
            self.skip_blanks();
        }
        let mut needed = |name, example| {
            let what = || format!("a tag [{name} \"{example}\"]");
            places
                .remove(name)
                .ok_or_else(|| self.expected(what(), self.at..self.at))
        };
        let result = needed("Result", "*")?;
        let rules_place = needed("Rules", &Rules::default().to_string())?;
        let within = |error: ParseError, place: Range<usize>| error.within(self.text, place.start);
        if outcome_of(&self.text[result.clone()]).is_none() {
            return Err(self.expected("1-0, 0-1, 1/2-1/2 or *", result));
        }
        let rules: Result<Rules, _> = self.text[rules_place.clone()].parse();
        let rules = rules.map_err(|error| within(error, rules_place))?;
        let start = match places.remove("Position") {
            Some(place) => self.text[place.clone()].parse().map_err(|error| within(error, place))?,
            None => Position::initial(),
        };
        let mut record = Record::new(start, rules);
        record.tags = set;
        let termination = places.remove("Termination");
        Ok((record, Claims { result, termination }))
    }

    /// Reads a tag; returns its name and the place of its value, as it is written.
    fn tag(&mut self) -> Result<(&'a str, Range<usize>), ParseError> {
        self.at += 1;
        let rest = self.rest();
        let length = rest.find(|character: char| !is_name(character)).unwrap_or(rest.len());
        let name = &rest[..length];
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let what = "the name of a tag: letters, digits and `_`, beginning with a letter";
            return Err(self.expected(what, self.at..self.at + length));
        }
        self.at += length;
        self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t']).len();
        if !self.rest().starts_with('"') {
            return Err(self.expected(format!("`\"` before the value of the tag {name}"), self.at..self.at));
        }
        let start = self.at + 1;
        let end = start + find_end(&self.text[start..], b"\"\r\n");
        if !self.text[end..].starts_with('"') {
            let what = format!("`\"` behind the value of the tag {name}, on the same line");
            return Err(self.expected(what, end..end));
        }
        self.at = end + 1;
        if !self.rest().starts_with(']') {
            return Err(self.expected(format!("`]` behind the value of the tag {name}"), self.at..self.at));
        }
        self.at += 1;
        Ok((name, start..end))
    }

    /// Reads a comment and adds it to the last ply.
    fn comment(&mut self, record: &mut Record) -> Result<(), ParseError> {
        let (brace, start) = (self.at..self.at + 1, self.at + 1);
        let end = start + find_end(&self.text[start..], b"}");
        if end == self.text.len() {
            return Err(self.expected("a comment that ends with `}`", brace));
        }
        let Some(ply) = record.plies.last_mut() else {
            return Err(self.expected("a turn before the first comment", brace));
        };
        let comment = one_line(&unescaped(&self.text[start..end], '}'));
        if !ply.comment.is_empty() && !comment.is_empty() {
            ply.comment.push(' ');
        }
        ply.comment.push_str(&comment);
        self.at = end + 1;
        Ok(())
    }

    /// Reads a turn, or a choice that stands alone, with or without its number, and plays it.
    fn turn(&mut self, record: &mut Record) -> Result<(), ParseError> {
        if record.termination != Termination::Unterminated {
            let result = result_text(record.termination.outcome());
            return Err(self.expected(
                format!("{result}: the game has ended, {}", record.termination),
                self.word(),
            ));
        }
        let position = *record.position();
        let digits = self.rest().trim_start_matches(|first: char| first.is_ascii_digit());
        if digits.len() < self.rest().len() && digits.starts_with('.') {
            let place = self.at..self.text.len() - digits.trim_start_matches('.').len();
            let dots = if position.to_move() == Player::White {
                "."
            } else {
                "..."
            };
            let number = format!("{}{dots}", position.turn());
            if self.text[place.clone()] != number {
                return Err(self.expected(format!("`{number}`, the number of this turn"), place));
            }
            self.at = place.end;
            self.skip_blanks();
        }
        let word = self.word();
        let turn = position.parse_article(&self.text[word.clone()]);
        for action in turn.map_err(|error| error.within(self.text, word.start))? {
            // The length limit can come between a capture and the choices after it.
            let played = record.push(action, "");
            played.map_err(|error| self.expected(format!("no absorption: {error}"), word.clone()))?;
        }
        self.at = word.end;
        Ok(())
    }

    /// Compares the end of the game with what the tags and the word at the end say.
    fn conclude(&self, record: &mut Record, claims: &Claims, word: Range<usize>) -> Result<(), ParseError> {
        let result = &self.text[claims.result.clone()];
        if let Termination::Board(outcome, reason) = record.termination {
            let right = result_text(Some(outcome));
            let wrong = |place: &&Range<usize>| self.text[(*place).clone()] != *right;
            if let Some(place) = [&claims.result, &word].into_iter().find(wrong) {
                return Err(self.expected(format!("{right}: the game has ended, {reason}"), place.clone()));
            }
            return match &claims.termination {
                Some(place) if self.text[place.clone()] != *reason.name() => {
                    Err(self.expected(format!("`{reason}`, by which the game has ended"), place.clone()))
                }
                _ => Ok(()),
            };
        }
        if self.text[word.clone()] != *result {
            return Err(self.expected(format!("{result}, as the tag Result says"), word));
        }
        let outcome = outcome_of(result).flatten();
        let unterminated = Termination::Unterminated.to_string();
        match &claims.termination {
            Some(place) if self.text[place.clone()] != unterminated => {
                let what = "the reason of an end that is not on the board, where the game is not over";
                let declared = record.declare(outcome, &unescaped(&self.text[place.clone()], '"'));
                declared.map_err(|_| self.expected(what, place.clone()))
            }
            _ if outcome.is_some() => {
                let what = "`*`: the game is not over on the board, and no Termination says why it ended";
                Err(self.expected(what, claims.result.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// The outcome that a result stands for, with `None` for `*`; `None` if the text is no result.
fn outcome_of(text: &str) -> Option<Option<Outcome>> {
    RESULTS.into_iter().find(|&outcome| result_text(outcome) == text)
}

/// The length of a text up to the first of some ASCII characters that has no backslash before it, or to its end.
/// Before other characters a backslash is nothing special.
fn find_end(text: &str, ends: &[u8]) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escapes = byte == b'\\' && bytes.get(at + 1).is_some_and(|next| *next == b'\\' || *next == ends[0]);
        if ends.contains(&byte) {
            break;
        }
        at += if escapes { 2 } else { 1 };
    }
    at
}

/// The text without the backslashes that stand before another, or before `end`.
fn unescaped(text: &str, end: char) -> String {
    let mut unescaped = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = characters.next_if(|&next| character == '\\' && (next == '\\' || next == end));
        unescaped.push(escaped.unwrap_or(character));
    }
    unescaped
}
