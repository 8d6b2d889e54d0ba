//! Records of any game: text for people, which is read back.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use crate::{Game, Outcome, Player};

/// Width of a line of actions, in columns.
const WIDTH: usize = 80;
/// The result of a game that has none yet.
const UNFINISHED: &str = "*";

/// A game as a record: tags such as `[Dark "greedy"]`, then the numbered turns of both players, with all plies of a
/// turn in order, and comments in `{…}`. [`fmt::Display`] writes it, [`Record::read`] reads it.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    /// Those that the game does not determine.
    tags: TagList,
    rules: G::Rules,
    start: G,
    game: G,
    actions: Vec<G::Action>,
    /// By the number of plies before them.
    comments: BTreeMap<usize, String>,
    /// An end that the board does not show, such as a resignation.
    declared: Option<(Outcome, String)>,
}

/// Error returned for a text that is no record of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each is a message")]
pub enum RecordError {
    #[error("line {line}: expected a tag such as [Event \"…\"], found `{text}`")]
    Tag { line: usize, text: String },
    #[error("a record of {found}, expected one of {expected}")]
    Game { found: String, expected: &'static str },
    #[error("[{tag} \"{text}\"]: {reason}")]
    Value {
        tag: &'static str,
        text: String,
        reason: String,
    },
    #[error("a comment has no end: expected }} after `{{{text}`")]
    Comment { text: String },
    #[error("ply {ply}, `{text}`: {reason}")]
    Action { ply: usize, text: String, reason: String },
}

impl<G: Game> Record<G> {
    /// A record without plies.
    pub fn new(start: G, rules: G::Rules) -> Self {
        Self {
            tags: Vec::new(),
            rules,
            game: start.clone(),
            start,
            actions: Vec::new(),
            comments: BTreeMap::new(),
            declared: None,
        }
    }

    /// Reads a record, or a list of turns without tags, of the game that `standard` are the rules of.
    ///
    /// # Errors
    /// If it is no record, or one of another game, or an action is not legal in its position.
    pub fn read(text: &str, standard: &G::Rules) -> Result<Self, RecordError> {
        let (mut tags, turns) = tags(text)?;
        let mut take = |name: &str| {
            let place = tags.iter().position(|(known, _)| known == name)?;
            Some(tags.remove(place).1)
        };
        let expected = G::name(standard);
        if let Some(found) = take("Game").filter(|found| found != expected) {
            return Err(RecordError::Game { found, expected });
        }
        let wrong = |tag, text: &str, reason: &dyn fmt::Display| RecordError::Value {
            tag,
            text: text.to_owned(),
            reason: reason.to_string(),
        };
        let rules = match take("Rules") {
            None => standard.clone(),
            Some(text) => G::rules_from_text(&text, standard).map_err(|reason| wrong("Rules", &text, &reason))?,
        };
        let start = match take("Start") {
            None => G::new(&rules),
            Some(text) => G::from_position_text(&text, &rules).map_err(|error| wrong("Start", &text, &error))?,
        };
        let (result, termination) = (take("Result"), take("Termination"));
        let mut record = Self::new(start, rules);
        record.tags = tags;
        for word in words(turns)? {
            match word {
                Word::Action(text) => record.push_text(text)?,
                Word::Comment(text) => record.comment(record.actions.len(), text),
            }
        }
        if let Some(result) = result.filter(|result| result != UNFINISHED) {
            let ends = [
                Outcome::Win(Player::White),
                Outcome::Win(Player::Black),
                Outcome::Draw,
                Outcome::Truncated,
            ];
            let outcome = ends.into_iter().find(|&outcome| G::outcome_name(outcome) == result);
            let names = ends.map(G::outcome_name).join(", ");
            let outcome =
                outcome.ok_or_else(|| wrong("Result", &result, &format_args!("expected {names} or {UNFINISHED}")))?;
            match record.game.outcome() {
                None => record.declared = Some((outcome, termination.unwrap_or_default())),
                Some(found) if found == outcome => {}
                Some(found) => {
                    let found = G::outcome_name(found);
                    return Err(wrong("Result", &result, &format_args!("the game ends as {found}")));
                }
            }
        }
        Ok(record)
    }

