//! Reading records.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::{DERIVED, Record, UNTERMINATED, is_name, one_line, result_text};
use crate::{Game, Outcome, Player, TextError};

const RESULTS: [Option<Outcome>; 4] = [
    Some(Outcome::Win(Player::White)),
    Some(Outcome::Win(Player::Black)),
    Some(Outcome::Draw),
    None,
];

impl<G: Game> Record<G> {
    /// Reads one record of the game that `standard` are the rules of, and nothing else; or, where the text does not begin
    /// with a tag, a list of turns: as in a record, from the initial position under these rules. Numbers, comments and a
    /// result at the end may be missing from it; a result is not compared with the board.
    ///
    /// # Errors
    /// At the first place that is wrong.
    pub fn read(text: &str, standard: &G::Rules) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let record = reader.first(standard)?;
        reader.skip_blanks();
        if reader.at < text.len() {
            return Err(reader.expected("the end of the record", reader.word()));
        }
        Ok(record)
    }

    /// Reads the records of a file, one after the other, or one list of turns as in [`Record::read`], and stops behind
    /// the first error.
    ///
    /// Errors show their place in the whole text.
    pub fn read_all(text: &str, standard: &G::Rules) -> impl Iterator<Item = Result<Self, TextError>> {
        let mut reader = Reader::new(text);
        let mut is_first = true;
        std::iter::from_fn(move || {
            reader.skip_blanks();
            if reader.at == text.len() {
                return None;
            }
            let record = match std::mem::take(&mut is_first) {
                true => reader.first(standard),
                false => reader.record(standard),
            };
            if record.is_err() {
                reader.at = text.len();
            }
            Some(record)
        })
    }
}

/// The name of the game that a record is of, if it has a tag that says so.
pub fn game_of_record(text: &str) -> Option<String> {
    let mut reader = Reader::new(text);
    let place = reader.tags().ok()?.places.remove("Game")?;
    Some(unescaped(&text[place], '"').into_owned())
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// Tags as they are written.
struct Tags<'a> {
    names: Vec<&'a str>,
    /// The places of their values in the text.
    places: BTreeMap<&'a str, Range<usize>>,
}

/// The end of a record according to its tags: the places of their values in the text.
struct Claims {
    result: Range<usize>,
    termination: Option<Range<usize>>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        // A byte order mark is not part of the text.
        let at = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
        Self { text, at }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn expected(&self, what: impl Into<String>, span: Range<usize>) -> TextError {
        TextError::expected(what.into(), self.text, span)
    }

