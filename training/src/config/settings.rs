//! Reads settings of any kind from a TOML file and overrides.

use std::fmt;

use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::{Table, Value};

use super::{GameName, Problem, Setting};
use crate::nearest::nearest;

/// Most unknown keys that an error names: a file of another program may have any number.
const MOST_NAMED: usize = 20;
/// Longest unknown key, in bytes, for which the nearest known key is searched; known keys are a third as long.
const LONGEST_KEY: usize = 100;

/// Error returned for settings that are not a valid configuration.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum ConfigError {
    /// The file is not TOML.
    #[error("{name} is not valid TOML:\n{reason}")]
    Syntax {
        name: String,
        /// The parser's message, with line and column.
        reason: String,
    },
    /// An override is not `key=value`.
    #[error("invalid setting `{0}`: expected KEY=VALUE, such as seed=7")]
    Override(String),
    /// Keys that do not exist.
    #[error("{}", unknown_keys(.0))]
    Unknown(Vec<UnknownKey>),
    /// A value of the wrong type.
    #[error("{}{reason}", place.named(key))]
    Type {
        place: SettingPlace,
        /// The key with its sections.
        key: String,
        /// The value found, and what was expected, as the rest of a sentence that begins with the key.
        reason: String,
    },
    /// Settings that a run cannot change when it is resumed.
    #[error("a run cannot change {} when it is resumed; {instead}", keys.join(", "))]
    Fixed {
        keys: Vec<String>,
        /// Advice on how to change them.
        instead: &'static str,
    },
    /// A file of settings for another game than the one that an override names.
    #[error(
        "{file} is for {of}, not for {game}: leave it out, or give a configuration for {game}\n{}",
        lines(problems)
    )]
    Game {
        file: String,
        /// The game of the file.
        of: GameName,
        game: GameName,
        /// Settings that are not for the game.
        problems: Vec<Problem>,
    },
    /// Settings that a run has in common with the one it is branched off.
    #[error("a branch cannot change {}: its first weights and games come from the run that it leaves", .0.join(", "))]
    Inherited(Vec<String>),
    /// Values out of range, all of them.
    #[error("{}", lines(.0))]
    Invalid(Vec<Problem>),
}

/// A key that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// The source of the key.
    pub place: SettingPlace,
    /// The key with its sections.
    pub key: String,
    /// The known keys of which one was probably meant.
    pub nearest: Vec<String>,
}

/// The source of a setting. Displayed as the prefix of an error message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingPlace {
    /// Not set.
    Default,
    /// A file of this name.
    File(String),
    /// An override; with the option that made it, if it was not `--set`.
    Override(Option<&'static str>),
}

impl fmt::Display for SettingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => Ok(()),
            Self::File(name) => write!(f, "{name}: "),
            Self::Override(None) => f.write_str("command line: "),
            Self::Override(Some(option)) => write!(f, "{option}: "),
        }
    }
}