    /// Reads records that stand one behind the other: each begins with a tag, the first perhaps without.
    ///
    /// # Errors
    /// As [`Record::read`], for the first one that is wrong.
    pub fn read_all(text: &str, standard: &G::Rules) -> Result<Vec<Self>, RecordError> {
        let parts = parts(text).into_iter();
        parts.map(|part| Self::read(part, standard)).collect()
    }

    fn push_text(&mut self, text: &str) -> Result<(), RecordError> {
        let wrong = |reason: String| RecordError::Action {
            ply: self.actions.len() + 1,
            text: text.to_owned(),
            reason,
        };
        if let Some(reason) = self.game.end_reason() {
            return Err(wrong(format!("the game is over: {reason}")));
        }
        let action = self.game.parse_action(text);
        self.push(action.map_err(|error| wrong(error.to_string()))?);
        Ok(())
    }

    /// Plays a legal action.
    pub fn push(&mut self, action: G::Action) {
        self.game.apply(action);
        self.actions.push(action);
    }

    /// Takes back all plies from the number `plies` on, and a declared end.
    pub fn truncate(&mut self, plies: usize) {
        self.actions.truncate(plies);
        self.comments.split_off(&(plies + 1));
        self.declared = None;
        self.game.clone_from(&self.start);
        self.actions.iter().for_each(|&action| self.game.apply(action));
    }

    /// Ends the game in a way that the board does not show.
    pub fn declare(&mut self, outcome: Outcome, reason: &str) {
        self.declared = Some((outcome, reason.to_owned()));
    }

    /// Adds a comment behind that many plies, which need not be there yet.
    pub fn comment(&mut self, plies: usize, text: &str) {
        let comment = self.comments.entry(plies).or_default();
        if !comment.is_empty() {
            comment.push(' ');
        }
        *comment += text;
    }

    /// The comment behind that many plies; empty if there is none.
    pub fn comment_at(&self, plies: usize) -> &str {
        self.comments.get(&plies).map_or("", |comment| comment)
    }

    /// Names and values of the tags that the game does not determine.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Sets a tag that the game does not determine. `White` and `Black` name the first and the second player of any
    /// game.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        let name = match name {
            "White" => Self::player_tag(Player::White),
            "Black" => Self::player_tag(Player::Black),
            name => name,
        };
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => value.clone_into(known),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The value of a tag that the game does not determine.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| &**value)
    }

    /// The tag with a player's name.
    pub const fn player_tag(player: Player) -> &'static str {
        match player {
            Player::White => capital(G::PLAYERS.0[0]),
            Player::Black => capital(G::PLAYERS.0[1]),
        }
    }

    /// The conventions that the game is played under.
    pub const fn rules(&self) -> &G::Rules {
        &self.rules
    }

    /// The first position.
    pub const fn start(&self) -> &G {
        &self.start
    }

    /// The game after all plies.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The plies.
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// The end of the game and its reason; `None` while it continues.
    pub fn end(&self) -> Option<(Outcome, &str)> {
        match (self.game.outcome(), &self.declared) {
            (Some(outcome), _) => {
                let reason = self.game.end_reason().expect("a game that is over has a reason");
                Some((outcome, reason))
            }
            (None, Some((outcome, reason))) => Some((*outcome, reason)),
            (None, None) => None,
        }
    }
}

impl<G: Game> fmt::Display for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")
        };
        tag("Game", G::name(&self.rules))?;
        for (name, value) in &self.tags {
            tag(name, value)?;
        }
        let rules = G::rules_text(&self.rules);
        if !rules.is_empty() {
            tag("Rules", &rules)?;
        }
        let start = self.start.position_text();
        if start != G::new(&self.rules).position_text() {
            tag("Start", &start)?;
        }
        match self.end() {
            Some((outcome, reason)) => {
                tag("Result", G::outcome_name(outcome))?;
                tag("Termination", reason)?;
            }
            None => tag("Result", UNFINISHED)?,
        }
        let mut turns = Turns::default();
        let mut game = self.start.clone();
        turns.comment(self.comment_at(0));
        for (ply, &action) in (1..).zip(&self.actions) {
            turns.push(game.to_move(), &game.action_text(action));
            turns.comment(self.comment_at(ply));
            game.apply(action);
        }
        f.write_char('\n')?;
        f.write_str(&turns.lines())
    }
}