    /// The value of a tag, which is written at this place.
    fn value(&self, place: &Range<usize>) -> Cow<'a, str> {
        unescaped(&self.text[place.clone()], '"')
    }

    /// The error of `part`, which is written at `place`.
    fn within(&self, error: TextError, part: &str, place: Range<usize>) -> TextError {
        // Backslashes in a value move what is behind them.
        let span = match part == &self.text[place.clone()] {
            true => place.start + error.span.start..place.start + error.span.end,
            false => place,
        };
        TextError::new(error.message, self.text, span)
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

    /// Reads a record, or the whole text as a list of turns if it does not begin with a tag.
    fn first<G: Game>(&mut self, standard: &G::Rules) -> Result<Record<G>, TextError> {
        self.skip_blanks();
        if self.rest().starts_with('[') {
            return self.record(standard);
        }
        let mut record = Record::new(G::new(standard), standard.clone());
        loop {
            self.skip_blanks();
            let word = self.word();
            if self.rest().is_empty() {
                return Ok(record);
            }
            if outcome_of(&self.text[word.clone()]).is_some() && self.text[word.end..].trim_ascii_start().is_empty() {
                self.at = word.end;
            } else if self.rest().starts_with('{') {
                self.comment(&mut record)?;
            } else {
                self.turn(&mut record)?;
            }
        }
    }

    fn record<G: Game>(&mut self, standard: &G::Rules) -> Result<Record<G>, TextError> {
        let (mut record, claims) = self.tagged(standard)?;
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
    fn tagged<G: Game>(&mut self, standard: &G::Rules) -> Result<(Record<G>, Claims), TextError> {
        let Tags { names, mut places } = self.tags()?;
        let set = names.into_iter().filter(|name| !DERIVED.contains(name));
        let set = set.map(|name| (name.to_owned(), one_line(&self.value(&places[name]))));
        let set = set.collect();
        let game = G::name(standard);
        if let Some(place) = places.remove("Game").filter(|place| self.value(place) != game) {
            let message = format!("a record of {}, expected a record of {game}", self.value(&place));
            return Err(TextError::new(message, self.text, place));
        }
        let result = self.needed(places.remove("Result"), "Result", "*")?;
        let rules = self.rules::<G>(places.remove("Rules"), standard)?;
        if outcome_of(&self.text[result.clone()]).is_none() {
            return Err(self.expected("1-0, 0-1, 1/2-1/2 or *", result));
        }
        let start = self.start(places.remove("Position"), &rules)?;
        let mut record = Record::new(start, rules);
        record.tags = set;
        let termination = places.remove("Termination");
        Ok((record, Claims { result, termination }))
    }

    /// The place of the value of a tag that must be there, in front of this place.
    fn needed(&self, place: Option<Range<usize>>, name: &str, example: &str) -> Result<Range<usize>, TextError> {
        place.ok_or_else(|| self.expected(format!("a tag [{name} \"{example}\"]"), self.at..self.at))
    }

    /// The conventions, which a record must state where the game has any.
    fn rules<G: Game>(&self, place: Option<Range<usize>>, standard: &G::Rules) -> Result<G::Rules, TextError> {
        let example = G::rules_text(standard);
        if place.is_none() && example.is_empty() {
            return Ok(standard.clone());
        }
        let place = self.needed(place, "Rules", &example)?;
        let text = self.value(&place);
        G::rules_from_text(&text, standard).map_err(|error| self.within(error, &text, place))
    }

    /// The game before its first ply.
    fn start<G: Game>(&self, place: Option<Range<usize>>, rules: &G::Rules) -> Result<G, TextError> {
        let Some(place) = place else {
            return Ok(G::new(rules));
        };
        let text = self.value(&place);
        G::from_position_text(&text, rules).map_err(|error| self.within(error, &text, place))
    }

    fn tags(&mut self) -> Result<Tags<'a>, TextError> {
        let (mut names, mut places) = (Vec::new(), BTreeMap::new());
        self.skip_blanks();
        while self.rest().starts_with('[') {
            let start = self.at + 1;
            let (name, value) = self.tag()?;
            if places.insert(name, value).is_some() {
                return Err(self.expected(format!("the tag {name} only once"), start..start + name.len()));
            }
            names.push(name);
            self.skip_blanks();
        }
        Ok(Tags { names, places })
    }

    /// Reads a tag; returns its name and the place of its value, as it is written.
    fn tag(&mut self) -> Result<(&'a str, Range<usize>), TextError> {
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
    fn comment<G: Game>(&mut self, record: &mut Record<G>) -> Result<(), TextError> {
        let (brace, start) = (self.at..self.at + 1, self.at + 1);
        let end = start + find_end(&self.text[start..], b"}");
        if end == self.text.len() {
            return Err(self.expected("a comment that ends with `}`", brace));
        }
        if record.actions.is_empty() {
            return Err(self.expected("a turn before the first comment", brace));
        }
        record.comment(&unescaped(&self.text[start..end], '}'));
        self.at = end + 1;
        Ok(())
    }

    /// Reads a turn, or a choice that stands alone, with or without its number, and plays it.
    fn turn<G: Game>(&mut self, record: &mut Record<G>) -> Result<(), TextError> {
        if let Some((outcome, reason)) = record.end() {
            let result = result_text(Some(outcome));
            return Err(self.expected(format!("{result}: the game has ended, {reason}"), self.word()));
        }
        let digits = self.rest().trim_start_matches(|first: char| first.is_ascii_digit());
        if digits.len() < self.rest().len() && digits.starts_with('.') {
            let place = self.at..self.text.len() - digits.trim_start_matches('.').len();
            let number = record.turn.to_string();
            if self.text[place.clone()] != number {
                return Err(self.expected(format!("`{number}`, the number of this turn"), place));
            }
            self.at = place.end;
            self.skip_blanks();
        }
        let word = self.word();
        let text = &self.text[word.clone()];
        let actions = record.game.parse_people(text);
        let actions = actions.map_err(|error| self.within(error, text, word.clone()))?;
        actions.into_iter().for_each(|action| record.play(action));
        self.at = word.end;
        Ok(())
    }

    /// Compares the end of the game with what the tags and the word at the end say.
    fn conclude<G: Game>(&self, record: &mut Record<G>, claims: &Claims, word: Range<usize>) -> Result<(), TextError> {
        let result = &self.text[claims.result.clone()];
        if let Some((outcome, reason)) = record.end() {
            let right = result_text(Some(outcome));
            let wrong = |place: &&Range<usize>| self.text[(*place).clone()] != *right;
            if let Some(place) = [&claims.result, &word].into_iter().find(wrong) {
                return Err(self.expected(format!("{right}: the game has ended, {reason}"), place.clone()));
            }
            return match &claims.termination {
                Some(place) if self.text[place.clone()] != *reason => {
                    Err(self.expected(format!("`{reason}`, by which the game has ended"), place.clone()))
                }
                _ => Ok(()),
            };
        }
        if self.text[word.clone()] != *result {
            return Err(self.expected(format!("{result}, as the tag Result says"), word));
        }
        let outcome = outcome_of(result).flatten();
        match &claims.termination {
            Some(place) if self.text[place.clone()] != *UNTERMINATED => {
                let what = "a reason that the board does not show: the game is not over there";
                let declared = record.declare(outcome.unwrap_or(Outcome::Truncated), &self.value(place));
                declared.map_err(|_| self.expected(what, place.clone()))
            }
            _ if outcome.is_some() => {
                let what = "`*`: the game is not over on the board, and there is no tag Termination";
                Err(self.expected(what, claims.result.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// The outcome that a result stands for, with `None` for `*`; `None` if the text is not a result.
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
fn unescaped(text: &str, end: char) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut unescaped = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = characters.next_if(|&next| character == '\\' && (next == '\\' || next == end));
        unescaped.push(escaped.unwrap_or(character));
    }
    unescaped.into()
}
