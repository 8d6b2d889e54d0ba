//! Errors that point at the place in a text.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::chase::IllegalAction;
use crate::chase::setup::SetupError;
use crate::text_error::{line_number, write_place};

/// The fault of a text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// The text does not have the form it must have here.
    Expected(Cow<'static, str>),
    /// The text has the form of a position that the rules do not allow.
    Setup(SetupError),
    /// The text has the form of an action that is not legal in the position.
    Illegal(IllegalAction),
    /// The text names more than one legal action, with different results.
    Ambiguous {
        /// The exact forms of those actions.
        candidates: Vec<String>,
    },
}

/// Error returned for a text that cannot be read: the fault, the text, and the place in it.
///
/// `Display` shows all three over several lines, with a mark below the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The fault.
    pub kind: ParseErrorKind,
    /// The whole text.
    pub input: String,
    /// The place in the text, in bytes, on character boundaries; empty where something is missing.
    pub span: Range<usize>,
}

impl ParseError {
    /// The text at `span` is not what was expected.
    pub(crate) fn expected(what: impl Into<Cow<'static, str>>, input: &str, span: Range<usize>) -> Self {
        Self::new(ParseErrorKind::Expected(what.into()), input, span)
    }

    pub(crate) fn new(kind: ParseErrorKind, input: &str, span: Range<usize>) -> Self {
        Self {
            kind,
            input: input.to_owned(),
            span,
        }
    }

    /// A line is longer than anything that could stand there; `shown` is its beginning.
    pub fn line_too_long(shown: &str, limit: u64) -> Self {
        Self::expected(format!("a line of less than {limit} bytes"), shown, 0..shown.len())
    }

    /// The same error in a longer text, of which this one's input is the part that begins at `offset`.
    pub(crate) fn within(self, input: &str, offset: usize) -> Self {
        Self {
            kind: self.kind,
            input: input.to_owned(),
            span: self.span.start + offset..self.span.end + offset,
        }
    }

    /// The line of the input that the error is in, counted from 1.
    pub fn line(&self) -> usize {
        line_number(&self.input, &self.span)
    }
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::Setup(error) => error.fmt(f),
            Self::Illegal(error) => write!(f, "illegal: {error}"),
            Self::Ambiguous { candidates } => {
                write!(f, "ambiguous: write {}", candidates.join(" or "))
            }
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        write_place(f, &self.input, &self.span)
    }
}

impl std::error::Error for ParseError {}
