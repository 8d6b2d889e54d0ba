//! Records of whole games, after the Portable Game Notation of chess.
//!
//! ```text
//! [White "network 12"]
//! [Black "network 9"]
//! [Result "*"]
//! [Termination "unterminated"]
//! [Rules "repetition 3, quiet 100, length 400"]
//!
//! 1. 1A6A7 1I4I3 2. A7E5/D5=2/E6=2 {The first Chamber move.} I6:E6(A8=3) *
//! ```
//!
//! Tags come first, each on its own line, with `\"` and `\\` for quotation marks and backslashes in values. Four of
//! them follow from the game: `Result` (`1-0`, `0-1`, `1/2-1/2`, and `*` where no one won and it is no draw: for games
//! that were truncated or never finished), `Termination` (the reason, or `unterminated`), `Rules` (the conventions,
//! which a record must name), and `Position` (the CFEN that the game began from, if it is not the initial one). Behind
//! a blank line follow the turns in article form with their numbers, `12.` before White's and `12...` before Black's
//! where the game begins with it; comments in braces behind turns, with `\}` and `\\` for closing braces and
//! backslashes; and the result once more. Lines are wrapped to 80 columns. A file can hold any number of records with
//! blank lines between.
//!
//! The reader plays every action, and refuses what contradicts the board. It takes any blanks and line ends between
//! words and tags in any order; numbers of turns may be missing, but not be wrong.

mod any_game;
mod read;
mod write;

use std::collections::HashMap;
use std::fmt;

use crate::chase::{Action, EndReason, IllegalAction, Position, Rules};
use crate::{Outcome, Player};
pub(in crate::games::chase) use any_game::{read_articles, write_article};

/// A game of Chase with everything on record about it: tags, start, conventions, and its plies with comments.
///
/// Legal by construction: it is played ply by ply. `Display` writes it, `FromStr` reads one, [`Record::read_all`] reads
/// a file of them, and [`Record::from_turns`] a list of turns without tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    tags: Vec<(String, String)>,
    start: Position,
    rules: Rules,
    plies: Vec<Ply>,
    position: Position,
    /// Number of times that each position has occurred, by its key: a long game must not be searched at every ply.
    occurrences: HashMap<u128, u32>,
    termination: Termination,
}

/// One ply of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The action.
    pub action: Action,
    /// A comment on it, on one line; empty if there is none.
    pub comment: String,
}

/// The end of the game of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// The game continues, or was left unfinished.
    Unterminated,
    /// By the rules or conventions of the game.
    Board(Outcome, EndReason),
    /// For a reason that is not on the board, such as a resignation.
    Declared {
        /// The result; `None` if there is none.
        outcome: Option<Outcome>,
        /// The reason in a word or two.
        reason: String,
    },
}

impl Termination {
    /// The result; `None` if there is none.
    pub const fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Unterminated => None,
            Self::Board(outcome, _) => Some(*outcome),
            Self::Declared { outcome, .. } => *outcome,
        }
    }
}

/// The reason in a word or two.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unterminated => f.write_str("unterminated"),
            Self::Board(_, reason) => reason.fmt(f),
            Self::Declared { reason, .. } => f.write_str(reason),
        }
    }
}

/// Error returned for an action, a result or a tag that a record cannot take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum RecordError {
    #[error("illegal: {0}")]
    Illegal(#[from] IllegalAction),
    #[error("the game has ended already: {0}")]
    Ended(Termination),
    #[error("`{0}` is no name of a tag: expected letters, digits and `_`, beginning with a letter")]
    TagName(String),
    #[error("the tag {0} follows from the game and is not set by hand")]
    DerivedTag(String),
    #[error("`{0}` is no reason that can be declared: expected one that is not on the board, like `resignation`")]
    Reason(String),
    #[error("only the length limit of its own conventions truncates a game")]
    Truncated,
}

/// The tags that follow from the game.
const DERIVED: [&str; 4] = ["Result", "Termination", "Rules", "Position"];

