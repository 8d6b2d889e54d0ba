//! The grammar of players as text: `KIND:KEY=VALUE,KEY=VALUE`; some kinds have an argument before the options.
//!
//! A [`TextForm`] is the single definition of a kind: texts are parsed, printed, explained and completed from it.

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

/// A kind of text with options that set fields of a `T`.
pub(crate) struct TextForm<T: 'static> {
    /// The word before the colon.
    pub name: &'static str,
    /// The argument between the colon and the options, if there is one.
    pub argument: Option<&'static str>,
    /// Explanation of the kind, as a sentence.
    pub meaning: &'static str,
    /// A text of this kind.
    pub example: &'static str,
    /// Options of which at least one is required, if there are any.
    pub limits: &'static [&'static str],
    /// The options, in the order in which they are printed.
    pub options: &'static [TextOption<T>],
}

/// An option of a kind.
pub(crate) struct TextOption<T: 'static> {
    /// Its name, before the equals sign.
    pub key: &'static str,
    /// Its values, and how to set each.
    pub values: Values<T>,
    /// The default, if it is left out.
    pub default: &'static str,
    /// Explanation of the option, as a sentence.
    pub meaning: &'static str,
    /// Its value as text; `None` if it is not printed.
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

impl<T> TextForm<T> {
    /// Sets the options of a text, `KEY=VALUE` separated by commas, and returns them. `spec` is the whole text.
    pub fn read<'a>(
        &self,
        spec: &str,
        options: Option<&'a str>,
        settings: &mut T,
    ) -> Result<Vec<(&'a str, &'a str)>, PlayerSpecError> {
        let options = options.map_or(Ok(Vec::new()), |options| key_values(spec, options))?;
        for (key, value) in &options {
            self.set(spec, key, value, settings)?;
        }
        Ok(options)
    }

    /// The path that is the argument of a text, and its options. `spec` is the whole text, `options` what follows its
    /// kind, and `expected` what the path leads to.
    pub fn path_and_options<'a>(
        &self,
        spec: &str,
        options: &'a str,
        expected: &str,
    ) -> Result<(&'a str, Option<&'a str>), PlayerSpecError> {
        let (path, options) = match options.split_once(',') {
            Some((path, options)) => (path, Some(options)),
            None => (options, None),
        };
        if path.is_empty() {
            return Err(PlayerSpecError::Missing {
                spec: spec.to_owned(),
                expected: format!("{expected}, as in {}", self.example),
            });
        }
        if let Some((path, option)) = path.rsplit_once(':') {
            let key = option.split_once('=').map_or("", |(key, _)| key);
            if self.options.iter().any(|option| option.key == key) {
                let rest = options.map_or_else(String::new, |options| format!(",{options}"));
                return Err(PlayerSpecError::Separator {
                    spec: spec.to_owned(),
                    expected: format!("a comma before its options: {}:{path},{option}{rest}", self.name),
                });
            }
        }
        Ok((path, options))
    }

    /// Sets one option.
    pub fn set(&self, spec: &str, key: &str, value: &str, settings: &mut T) -> Result<(), PlayerSpecError> {
        let Some(option) = self.options.iter().find(|option| option.key == key) else {
            let keys: Vec<_> = self.options.iter().map(|option| option.key).collect();
            return Err(PlayerSpecError::Key {
                spec: spec.to_owned(),
                key: key.to_owned(),
                expected: one_of(&keys),
            });
        };
        match option.values.set(settings, value) {
            true => Ok(()),
            false => Err(PlayerSpecError::value(spec, key, value, option.values.to_string())),
        }
    }

    /// Every option with its effective value, including defaults.
    pub fn resolved(&self, settings: &T) -> Vec<(&'static str, String)> {
        let value = |option: &TextOption<T>| (option.get)(settings).unwrap_or_else(|| option.default.to_owned());
        self.options.iter().map(|option| (option.key, value(option))).collect()
    }

    /// Refuses a text without any of the limits that this kind requires.
    pub fn expect_limit(&self, spec: &str, given: &[(&str, &str)]) -> Result<(), PlayerSpecError> {
        if self.limits.is_empty() || given.iter().any(|(key, _)| self.limits.contains(key)) {
            return Ok(());
        }
        Err(PlayerSpecError::Missing {
            spec: spec.to_owned(),
            expected: format!("a limit: {}, as in {}", one_of(self.limits), self.example),
        })
    }

    /// The text of settings: the kind, its argument if it has one, and the options that differ from their defaults.
    pub fn text(&self, argument: Option<String>, settings: &T) -> String {
        let options = self.options.iter().filter_map(|option| {
            let value = (option.get)(settings)?;
            Some(format!("{}={value}", option.key))
        });
        let parts: Vec<_> = argument.into_iter().chain(options).collect();
        let colon = if parts.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.name, parts.join(","))
    }
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

/// Refuses a text whose kind, for which `is_kind` is true, is followed by a comma instead of a colon.
pub(crate) fn expect_colon(spec: &str, is_kind: impl Fn(&str) -> bool) -> Result<(), PlayerSpecError> {
    match spec.split_once(',') {
        Some((kind, options)) if is_kind(kind) => Err(PlayerSpecError::Separator {
            spec: spec.to_owned(),
            expected: format!("a colon before its options: {kind}:{options}"),
        }),
        _ => Ok(()),
    }
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