/// The name of the game that a record is of, if it has a tag that says so.
pub fn game_of_record(text: &str) -> Option<String> {
    let (tags, _) = tags(text).ok()?;
    tags.into_iter()
        .find(|(name, _)| name == "Game")
        .map(|(_, value)| value)
}

/// The parts of a text that are a record each: a tag behind a turn begins another.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    let (mut has_turns, mut is_comment) = (false, false);
    for line in text.split_inclusive('\n') {
        let is_tag = !is_comment && line.trim_start().starts_with('[');
        if is_tag && has_turns {
            parts.push(&text[start..at]);
            (start, has_turns) = (at, false);
        }
        has_turns |= !is_tag && !line.trim().is_empty();
        let last = line.rfind(['{', '}']).filter(|_| !is_tag);
        is_comment = last.map_or(is_comment, |last| line[last..].starts_with('{'));
        at += line.len();
    }
    parts.push(&text[start..]);
    parts
}

/// Names and values of tags.
type TagList = Vec<(String, String)>;

/// The tags at the beginning of a text, and the rest of it.
fn tags(text: &str) -> Result<(TagList, &str), RecordError> {
    let (mut tags, mut rest) = (Vec::new(), text.trim_start_matches('\u{feff}'));
    for number in 1.. {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.trim();
        if line.starts_with('[') {
            let bad = || RecordError::Tag {
                line: number,
                text: line.to_owned(),
            };
            tags.push(tag(line).ok_or_else(bad)?);
        } else if !line.is_empty() || rest.is_empty() {
            break;
        }
        rest = behind;
    }
    Ok((tags, rest))
}

fn tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let (mut plain, mut is_escaped) = (String::new(), false);
    for character in value.chars() {
        is_escaped = character == '\\' && !is_escaped;
        if !is_escaped {
            plain.push(character);
        }
    }
    Some((name.to_owned(), plain))
}

/// A part of the turns.
enum Word<'a> {
    Action(&'a str),
    Comment(&'a str),
}

/// The actions and comments of turns: without numbers and the sign of an unfinished game.
fn words(mut text: &str) -> Result<Vec<Word<'_>>, RecordError> {
    let mut words = Vec::new();
    while let Some(first) = text.trim_start().chars().next() {
        text = text.trim_start();
        if first == '{' {
            let unclosed = || RecordError::Comment {
                text: text.chars().skip(1).take(20).collect(),
            };
            let (comment, rest) = text[1..].split_once('}').ok_or_else(unclosed)?;
            words.push(Word::Comment(comment.trim()));
            text = rest;
            continue;
        }
        let end = text.find(|found: char| found.is_whitespace() || found == '{');
        let (word, rest) = text.split_at(end.unwrap_or(text.len()));
        text = rest;
        // A number may stand before its action without a blank.
        let behind = word.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let action = match behind.starts_with('.') && behind.len() < word.len() {
            true => behind.trim_start_matches('.'),
            false => word,
        };
        if !action.is_empty() && action != UNFINISHED {
            words.push(Word::Action(action));
        }
    }
    Ok(words)
}

/// The tag of a player: the name, capitalised.
const fn capital(name: &'static str) -> &'static str {
    match name.as_bytes() {
        b"white" => "White",
        b"black" => "Black",
        b"dark" => "Dark",
        b"light" => "Light",
        b"first" => "First",
        b"second" => "Second",
        _ => name,
    }
}

/// Turns as words, with their numbers.
#[derive(Default)]
struct Turns {
    words: Vec<String>,
    number: u32,
    last: Option<Player>,
}

impl Turns {
    fn push(&mut self, player: Player, action: &str) {
        if self.last != Some(player) {
            if player == Player::White {
                self.number += 1;
                self.words.push(format!("{}.", self.number));
            } else if self.last.is_none() {
                self.number += 1;
                self.words.push(format!("{}...", self.number));
            }
        }
        self.last = Some(player);
        self.words.push(action.to_owned());
    }

    fn comment(&mut self, text: &str) {
        if !text.is_empty() {
            self.words.push(format!("{{{text}}}"));
        }
    }

    /// The words in lines.
    fn lines(&self) -> String {
        let (mut text, mut column) = (String::new(), 0);
        for word in &self.words {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > WIDTH {
                text.push('\n');
                column = 0;
            }
            if column > 0 {
                text.push(' ');
                column += 1;
            }
            text += word;
            column += length;
        }
        text.push('\n');
        text
    }
}
