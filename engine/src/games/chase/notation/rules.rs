//! The conventions of a game as text: `repetition 3, quiet 100, length 400`, each with its limit or `off`.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use super::ParseError;
use crate::chase::Rules;

const NAMES: [&str; 3] = ["repetition", "quiet", "length"];

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [self.repetition, self.quiet_turns, self.max_turns];
        let texts = NAMES.into_iter().zip(limits).map(|(name, limit)| match limit {
            Some(limit) => format!("{name} {limit}"),
            None => format!("{name} off"),
        });
        f.write_str(&texts.collect::<Vec<_>>().join(", "))
    }
}

/// Reads exactly what is written.
impl FromStr for Rules {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut limits = [None; 3];
        let mut at = 0;
        let mut words = text.split(", ");
        for (name, limit) in NAMES.into_iter().zip(&mut limits) {
            let word = words.next();
            let value = word.and_then(|word| word.strip_prefix(name)?.strip_prefix(' '));
            *limit = match value {
                Some("off") => None,
                Some(digits) if is_plain_number(digits) => digits.parse::<NonZeroU32>().ok(),
                _ => None,
            };
            if limit.is_none() && value != Some("off") {
                let start = at.min(text.len());
                let what = format!(
                    "`{name}` with a limit (1 to {}) or `off`, like `{}`",
                    u32::MAX,
                    Self::default()
                );
                return Err(ParseError::expected(
                    what,
                    text,
                    start..start + word.unwrap_or_default().len(),
                ));
            }
            at += word.unwrap_or_default().len() + ", ".len();
        }
        if words.next().is_some() {
            return Err(ParseError::expected(
                "the end of the conventions",
                text,
                at - ", ".len()..text.len(),
            ));
        }
        let [repetition, quiet_turns, max_turns] = limits;
        Ok(Self {
            repetition,
            quiet_turns,
            max_turns,
        })
    }
}

/// Whether a text is a number as it is written: without sign and leading zeros.
fn is_plain_number(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit() && first != '0')
}
