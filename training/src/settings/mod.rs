//! Settings of any kind: read from a TOML file and overrides, checked, compared, written, and documented, all from the
//! type that holds them.

mod differences;
mod error;
mod form;
mod keys;
pub mod nearest;
mod place;
mod problem;
mod reference;
mod setting;

use chase_engine::GameName;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
pub use toml::Table;
use toml::Value;

pub use differences::Difference;
pub(crate) use differences::between;
pub use error::{ConfigError, UnknownKey};
pub use form::{Mistyped, from_table};
pub use keys::{Change, Key, Keys};
pub use place::SettingPlace;
pub use problem::{Checks, MOST_THREADS, Problem, cores, thread_count};
pub use reference::reference;
pub use setting::Setting;

use error::MOST_NAMED;

use crate::store::files;

/// A configuration. Sections of the TOML file are fields that are structs; a new key is a new field with its doc
/// comment. A field whose value may change without a new run says so: `#[schemars(extend("change" = "resume"))]`, or
/// another [`Change`].
///
/// ```
/// use chase_training::settings::{Change, Problem, Setting, Settings};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// /// An experiment.
/// #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
/// #[serde(deny_unknown_fields, default)]
/// struct Experiment {
///     /// Seed of all randomness.
///     seed: u64,
///     /// Threads; 0 for one per core.
///     #[schemars(extend("change" = "resume"))]
///     threads: usize,
/// }
///
/// impl Settings for Experiment {
///     chase_training::toml_form!();
///     const SUBJECT: &'static str = "experiment";
///     fn problems(&self) -> Vec<Problem> {
///         Vec::new()
///     }
/// }
///
/// let file = ("experiment.toml", "seed = 7");
/// let experiment = Experiment::load(Some(file), &[Setting::from("threads=2")])?;
/// assert_eq!((experiment.seed, experiment.threads), (7, 2));
/// let error = Experiment::load(Some(("experiment.toml", "sead = 7")), &[]).unwrap_err().to_string();
/// assert_eq!(error, "experiment.toml: unknown key `sead`; the nearest known one is `seed`");
/// let error = Experiment::changed(file, &[Setting::from("seed=8")], Change::Resume).unwrap_err().to_string();
/// assert_eq!(error, "the experiment cannot continue with seed = 8 (was 7); begin a new experiment");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Settings: Clone + Default + PartialEq + Serialize + DeserializeOwned + JsonSchema {
    /// The subject of the settings in messages: a run, a tournament.
    const SUBJECT: &'static str;

    /// All values out of range.
    fn problems(&self) -> Vec<Problem>;

    /// The settings of a table whose keys are all known.
    ///
    /// [`toml_form!`](crate::toml_form) writes this method and the two below. They are not provided here, since every crate
    /// that reads the settings would then compile their parser again.
    ///
    /// # Errors
    /// The first value of a wrong type.
    fn of_table(table: Table) -> Result<Self, Mistyped>;

    /// The settings as a table.
    fn table(&self) -> Table;

    /// The settings as TOML with every key, readable by [`Settings::load`].
    fn to_toml(&self) -> String;

    /// Defaults that depend on the settings that are `set`, as those of a game on its name.
    fn defaults(_set: &Table) -> Table {
        Table::new()
    }

    /// Advice to someone who changed settings that need this much.
    fn advice(_needed: Change) -> String {
        format!("begin a new {}", Self::SUBJECT)
    }

    /// Reads settings: defaults, then the `file` (its name and its text), then the overrides, each `key=value`; the
    /// last one for a key counts. A value is read as TOML, or else as a string.
    ///
    /// # Errors
    /// If the file is not TOML, a key is unknown, or a value has the wrong type or is out of range. Unknown keys are
    /// reported all at once, as are values out of range.
    fn load(file: Option<(&str, &str)>, overrides: &[Setting]) -> Result<Self, ConfigError> {
        let settings = Self::unchecked(file, overrides)?;
        let found = settings.problems();
        // A value may have been right before an override changed another: then that is at fault.
        let before = match found.is_empty() || overrides.is_empty() {
            true => None,
            false => Self::unchecked(file, &[]).ok(),
        };
        let before = before.map(|before| before.problems());
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
            false => Err(Self::misfit(file, overrides).unwrap_or(ConfigError::Invalid(named))),
        }
    }

    /// A message about invalid settings that says more than a list of them, if they are wrong together.
    fn misfit(_file: Option<(&str, &str)>, _overrides: &[Setting]) -> Option<ConfigError> {
        None
    }

    /// Reads settings as [`Settings::load`], without a look at the range of values.
    ///
    /// # Errors
    /// If the file is not TOML, a key is unknown, or a value has the wrong type.
    fn unchecked(file: Option<(&str, &str)>, overrides: &[Setting]) -> Result<Self, ConfigError> {
        read(file, overrides)
    }

    /// The settings of a `file` with overrides, if none of them changes more than is `allowed`.
    ///
    /// # Errors
    /// As [`Settings::load`], and if an override changes a setting that needs more: the error names all of these.
    fn changed(file: (&str, &str), overrides: &[Setting], allowed: Change) -> Result<Self, ConfigError> {
        Self::load(Some(file), &[])?.with(file, overrides, allowed)
    }

    /// These settings, which were loaded from `file`, with overrides, if none of them changes more than is `allowed`.
    ///
    /// # Errors
    /// As [`Settings::changed`].
    fn with(&self, file: (&str, &str), overrides: &[Setting], allowed: Change) -> Result<Self, ConfigError> {
        if overrides.is_empty() {
            return Ok(self.clone());
        }
        let after = Self::load(Some(file), overrides)?;
        after.expect(self, allowed)?;
        Ok(after)
    }

    /// Checks that these settings differ `from` others by no more than is `allowed`.
    ///
    /// # Errors
    /// All settings that need more.
    fn expect(&self, from: &Self, allowed: Change) -> Result<(), ConfigError> {
        Self::refuse(self.differences(from), allowed)
    }

    /// Refuses differences of which one needs more than is `allowed`.
    ///
    /// # Errors
    /// All settings that need more.
    fn refuse(mut differences: Vec<Difference>, allowed: Change) -> Result<(), ConfigError> {
        differences.retain(|difference| difference.change > allowed);
        match differences.iter().map(|difference| difference.change).max() {
            None => Ok(()),
            Some(needed) => Err(ConfigError::Fixed {
                subject: Self::SUBJECT,
                differences,
                advice: Self::advice(needed),
            }),
        }
    }

    /// The settings whose values differ `from` those of others.
    fn differences(&self, from: &Self) -> Vec<Difference> {
        between(&from.table(), &self.table(), &Keys::of::<Self>())
    }
}

