//! From a TOML file and overrides to settings of any kind.

use std::fmt;

use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::{Table, Value};

use super::Problem;

/// Unknown keys that are named: a file of another program may have any number.
const MOST_NAMED: usize = 20;
/// Bytes of an unknown key for which a known one is looked for; known ones have a third of it.
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
    #[error("`{0}` is no setting; expected KEY=VALUE, as in --set seed=7")]
    Override(String),
    /// Keys that do not exist.
    #[error("{}", unknown_keys(.0))]
    Unknown(Vec<UnknownKey>),
    /// A value of the wrong type.
    #[error("{place}{key}: {reason}")]
    Type {
        place: Place,
        /// The key with its sections.
        key: String,
        /// What was found and expected.
        reason: String,
    },
    /// Settings that a run cannot change when it is resumed.
    #[error("a run cannot change {} when it is resumed; branch off a new one", .0.join(", "))]
    Fixed(Vec<String>),
    /// Settings that a run has in common with the one it is branched off.
    #[error("a branch cannot change {}: the weights and games that it begins with are of the run it leaves", .0.join(", "))]
    Inherited(Vec<String>),
    /// Values out of range, all of them.
    #[error("{}", lines(.0))]
    Invalid(Vec<Problem>),
}

/// A key that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// Where it is from.
    pub place: Place,
    /// The key with its sections.
    pub key: String,
    /// The known key that is probably meant.
    pub nearest: Option<String>,
}

/// Where a setting is from. As text this stands before what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nobody has set it.
    Default,
    /// A file of this name.
    File(String),
    /// An override.
    Override,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => Ok(()),
            Self::File(name) => write!(f, "{name}: "),
            Self::Override => f.write_str("command line: "),
        }
    }
}

