//! Records of whole games of any kind, after the Portable Game Notation of chess.
//!
//! ```text
//! [Game "checkers"]
//! [Dark "network 12"]
//! [Light "network 9"]
//! [Result "*"]
//! [Termination "unterminated"]
//! [Rules "repetition 3, quiet 100, length 400"]
//!
//! 1. c3-d4 f6-g5 {Too far to the side.} 2. g3-f4 *
//! ```
//!
//! Tags come first, each on its own line, with `\"` and `\\` for quotation marks and backslashes in values. Five of
//! them follow from the game: `Game` (its name, in records of all games but Chase), `Result` (`1-0` if the first player
//! won, `0-1`, `1/2-1/2`, and `*` for games that were truncated or never finished),
//! `Termination` (the reason, or `unterminated`), `Rules` (the conventions, which a record must name where the game has
//! any), and `Position` (that the game began from, if it is not the initial one). Behind a blank line follow the turns in
//! the notation for people with their numbers, `12.` before the first player's and `12...` before the second player's
//! where the game begins with it; comments in braces behind turns, with `\}` and `\\` for closing braces and backslashes;
//! and the result once more. Lines are wrapped to 80 columns. A file can hold any number of records with blank lines
//! between.
//!
//! The reader plays every action, and refuses what contradicts the board. It takes any blanks and line ends between
//! words and tags in any order; numbers of turns may be missing, but not be wrong.

mod read;
mod write;

use std::collections::BTreeMap;
use std::fmt;

use crate::games::conventions::Convention;
use crate::{Game, Outcome, Player};
pub use read::game_of_record;

/// A game with everything on record about it: tags, start, conventions, and its plies with comments.
///
/// Legal by construction: it is played ply by ply. `Display` writes it, [`Record::read`] reads one, and
/// [`Record::read_all`] a file of them.
#[derive(Clone, Debug)]
pub struct Record<G: Game> {
    /// Those that do not follow from the game.
    tags: Vec<(String, String)>,
    rules: G::Rules,
    start: G,
    game: G,
    turn: Turn,
    actions: Vec<G::Action>,
    /// By the number of plies before them.
    comments: BTreeMap<usize, String>,
    /// An end that the board does not show, such as a resignation.
    declared: Option<(Outcome, String)>,
}

/// Error returned for an action, a result or a tag that a record cannot take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum RecordError {
    #[error("the action {0} is not legal here")]
    Illegal(String),
    #[error("the game has ended already: {0}")]
    Ended(String),
    #[error("`{0}` is not the name of a tag: expected letters, digits and `_`, beginning with a letter")]
    TagName(String),
    #[error("the tag {0} follows from the game and is not set by hand")]
    DerivedTag(String),
    #[error(
        "`{0}` is not a reason that can be declared: expected a reason that the board does not show, like `resignation`"
    )]
    Reason(String),
}

/// The tags that follow from the game.
const DERIVED: [&str; 5] = ["Game", "Result", "Termination", "Rules", "Position"];
/// The termination of a game that has not ended.
const UNTERMINATED: &str = "unterminated";

impl<G: Game> Record<G> {
    /// A record without tags and plies.
    pub fn new(start: G, rules: G::Rules) -> Self {
        Self {
            tags: Vec::new(),
            rules,
            game: start.clone(),
            turn: Turn::first(&start),
            start,
            actions: Vec::new(),
            comments: BTreeMap::new(),
            declared: None,
        }
    }

    /// Plays an action.
    ///
    /// # Errors
    /// If the action is not legal, or the game has ended.
    pub fn push(&mut self, action: G::Action) -> Result<(), RecordError> {
        self.check_goes_on()?;
        if !self.game.is_legal(action) {
            return Err(RecordError::Illegal(self.game.action_text(action)));
        }
        self.play(action);
        Ok(())
    }

    fn check_goes_on(&self) -> Result<(), RecordError> {
        match self.end() {
            Some((_, reason)) => Err(RecordError::Ended(reason.to_owned())),
            None => Ok(()),
        }
    }

    fn play(&mut self, action: G::Action) {
        self.game.apply(action);
        self.turn.advance(self.game.to_move());
        self.actions.push(action);
    }

    /// Takes back all plies from the number `plies` on, and a declared end.
    pub fn truncate(&mut self, plies: usize) {
        self.comments.split_off(&(plies + 1));
        self.declared = None;
        self.game.clone_from(&self.start);
        self.turn = Turn::first(&self.start);
        let kept = std::mem::take(&mut self.actions).into_iter().take(plies);
        kept.for_each(|action| self.play(action));
    }

    /// Ends a game that has not ended on the board: by resignation, forfeit, adjudication, an agreed draw, or as
    /// [`Outcome::Truncated`] without a result.
    ///
    /// # Errors
    /// If it has ended already; if the reason is empty or one of the board's.
    pub fn declare(&mut self, outcome: Outcome, reason: &str) -> Result<(), RecordError> {
        self.check_goes_on()?;
        let reason = one_line(reason);
        if reason.is_empty() || reason == UNTERMINATED || is_board_reason::<G>(&reason) {
            return Err(RecordError::Reason(reason));
        }
        self.declared = Some((outcome, reason));
        Ok(())
    }

    /// Adds a comment to the last ply, behind an earlier one. In comments as in tags, line ends and other control
    /// characters count as blanks, and of several blanks one is kept.
    ///
    /// # Panics
    /// If there is no ply.
    pub fn comment(&mut self, text: &str) {
        assert!(!self.actions.is_empty(), "a comment stands behind a ply");
        let text = one_line(text);
        if text.is_empty() {
            return;
        }
        let comment = self.comments.entry(self.actions.len()).or_default();
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(&text);
    }

    /// The comment behind that many plies; empty if there is none.
    pub fn comment_at(&self, plies: usize) -> &str {
        self.comments.get(&plies).map_or("", |comment| comment)
    }

    /// Sets a tag, such as `Event` or `Date`: in place of its earlier value, or behind the others. `White` and `Black`
    /// name the first and the second player of any game.
    ///
    /// # Errors
    /// If the name is not made of ASCII letters, digits and `_`, beginning with a letter; if the tag follows from the
    /// game.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), RecordError> {
        let name = match name {
            "White" => Self::player_tag(Player::White),
            "Black" => Self::player_tag(Player::Black),
            name => name,
        };
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

    /// The game before its first ply.
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
        match &self.declared {
            Some((outcome, reason)) => Some((*outcome, reason)),
            None => self.game.end(),
        }
    }
}

/// The number of the turn that a game is in, and its player.
#[derive(Clone, Copy, Debug)]
struct Turn {
    number: u32,
    player: Player,
}

impl Turn {
    fn first<G: Game>(start: &G) -> Self {
        Self {
            number: start.turn_number(),
            player: start.to_move(),
        }
    }

    /// Goes on with the player who is to move: the number grows behind the second player's turn.
    const fn advance(&mut self, player: Player) {
        if let (Player::Black, Player::White) = (self.player, player) {
            self.number = self.number.saturating_add(1);
        }
        self.player = player;
    }
}

/// `12.` or `12...`.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = match self.player {
            Player::White => ".",
            Player::Black => "...",
        };
        write!(f, "{}{dots}", self.number)
    }
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

/// True if a character may stand in the name of a tag.
const fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// True if a termination says that the game ended on the board.
fn is_board_reason<G: Game>(text: &str) -> bool {
    G::END_REASONS.contains(&text) || Convention::ALL.iter().any(|convention| convention.name() == text)
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
