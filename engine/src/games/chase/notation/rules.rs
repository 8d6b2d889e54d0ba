//! The conventions of a game as text: `repetition 3, quiet 100, length 400`, each with its limit or `off`.

use std::fmt;
use std::str::FromStr;

use super::ParseError;
use crate::chase::Rules;
use crate::games::limits;

const NAMES: [&str; 3] = ["repetition", "quiet", "length"];

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        limits::write(f, NAMES, [self.repetition, self.quiet_turns, self.max_turns])
    }
}

/// Reads exactly what is written.
impl FromStr for Rules {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = limits::read(NAMES, text, &Self::default());
        let [repetition, quiet_turns, max_turns] =
            read.map_err(|(what, span)| ParseError::expected(what, text, span))?;
        Ok(Self {
            repetition,
            quiet_turns,
            max_turns,
        })
    }
}