impl Record {
    /// A record without tags of a game that begins from a position.
    pub fn new(start: Position, rules: Rules) -> Self {
        let mut record = Self {
            tags: Vec::new(),
            start,
            rules,
            plies: Vec::new(),
            position: start,
            occurrences: HashMap::new(),
            termination: Termination::Unterminated,
        };
        record.note_position();
        record
    }

    /// Plays an action, with a comment on it: empty for none. In comments as in tags, line ends and other control
    /// characters count as blanks, and of several blanks one is kept.
    ///
    /// # Errors
    /// If the action is not legal, or the game has ended.
    pub fn push(&mut self, action: Action, comment: &str) -> Result<(), RecordError> {
        if self.termination != Termination::Unterminated {
            return Err(RecordError::Ended(self.termination.clone()));
        }
        self.position = self.position.play(action)?;
        let comment = one_line(comment);
        self.plies.push(Ply { action, comment });
        self.note_position();
        Ok(())
    }

    /// Ends a game that has not ended on the board: by resignation, forfeit, adjudication, an agreed draw, or without a
    /// result.
    ///
    /// # Errors
    /// If it has ended already; if the reason is empty or one of the board's; if the outcome is a truncated game.
    pub fn declare(&mut self, outcome: Option<Outcome>, reason: &str) -> Result<(), RecordError> {
        let reason = one_line(reason);
        if self.termination != Termination::Unterminated {
            return Err(RecordError::Ended(self.termination.clone()));
        }
        if reason.is_empty() || is_board_reason(&reason) || reason == Termination::Unterminated.to_string() {
            return Err(RecordError::Reason(reason));
        }
        if outcome == Some(Outcome::Truncated) {
            return Err(RecordError::Truncated);
        }
        self.termination = Termination::Declared { outcome, reason };
        Ok(())
    }

    /// Sets a tag, such as `Event`, `Date`, `White` or `Black`: in place of its earlier value, or behind the others.
    ///
    /// # Errors
    /// If the name is not made of ASCII letters, digits and `_`, beginning with a letter; if the tag follows from the
    /// game.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), RecordError> {
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || !name.chars().all(is_name) {
            return Err(RecordError::TagName(name.to_owned()));
        }
        if DERIVED.contains(&name) {
            return Err(RecordError::DerivedTag(name.to_owned()));
        }
        let value = one_line(value);
        match self.tags.iter_mut().find(|(earlier, _)| earlier == name) {
            Some((_, earlier)) => *earlier = value,
            None => self.tags.push((name.to_owned(), value)),
        }
        Ok(())
    }

    /// The value of a tag that was set.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|&(other, _)| other == name).map(|(_, value)| value)
    }

    /// Names and values of the tags that were set, in their order: those that follow from the game are not among them.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The position that the game began from.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The conventions that the game was played under.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The plies, absorption choices among them.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The position after the last ply.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The end of the game.
    pub const fn termination(&self) -> &Termination {
        &self.termination
    }

    /// Counts the position, and ends the game if it has ended.
    fn note_position(&mut self) {
        let occurrences = self.occurrences.entry(self.position.key()).or_default();
        *occurrences = occurrences.saturating_add(1);
        if let Some((outcome, reason)) = self.position.end(&self.rules, *occurrences) {
            self.termination = Termination::Board(outcome, reason);
        }
    }
}

/// True if a character may stand in the name of a tag.
const fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// True if a termination says that the game ended on the board.
fn is_board_reason(text: &str) -> bool {
    EndReason::ALL.iter().any(|reason| reason.name() == text)
}

/// `1-0`, `0-1`, `1/2-1/2`, or `*`.
const fn result_text(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        Some(Outcome::Win(Player::White)) => "1-0",
        Some(Outcome::Win(Player::Black)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        Some(Outcome::Truncated) | None => "*",
    }
}

/// A text without line ends and other control characters: they count as blanks, and of several blanks one is kept.
fn one_line(text: &str) -> String {
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