impl Place {
    /// Where what stands under `key` is from: an override can set it, or a part of it, or what it is part of.
    fn of(key: &str, file: Option<(&str, &str)>, overrides: &[String]) -> Self {
        let within = |inner: &str, outer: &str| {
            let rest = inner.strip_prefix(outer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let mut keys = overrides.iter().filter_map(|setting| setting.split_once('='));
        match file {
            _ if keys.any(|(set, _)| within(key, set.trim()) || within(set.trim(), key)) => Self::Override,
            Some((name, _)) => Self::File(name.to_owned()),
            None => Self::Default,
        }
    }
}

fn unknown_keys(keys: &[UnknownKey]) -> String {
    let line = |key: &UnknownKey| {
        let nearest = key.nearest.as_ref();
        let nearest = nearest.map_or_else(String::new, |key| format!("; the nearest known one is `{key}`"));
        format!("{}unknown key `{}`{nearest}", key.place, key.key)
    };
    let (named, more) = keys.split_at(keys.len().min(MOST_NAMED));
    let more = (!more.is_empty()).then(|| format!("and {} more unknown keys", more.len()));
    named.iter().map(line).chain(more).collect::<Vec<_>>().join("\n")
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n")
}

/// Reads settings of any kind: the `file` (its name and its text), then the overrides, each `key=value`, the last one for a
/// key counting. A value is read as TOML, or else as a string. `known` has every key, and `problems` finds what is wrong with
/// values.
///
/// # Errors
/// If the file is not TOML, a key is unknown, a value has the wrong type, or there are problems: then all of them.
pub fn checked_settings<T: DeserializeOwned>(
    file: Option<(&str, &str)>,
    overrides: &[String],
    known: &Table,
    problems: impl FnOnce(&T) -> Vec<Problem>,
) -> Result<T, ConfigError> {
    game_settings(file, overrides, known, |_| Table::new(), problems)
}

/// As [`checked_settings`], where some settings decide what others are by default: `defaults` makes of what is set what is
/// meant besides, if it is not set itself.
///
/// # Errors
/// As [`checked_settings`].
pub(crate) fn game_settings<T: DeserializeOwned>(
    file: Option<(&str, &str)>,
    overrides: &[String],
    known: &Table,
    defaults: impl FnOnce(&Table) -> Table,
    problems: impl FnOnce(&T) -> Vec<Problem>,
) -> Result<T, ConfigError> {
    let settings = read_settings(file, overrides, known, defaults)?;
    let problems = problems(&settings).into_iter();
    let named: Vec<Problem> = problems
        .map(|problem| Problem {
            key: format!("{}{}", Place::of(&problem.key, file, overrides), problem.key),
            ..problem
        })
        .collect();
    match named.is_empty() {
        true => Ok(settings),
        false => Err(ConfigError::Invalid(named)),
    }
}

/// As [`checked_settings`], without looking at the values.
///
/// # Errors
/// If the file is not TOML, a key is unknown, or a value has the wrong type.
fn read_settings<T: DeserializeOwned>(
    file: Option<(&str, &str)>,
    overrides: &[String],
    known: &Table,
    defaults: impl FnOnce(&Table) -> Table,
) -> Result<T, ConfigError> {
    let mut table = Table::new();
    if let Some((name, text)) = file {
        table = text.parse().map_err(|error: toml::de::Error| ConfigError::Syntax {
            name: name.into(),
            reason: error.to_string(),
        })?;
        rename(&mut table, known, false);
    }
    for setting in overrides {
        set(&mut table, setting)?;
        rename(&mut table, known, true);
    }
    let mut unknown = Vec::new();
    find_unknown("", &table, known, &mut unknown);
    if !unknown.is_empty() {
        let named = unknown.into_iter().enumerate().map(|(index, key)| UnknownKey {
            place: Place::of(&key, file, overrides),
            nearest: if index < MOST_NAMED {
                nearest_key(&key, known)
            } else {
                None
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
                place: Place::of(&key, file, overrides),
                reason: plain(error.inner().message()),
                key,
            }
        },
    )
}

/// Adds to a table what another one has and it lacks.
fn add_missing(table: &mut Table, other: Table) {
    for (key, value) in other {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(other)) => add_missing(inner, other),
            (Some(_), _) => {}
            (None, value) => _ = table.insert(key, value),
        }
    }
}

/// Keys that had another name once: section, old name, new name. Files with the old one are read.
const RENAMED: [(&str, &str, &str); 1] = [("search", "prior_temperature", "root_policy_temperature")];

/// Gives settings under old names their new ones, if `known` has these; returns both names of each. What is set under both
/// names stays as it is, a mistake, unless the old one `overrides`.
fn rename(table: &mut Table, known: &Table, overrides: bool) -> Vec<[String; 2]> {
    let mut renamed = Vec::new();
    for (section, old, new) in RENAMED {
        let knows = |key| {
            known
                .get(section)
                .and_then(Value::as_table)
                .is_some_and(|keys| keys.contains_key(key))
        };
        let Some(settings) = table.get_mut(section).and_then(Value::as_table_mut) else {
            continue;
        };
        if knows(old) || !knows(new) || (settings.contains_key(new) && !overrides) {
            continue;
        }
        if let Some(value) = settings.remove(old) {
            settings.insert(new.to_owned(), value);
            renamed.push([old, new].map(|key| format!("{section}.{key}")));
        }
    }
    renamed
}

/// A note for each setting that [`checked_settings`] reads under a name of earlier versions.
pub(crate) fn notes(file: Option<(&str, &str)>, overrides: &[String], known: &Table) -> Vec<String> {
    let of_file = file.and_then(|(_, text)| text.parse::<Table>().ok());
    let of_override = overrides.iter().filter_map(|setting| {
        let mut table = Table::new();
        set(&mut table, setting).ok().map(|()| table)
    });
    let tables = of_file.into_iter().chain(of_override);
    let note = |[old, new]: [String; 2]| format!("{}`{old}` is read as `{new}`", Place::of(&old, file, overrides));
    tables
        .flat_map(|mut table| rename(&mut table, known, false))
        .map(note)
        .collect()
}

/// What was found and expected, without names of Rust's types.
fn plain(reason: &str) -> String {
    let Some((found, expected)) = reason.rsplit_once("expected ") else {
        return reason.to_owned();
    };
    let expected = match expected {
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0",
        "f32" | "f64" => "a number",
        _ if expected.starts_with("struct ") => "a section of settings",
        _ => expected,
    };
    format!("{found}expected {expected}")
}

fn set(table: &mut Table, setting: &str) -> Result<(), ConfigError> {
    let malformed = || ConfigError::Override(setting.to_owned());
    let (path, text) = setting.split_once('=').ok_or_else(malformed)?;
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
    // Through a document of one key, so that a value is exactly what it would be in a file.
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

/// The known key that somebody who wrote `key` probably meant.
fn nearest_key(key: &str, known: &Table) -> Option<String> {
    fn collect(prefix: &str, table: &Table, keys: &mut Vec<String>) {
        for (name, value) in table {
            let key = format!("{prefix}{name}");
            if let Value::Table(inner) = value {
                collect(&format!("{key}."), inner, keys);
            }
            keys.push(key);
        }
    }
    if key.len() > LONGEST_KEY {
        return None;
    }
    let mut keys = Vec::new();
    collect("", known, &mut keys);
    let distances = keys
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(&known, key), known));
    let nearest = distances.min_by_key(|&(distance, _)| distance);
    nearest
        .filter(|&(distance, _)| 3 * distance <= key.len())
        .map(|(_, known)| known)
}
