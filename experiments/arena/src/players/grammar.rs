//! The grammar of players as text: a word, options as `KEY=VALUE` separated by commas; some kinds have an argument before them.
//!
//! A [`TextOption`] is the single definition of an option: it is parsed, printed and explained from there.

use std::fmt;
use std::ops::RangeInclusive;

use chase_training::settings::nearest::nearest;

/// Error returned for a text that describes no player, no named player or no openings: what is wrong, and what is expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(pub(crate) String);

impl SpecError {
    /// An error for a player with parts that are missing or do not fit together, as a sentence. `spec` is the whole text.
    pub(crate) fn unfit(spec: &str, reason: impl fmt::Display) -> Self {
        Self(format!("player `{spec}`: {reason}"))
    }

    /// An error for a player without a required part.
    pub(crate) fn missing(spec: &str, expected: impl fmt::Display) -> Self {
        Self(format!("player `{spec}` needs {expected}"))
    }

    /// An error for a text that begins with none of these kinds.
    pub(crate) fn kind(kind: &str, kinds: &[&'static str], expected: &str) -> Self {
        let meant = nearest(kind, kinds.iter().copied());
        let meant = meant.map_or(String::new(), |meant| format!(" (did you mean {meant}?)"));
        Self(format!("unknown player `{kind}`{meant}: expected {expected}"))
    }

    /// An error for an option that is none of these.
    pub(crate) fn key(spec: &str, key: &str, keys: &[&str]) -> Self {
        Self(format!(
            "unknown option `{key}` in player `{spec}`: expected {}",
            one_of(keys)
        ))
    }

    /// An error for an option with a value out of its range.
    pub(crate) fn value(spec: &str, key: &str, value: &str, expected: impl fmt::Display) -> Self {
        Self(format!(
            "`{value}` for option `{key}` in player `{spec}`: expected {expected}"
        ))
    }
}

/// An option that sets fields of a `T`.
pub(crate) struct TextOption<T: 'static> {
    /// Its name, before the equals sign.
    pub key: &'static str,
    /// Its values, and how to set each.
    pub values: Values<T>,
    /// The default, if it is left out.
    pub default: &'static str,
    /// Explanation of the option, as a sentence.
    pub meaning: &'static str,
    /// Its value as text; `None` at its default.
    pub get: fn(&T) -> Option<String>,
}

/// The values of an option, and how to set each.
pub(crate) enum Values<T> {
    /// Integers in this unit and range.
    Integer(&'static str, RangeInclusive<u64>, fn(&mut T, u64)),
    /// Numbers: a description, and a function that returns true if it accepts a number.
    Number(&'static str, fn(&mut T, f32) -> bool),
    /// One of these words.
    Word(&'static [&'static str], fn(&mut T, &str)),
    /// Any other text: a description, and a function that returns true if it accepts a text.
    Text(&'static str, fn(&mut T, &str) -> bool),
}

impl<T> Values<T> {
    /// Sets a value; returns false if the text is not one.
    fn set(&self, settings: &mut T, text: &str) -> bool {
        match self {
            Self::Integer(_, range, set) => {
                let number = integer(text, range.clone());
                number.map(|number| set(settings, number)).is_some()
            }
            Self::Number(_, set) => {
                let number = text.parse().ok().filter(|number: &f32| number.is_finite());
                number.is_some_and(|number| set(settings, number))
            }
            Self::Word(words, set) => {
                let known = words.contains(&text);
                if known {
                    set(settings, text);
                }
                known
            }
            Self::Text(_, set) => set(settings, text),
        }
    }
}

/// Description of the values, for messages and tables.
impl<T> fmt::Display for Values<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(unit, range, _) => {
                let (least, most) = (range.start(), range.end());
                match (*unit, *most) {
                    ("", _) => write!(f, "{least} to {most}"),
                    (_, u64::MAX) => write!(f, "{unit} from {least}"),
                    _ => write!(f, "{unit} from {least} to {most}"),
                }
            }
            Self::Number(form, _) | Self::Text(form, _) => f.write_str(form),
            Self::Word(words, _) => f.write_str(&one_of(words)),
        }
    }
}

impl<T> TextOption<T> {
    /// Sets the option. `spec` is the whole text.
    pub fn set(&self, spec: &str, value: &str, settings: &mut T) -> Result<(), SpecError> {
        match self.values.set(settings, value) {
            true => Ok(()),
            false => Err(SpecError::value(spec, self.key, value, &self.values)),
        }
    }

    /// `KEY=VALUE`; `None` at its default.
    pub fn text(&self, settings: &T) -> Option<String> {
        let value = (self.get)(settings)?;
        Some(format!("{}={value}", self.key))
    }

    /// The key and the effective value.
    pub fn resolved(&self, settings: &T) -> (&'static str, String) {
        let value = (self.get)(settings);
        (self.key, value.unwrap_or_else(|| self.default.to_owned()))
    }
}

/// Sets the options of a text, of which these are all. `spec` is the whole text.
pub(crate) fn set_all<T>(
    options: &[TextOption<T>],
    spec: &str,
    given: &[(&str, &str)],
    settings: &mut T,
) -> Result<(), SpecError> {
    for (key, value) in given {
        let Some(option) = options.iter().find(|option| option.key == *key) else {
            let keys: Vec<_> = options.iter().map(|option| option.key).collect();
            return Err(SpecError::key(spec, key, &keys));
        };
        option.set(spec, value, settings)?;
    }
    Ok(())
}

/// A text: the kind, its argument if it has one, and its options.
pub(crate) fn text(kind: &str, argument: Option<String>, options: impl Iterator<Item = String>) -> String {
    let parts: Vec<_> = argument.into_iter().chain(options).collect();
    let colon = if parts.is_empty() { "" } else { ":" };
    format!("{kind}{colon}{}", parts.join(","))
}

/// The options of a specification, `key=value` separated by commas, without duplicates.
pub(crate) fn key_values<'a>(spec: &str, options: &'a str) -> Result<Vec<(&'a str, &'a str)>, SpecError> {
    let mut read: Vec<(&str, &str)> = Vec::new();
    for option in options.split(',') {
        let Some((key, value)) = option.split_once('=') else {
            return Err(SpecError(format!("`{option}` in player `{spec}`: expected key=value")));
        };
        if read.iter().any(|&(other, _)| other == key) {
            return Err(SpecError(format!("option `{key}` is given twice in player `{spec}`")));
        }
        read.push((key, value));
    }
    Ok(read)
}

/// Parses an integer of digits only, if it is in a range.
pub(crate) fn integer(text: &str, range: RangeInclusive<u64>) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && range.contains(number))
}

/// Words as a choice: `a, b or c`, or `none`.
pub(crate) fn one_of(words: &[&str]) -> String {
    match words {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}
