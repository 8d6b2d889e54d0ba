//! The grammar of players as text: a word, options as `KEY=VALUE` separated by commas; some kinds have an argument before them.
//!
//! A [`TextOption`] is the single definition of an option: it is parsed, printed and explained from there.

use std::fmt;
use std::ops::RangeInclusive;

use chase_training::settings::nearest::nearest;

/// Error returned for a text that does not describe a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerSpecError {
    /// There is no such kind of player.
    #[error(
        "unknown player `{kind}`{}: expected {expected}",
        meant.map_or(String::new(), |meant| format!(" (did you mean {meant}?)"))
    )]
    Kind {
        /// The text before the colon.
        kind: String,
        /// The kind that was probably meant.
        meant: Option<&'static str>,
        /// The existing kinds.
        expected: String,
    },
    /// The options of a player follow a wrong separator.
    #[error("player `{spec}`: expected {expected}")]
    Separator {
        /// The whole text.
        spec: String,
        /// The text that was probably meant.
        expected: String,
    },
    /// An option is not of the form `key=value`.
    #[error("`{option}` in player `{spec}`: expected key=value")]
    Form {
        /// The whole text.
        spec: String,
        /// The option.
        option: String,
    },
    /// This kind of player has no such option.
    #[error("unknown option `{key}` in player `{spec}`: expected {expected}")]
    Key {
        /// The whole text.
        spec: String,
        /// The option.
        key: String,
        /// The existing options.
        expected: String,
    },
    /// An option is given twice.
    #[error("option `{key}` is given twice in player `{spec}`")]
    Repeated {
        /// The whole text.
        spec: String,
        /// The option.
        key: String,
    },
    /// An option has a value out of its range.
    #[error("`{value}` for option `{key}` in player `{spec}`: expected {expected}")]
    Value {
        /// The whole text.
        spec: String,
        /// The option.
        key: String,
        /// The given value.
        value: String,
        /// The allowed values.
        expected: String,
    },
    /// Parts that do not fit together: an option that this player does not have, or that another one excludes, or an
    /// evaluator and a search.
    #[error("player `{spec}`: {reason}")]
    Unfit {
        /// The whole text.
        spec: String,
        /// What does not fit, as a sentence.
        reason: String,
    },
    /// A required part is missing.
    #[error("player `{spec}` needs {expected}")]
    Missing {
        /// The whole text.
        spec: String,
        /// The missing part.
        expected: String,
    },
}

impl PlayerSpecError {
    /// An error for a text that begins with none of these kinds.
    pub(crate) fn kind(kind: &str, kinds: &[&'static str], expected: String) -> Self {
        Self::Kind {
            kind: kind.to_owned(),
            meant: nearest(kind, kinds.iter().copied()),
            expected,
        }
    }

    /// An error for an option that is none of these.
    pub(crate) fn key(spec: &str, key: &str, keys: &[&str]) -> Self {
        Self::Key {
            spec: spec.to_owned(),
            key: key.to_owned(),
            expected: one_of(keys),
        }
    }

    /// An error for an option with a value out of its range.
    pub(crate) fn value(spec: &str, key: &str, value: &str, expected: impl Into<String>) -> Self {
        Self::Value {
            spec: spec.to_owned(),
            key: key.to_owned(),
            value: value.to_owned(),
            expected: expected.into(),
        }
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
    pub fn set(&self, spec: &str, value: &str, settings: &mut T) -> Result<(), PlayerSpecError> {
        match self.values.set(settings, value) {
            true => Ok(()),
            false => Err(PlayerSpecError::value(spec, self.key, value, self.values.to_string())),
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
) -> Result<(), PlayerSpecError> {
    for (key, value) in given {
        let Some(option) = options.iter().find(|option| option.key == *key) else {
            let keys: Vec<_> = options.iter().map(|option| option.key).collect();
            return Err(PlayerSpecError::key(spec, key, &keys));
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
pub(crate) fn key_values<'a>(spec: &str, options: &'a str) -> Result<Vec<(&'a str, &'a str)>, PlayerSpecError> {
    let mut read: Vec<(&str, &str)> = Vec::new();
    for option in options.split(',') {
        let Some((key, value)) = option.split_once('=') else {
            return Err(PlayerSpecError::Form {
                spec: spec.to_owned(),
                option: option.to_owned(),
            });
        };
        if read.iter().any(|&(other, _)| other == key) {
            return Err(PlayerSpecError::Repeated {
                spec: spec.to_owned(),
                key: key.to_owned(),
            });
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