impl SettingPlace {
    /// The source of the value at `key`: an override may set the key itself, a part of it, or a table that contains it.
    pub fn of(key: &str, file: Option<(&str, &str)>, overrides: &[Setting]) -> Self {
        let within = |inner: &str, outer: &str| {
            let rest = inner.strip_prefix(outer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let sets = |set: &str| within(key, set) || within(set, key);
        // The last one counts.
        let set = overrides.iter().rfind(|setting| setting.key().is_some_and(sets));
        match (set, file) {
            (Some(setting), _) => Self::Override(setting.option()),
            (None, Some((name, _))) => Self::File(name.to_owned()),
            (None, None) => Self::Default,
        }
    }

    /// A key with its source. The key that an option is named after is called by the option.
    fn named(&self, key: &str) -> String {
        let last = key.rsplit('.').next().unwrap_or(key);
        match self {
            Self::Override(Some(option)) if option.trim_start_matches('-').replace('-', "_") == last => {
                (*option).into()
            }
            _ => format!("{self}{key}"),
        }
    }
}

fn unknown_keys(keys: &[UnknownKey]) -> String {
    let line = |key: &UnknownKey| {
        let nearest = match &key.nearest[..] {
            [] => String::new(),
            [nearest] => format!("; the nearest known one is `{nearest}`"),
            nearest => format!("; the nearest known ones are `{}`", nearest.join("`, `")),
        };
        format!("{}unknown key `{}`{nearest}", key.place, key.key)
    };
    let (named, more) = keys.split_at(keys.len().min(MOST_NAMED));
    let more = (!more.is_empty()).then(|| format!("and {} more unknown keys", more.len()));
    named.iter().map(line).chain(more).collect::<Vec<_>>().join("\n")
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

/// Reads settings of any kind: the `file` (its name and its text), then the overrides, each `key=value`; the last one
/// for a key counts. A value is read as TOML, or else as a string. `known` has every key, and `problems` returns the
/// invalid values.
///
/// # Errors
/// If the file is not TOML, a key is unknown, a value has the wrong type, or values are invalid: the error lists all of
/// these.
pub fn checked_settings<T: DeserializeOwned>(
    file: Option<(&str, &str)>,
    overrides: &[Setting],
    known: &Table,
    problems: impl Fn(&T) -> Vec<Problem>,
) -> Result<T, ConfigError> {
    game_settings(file, overrides, known, |_| Table::new(), problems)
}

/// Like [`checked_settings`], where the defaults of some settings depend on others: `defaults` maps the settings that
/// are set to the defaults of those that are not.
///
/// # Errors
/// As [`checked_settings`].
pub fn game_settings<T: DeserializeOwned>(
    file: Option<(&str, &str)>,
    overrides: &[Setting],
    known: &Table,
    defaults: impl Fn(&Table) -> Table,
    problems: impl Fn(&T) -> Vec<Problem>,
) -> Result<T, ConfigError> {
    let settings = read_settings(file, overrides, known, &defaults)?;
    let found = problems(&settings);
    // A value may have been right before an override changed another: then that is at fault.
    let before = match found.is_empty() || overrides.is_empty() {
        true => None,
        false => read_settings(file, &[], known, &defaults).ok(),
    };
    let before = before.map(|before| problems(&before));
    let place = |problem: &Problem| match (SettingPlace::of(&problem.key, file, overrides), &before) {
        (SettingPlace::File(_) | SettingPlace::Default, Some(before)) if !before.contains(problem) => {
            SettingPlace::Override(None)
        }
        (place, _) => place,
    };
    let named: Vec<Problem> = found
        .into_iter()
        .map(|problem| Problem {
            key: place(&problem).named(&problem.key),
            ..problem
        })
        .collect();
    match named.is_empty() {
        true => Ok(settings),
        false => Err(ConfigError::Invalid(named)),
    }
}

/// Like [`checked_settings`], without checking the values.
///
/// # Errors
/// If the file is not TOML, a key is unknown, or a value has the wrong type.
fn read_settings<T: DeserializeOwned>(
    file: Option<(&str, &str)>,
    overrides: &[Setting],
    known: &Table,
    defaults: impl Fn(&Table) -> Table,
) -> Result<T, ConfigError> {
    let mut table = Table::new();
    if let Some((name, text)) = file {
        table = text.parse().map_err(|error: toml::de::Error| ConfigError::Syntax {
            name: name.into(),
            reason: error.to_string(),
        })?;
    }
    for setting in overrides {
        set(&mut table, setting)?;
    }
    let mut unknown = Vec::new();
    find_unknown("", &table, known, &mut unknown);
    if !unknown.is_empty() {
        let named = unknown.into_iter().enumerate().map(|(index, key)| UnknownKey {
            place: SettingPlace::of(&key, file, overrides),
            nearest: match index < MOST_NAMED {
                true => nearest_keys(&key, known),
                false => Vec::new(),
            },
            key,
        });
        return Err(ConfigError::Unknown(named.collect()));
    }
    let defaults = defaults(&table);
    add_missing(&mut table, defaults);
    serde_path_to_error::deserialize(Value::Table(table).into_deserializer()).map_err(
        |error: serde_path_to_error::Error<toml::de::Error>| {
            let key = error.path().to_string();
            ConfigError::Type {
                place: SettingPlace::of(&key, file, overrides),
                reason: plain(error.inner().message()),
                key,
            }
        },
    )
}

/// Adds to a table the entries that only the other one has, in nested tables too.
fn add_missing(table: &mut Table, other: Table) {
    for (key, value) in other {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(other)) => add_missing(inner, other),
            (Some(_), _) => {}
            (None, value) => _ = table.insert(key, value),
        }
    }
}

/// A parser's reason as the rest of a sentence that begins with the key: what was found and expected, without the names
/// of Rust types.
fn plain(reason: &str) -> String {
    let invalid = ["invalid type: ", "invalid value: ", "unknown variant "];
    let found = invalid.iter().find_map(|invalid| reason.strip_prefix(invalid));
    let Some((found, expected)) = found.and_then(|found| found.rsplit_once(", expected ")) else {
        return format!(": {reason}");
    };
    let (kind, value) = match found.split_once(' ') {
        Some((kind @ ("string" | "integer" | "boolean"), value)) => (kind, value),
        Some(("floating", value)) => ("number", value.trim_start_matches("point ")),
        _ => (found, found),
    };
    let value = value.trim_matches('`');
    let found = match kind {
        "string" => format!("the text {value}"),
        "sequence" => "a list".to_owned(),
        "map" => "a section of settings".to_owned(),
        "integer" | "number" | "boolean" => value.to_owned(),
        variant => variant.to_owned(),
    };
    let expected = match expected {
        "u32" => "a whole number from 0 to 4294967295".to_owned(),
        "u64" | "usize" => "a whole number from 0".to_owned(),
        "i32" | "i64" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" | "string or table" => "a text".to_owned(),
        "a sequence" if kind == "map" => "a list".to_owned(),
        "a sequence" => format!("a list, such as [{value}]"),
        _ if expected.starts_with("struct ") => "a section of settings".to_owned(),
        _ => expected.to_owned(),
    };
    format!(" is {found}, expected {expected}")
}

fn set(table: &mut Table, setting: &Setting) -> Result<(), ConfigError> {
    let malformed = || ConfigError::Override(setting.text().to_owned());
    let (path, text) = setting.text().split_once('=').ok_or_else(malformed)?;
    let mut sections: Vec<&str> = path.trim().split('.').collect();
    let key = sections.pop().ok_or_else(malformed)?;
    if key.is_empty() || sections.iter().any(|section| section.is_empty()) {
        return Err(malformed());
    }
    let mut place = table;
    for section in sections {
        let entry = place.entry(section).or_insert_with(|| Value::Table(Table::new()));
        place = entry.as_table_mut().ok_or_else(malformed)?;
    }
    // Parsed as a document of one key, so that a value is exactly what it would be in a file.
    let text = text.trim();
    let value = format!("value = {text}")
        .parse::<Table>()
        .ok()
        .and_then(|mut parsed| parsed.remove("value"));
    let value = value.unwrap_or_else(|| Value::String(text.to_owned()));
    place.insert(key.to_owned(), value);
    Ok(())
}

fn find_unknown(prefix: &str, table: &Table, known: &Table, unknown: &mut Vec<String>) {
    for (name, value) in table {
        let key = format!("{prefix}{name}");
        match (known.get(name), value) {
            (None, _) => unknown.push(key),
            (Some(Value::Table(known)), Value::Table(inner)) => find_unknown(&format!("{key}."), inner, known, unknown),
            (Some(_), _) => {}
        }
    }
}

/// All keys of a table, with their sections, which are listed as well.
fn all_keys(table: &Table) -> Vec<String> {
    let mut keys = Vec::new();
    for (name, value) in table {
        keys.push(name.clone());
        if let Value::Table(inner) = value {
            keys.extend(all_keys(inner).iter().map(|key| format!("{name}.{key}")));
        }
    }
    keys
}

/// The known keys of sections that have this name.
pub(crate) fn keys_named(name: &str, known: &Table) -> Vec<String> {
    let mut keys = all_keys(known);
    keys.retain(|key| key.rsplit_once('.').is_some_and(|(_, last)| last == name));
    keys.sort();
    keys
}

/// The known keys of which one was probably meant by `key`: those of the same name in other sections, or else the most
/// similar one.
fn nearest_keys(key: &str, known: &Table) -> Vec<String> {
    if key.len() > LONGEST_KEY {
        return Vec::new();
    }
    let same = keys_named(key.rsplit('.').next().unwrap_or(key), known);
    if !same.is_empty() {
        return same;
    }
    nearest(key, all_keys(known)).into_iter().collect()
}