/// The game that settings name, if there is such a game.
pub fn game_of(set: &Table) -> Option<GameName> {
    set.get("game")?.as_str()?.parse().ok()
}

/// Reads settings without checking their values.
fn read<T: Settings>(file: Option<(&str, &str)>, overrides: &[Setting]) -> Result<T, ConfigError> {
    let mut table = Table::new();
    if let Some((name, text)) = file {
        table = files::without_mark(text)
            .parse()
            .map_err(|error: toml::de::Error| ConfigError::Syntax {
                name: name.into(),
                reason: error.to_string(),
            })?;
    }
    for setting in overrides {
        set(&mut table, setting)?;
    }
    let keys = Keys::of::<T>();
    let mut unknown = Vec::new();
    find_unknown("", &table, keys.all(), &mut unknown);
    if !unknown.is_empty() {
        let named = unknown.into_iter().enumerate().map(|(index, key)| UnknownKey {
            place: SettingPlace::of(&key, file, overrides),
            nearest: match index < MOST_NAMED {
                true => keys.meant_by(&key),
                false => Vec::new(),
            },
            key,
        });
        return Err(ConfigError::Unknown(named.collect()));
    }
    let defaults = T::defaults(&table);
    add_missing(&mut table, defaults);
    T::of_table(table).map_err(|Mistyped { key, reason }| ConfigError::Type {
        place: SettingPlace::of(&key, file, overrides),
        reason: plain(&reason),
        key,
    })
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

/// The keys of a table that are not known. A section without known keys may have any.
fn find_unknown(prefix: &str, table: &Table, known: &[Key], unknown: &mut Vec<String>) {
    for (name, value) in table {
        let path = format!("{prefix}{name}");
        match (known.iter().find(|key| key.name == *name), value) {
            (None, _) => unknown.push(path),
            (Some(key), Value::Table(section)) if !key.inner.is_empty() => {
                find_unknown(&format!("{path}."), section, &key.inner, unknown);
            }
            (Some(_), _) => {}
        }
    }
}
