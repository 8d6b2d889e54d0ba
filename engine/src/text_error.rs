//! Errors that point to a position in a text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// Error returned for an invalid text: the fault, the text, and the range of the fault.
///
/// `Display` shows all three over several lines, with a mark below the range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The fault, or what was expected.
    pub message: Cow<'static, str>,
    /// The whole text.
    pub input: String,
    /// The range of the fault in bytes, on character boundaries; empty if something is missing.
    pub span: Range<usize>,
}

impl TextError {
    /// An error with a fault at `span`.
    pub fn new(message: impl Into<Cow<'static, str>>, input: &str, span: Range<usize>) -> Self {
        Self {
            message: message.into(),
            input: input.to_owned(),
            span,
        }
    }

    /// An error for a text at `span` that is not what was expected.
    pub fn expected(what: impl fmt::Display, input: &str, span: Range<usize>) -> Self {
        Self::new(format!("expected {what}"), input, span)
    }

    /// An action is not legal.
    pub(crate) fn illegal(reason: impl fmt::Display, input: &str, span: Range<usize>) -> Self {
        Self::new(format!("illegal: {reason}"), input, span)
    }

    /// The game that an action is for has ended, for a reason.
    pub(crate) fn game_over(reason: &str, input: &str) -> Self {
        Self::illegal(format!("the game is over: {reason}"), input, 0..input.len())
    }

    /// The line of the input that contains the fault, from 1.
    pub fn line(&self) -> usize {
        self.input[..self.span.start].matches('\n').count() + 1
    }
}

/// The fault, the line number if there are several lines, and below it the line with a mark under the range; of the line at most
/// 60 characters on either side.
impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CONTEXT: usize = 60;
        let Self { message, input, span } = self;
        f.write_str(message)?;
        let start = input[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let line = input[start..].lines().next().unwrap_or_default();
        let before: Vec<char> = input[start..span.start].chars().collect();
        let cut = before.len().saturating_sub(CONTEXT);
        let shown: String = line.chars().skip(cut).take(2 * CONTEXT).map(visible).collect();
        let width = input[span.clone()].lines().next().unwrap_or_default().chars().count();
        if input.contains('\n') {
            write!(f, " (line {})", self.line())?;
        }
        let indent = before.len() - cut;
        let width = width.min(shown.chars().count().saturating_sub(indent)).max(1);
        write!(f, "\n  {shown}\n  {:indent$}{:^<width$}", "", "")
    }
}

impl std::error::Error for TextError {}

/// The number from `least` on at `span`, as it is written: without sign and leading zeros.
pub(crate) fn number(text: &str, what: &str, span: Range<usize>, least: u32) -> Result<u32, TextError> {
    /// Far beyond any game, and safe to count on from.
    const MOST: u32 = 1_000_000_000;
    let number = plain_number(&text[span.clone()]).filter(|number| (least..=MOST).contains(number));
    number.ok_or_else(|| TextError::expected(format!("{what}, from {least} to {MOST}"), text, span))
}

/// The number that a word is, as numbers are written: without sign and leading zeros.
pub(crate) fn plain_number(word: &str) -> Option<u32> {
    // `u32::from_str` takes both.
    let plain = word == "0" || !word.starts_with(['0', '+']);
    word.parse().ok().filter(|_| plain)
}

/// Replaces control characters, which would break the line or the terminal.
fn visible(character: char) -> char {
    if character.is_control() { '\u{fffd}' } else { character }
}
