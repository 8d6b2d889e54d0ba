//! From a TOML file and overrides to a configuration.

use std::fmt;

use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::{Table, Value};

use super::{Config, Problem};

/// Unknown keys that are named: a file of another program may have any number.
const MOST_NAMED: usize = 20;
/// Bytes of an unknown key for which a known one is looked for; known ones have a third of it.
const LONGEST_KEY: usize = 100;

/// Why settings are no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not TOML.
    #[error("{name} is not valid TOML:\n{reason}")]
    Syntax {
        /// The file's name.
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
        /// Where it is from.
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
            Self::Override => f.write_str("command line (--set): "),
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

impl Config {
    /// Reads a configuration: defaults, then the `file` (its name and its text), then the overrides, each
    /// `key=value`, the last one for a key counting. A value is read as TOML, or else as a string.
    ///
    /// # Errors
    /// If the file is not TOML, a key is unknown, or a value has the wrong type or is out of range. Unknown keys are
    /// told all at once, as are values out of range.
    pub fn load(file: Option<(&str, &str)>, overrides: &[String]) -> Result<Self, ConfigError> {
        checked_settings(file, overrides, &known_keys(), Self::problems)
    }

    /// A note for each setting that [`Config::load`] reads under a name of earlier versions.
    pub fn notes(file: Option<(&str, &str)>, overrides: &[String]) -> Vec<String> {
        let known = known_keys();
        let of_file = file.and_then(|(_, text)| text.parse::<Table>().ok());
        let of_override = overrides.iter().filter_map(|setting| {
            let mut table = Table::new();
            set(&mut table, setting).ok().map(|()| table)
        });
        let tables = of_file.into_iter().chain(of_override);
        let note = |[old, new]: [String; 2]| format!("{}`{old}` is read as `{new}`", Place::of(&old, file, overrides));
        tables
            .flat_map(|mut table| rename(&mut table, &known, false))
            .map(note)
            .collect()
    }

    /// The configuration of a run that is resumed: its `config.toml` (name and text) with overrides.
    ///
    /// # Errors
    /// As [`Config::load`], and if an override changes more than where the run computes, when it ends, how often it is
    /// measured and evaluated, and what it keeps: anything else would make it another run. Under what has changed the run
    /// goes on from then on: [`Training::resume`](crate::training_loop::Training::resume) writes it down.
    pub fn resume(file: (&str, &str), overrides: &[String]) -> Result<Self, ConfigError> {
        const FREE: [&str; 7] = [
            "threads",
            "device",
            "precision",
            "measurement",
            "evaluation",
            "checkpoints",
            "limits",
        ];
        let (before, after) = (Self::load(Some(file), &[])?, Self::load(Some(file), overrides)?);
        let mut fixed = changed_sections(&before, &after);
        fixed.retain(|key| !FREE.contains(&key.as_str()));
        if fixed.is_empty() {
            Ok(after)
        } else {
            Err(ConfigError::Fixed(fixed))
        }
    }

    /// The configuration of a new run that goes on from where another stands, under its `config.toml` (name and text) with
    /// overrides.
    ///
    /// # Errors
    /// As [`Config::load`], and if an override changes what its weights, its games or the learner's moments depend on.
    pub fn branch(file: (&str, &str), overrides: &[String]) -> Result<Self, ConfigError> {
        const INHERITED: [&str; 4] = ["game", "rules", "encoding", "network"];
        let (before, after) = (Self::load(Some(file), &[])?, Self::load(Some(file), overrides)?);
        let mut inherited = changed_sections(&before, &after);
        inherited.retain(|key| INHERITED.contains(&key.as_str()));
        if before.learner.optimizer != after.learner.optimizer {
            inherited.push("learner.optimizer".into());
        }
        if inherited.is_empty() {
            Ok(after)
        } else {
            Err(ConfigError::Inherited(inherited))
        }
    }

    /// What `after` has changed, in words for a log, a line for each key of the first level.
    pub(crate) fn changes(&self, after: &Self) -> Vec<String> {
        let [before, now] = [self, after].map(|config| Table::try_from(config).unwrap_or_default());
        let line = |key: String| {
            let value = |table: &Table| table.get(&key).map_or_else(String::new, Value::to_string);
            format!("{key} = {}, which was {}", value(&now), value(&before))
        };
        changed_sections(self, after).into_iter().map(line).collect()
    }

    /// The configuration as TOML with every key, readable by [`Config::load`].
    ///
    /// # Errors
    /// If a number is beyond what TOML can express; [`Config::load`] lets none pass.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }
}

/// The keys of the first level whose values differ.
fn changed_sections(before: &Config, after: &Config) -> Vec<String> {
    let table = |config: &Config| Table::try_from(config).unwrap_or_default();
    let (before, after) = (table(before), table(after));
    let changed = after.into_iter().filter(|(key, value)| before.get(key) != Some(value));
    changed.map(|(key, _)| key).collect()
}

/// Reads settings of any kind as [`Config::load`] does: the `file` (its name and its text), then the overrides. `known` has every
/// key, and `problems` finds what is wrong with values.
///
/// # Errors
/// If the file is not TOML, a key is unknown, a value has the wrong type, or there are problems: then all of them.
pub fn checked_settings<T: DeserializeOwned>(
    file: Option<(&str, &str)>,
    overrides: &[String],
    known: &Table,
    problems: impl FnOnce(&T) -> Vec<Problem>,
) -> Result<T, ConfigError> {
    let settings = read_settings(file, overrides, known)?;
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

/// Reads settings of any kind as [`Config::load`] does, without looking at their values: the `file` (its name and its text),
/// then the overrides. `known` has every key.
///
/// # Errors
/// If the file is not TOML, a key is unknown, or a value has the wrong type.
fn read_settings<T: DeserializeOwned>(
    file: Option<(&str, &str)>,
    overrides: &[String],
    known: &Table,
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

/// Every key, as the default configuration has it.
fn known_keys() -> Table {
    Table::try_from(Config::default()).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::config::{Algorithm, GameName};

    fn load(text: &str, overrides: &[&str]) -> Result<Config, ConfigError> {
        let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
        Config::load(Some(("test.toml", text)), &overrides)
    }

    fn message(text: &str, overrides: &[&str]) -> String {
        load(text, overrides).unwrap_err().to_string()
    }

    #[test]
    fn the_file_goes_before_defaults_and_overrides_before_the_file() {
        let text = "seed = 3\n[search]\nalgorithm = 'puct'\nsimulations = 5\n[network]\nblocks = 2\n";
        let config = load(
            text,
            &["search.simulations=7", "seed=4", "network.auxiliary.plies_left=true"],
        )
        .unwrap();
        assert_eq!((config.seed, config.search.simulations), (4, 7));
        assert_eq!((config.search.algorithm, config.network.blocks), (Algorithm::Puct, 2));
        assert!(config.network.auxiliary.plies_left);
        assert_eq!(config.learner, Config::default().learner);
        let words = load("", &["game=connect-four", "network.hex=false", "network.wrap=false"]).unwrap();
        assert_eq!(words.game, GameName::ConnectFour);
        let list = load("", &["evaluation.opponents=['random', 'greedy']"]).unwrap();
        assert_eq!(list.evaluation.opponents, ["random", "greedy"]);
    }

    #[test]
    fn the_resolved_configuration_reads_back_as_itself() {
        let config = load(
            "",
            &[
                "learner.rate=0.1234567890123",
                "search.c_puct=1.1",
                "limits.minutes=2.5",
            ],
        )
        .unwrap();
        assert_eq!(load(&config.to_toml().unwrap(), &[]).unwrap(), config);
    }

    #[test]
    fn a_resumed_run_may_go_on_longer_but_not_differently() {
        let text = load("", &["seed=7"]).unwrap().to_toml().unwrap();
        let resume = |overrides: &[&str]| {
            let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
            Config::resume(("config.toml", &text), &overrides)
        };
        let longer = resume(&["limits.generations=500", "threads=3"]).unwrap();
        assert_eq!((longer.seed, longer.limits.generations, longer.threads), (7, 500, 3));
        let told = resume(&["seed=8", "learner.rate=0.5"]).unwrap_err().to_string();
        assert!(
            told.contains("a run cannot change learner, seed when it is resumed; branch"),
            "{told}"
        );
    }

    #[test]
    fn a_branch_may_go_on_differently_with_what_it_inherits() {
        let text = load("", &["seed=7"]).unwrap().to_toml().unwrap();
        let branch = |overrides: &[&str]| {
            let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
            Config::branch(("config.toml", &text), &overrides)
        };
        let other = branch(&["seed=8", "learner.rate=0.5", "search.simulations=7"]).unwrap();
        assert_eq!((other.seed, other.learner.rate, other.search.simulations), (8, 0.5, 7));
        let told = branch(&["network.blocks=9", "learner.optimizer=sgd", "learner.rate=0.5"]);
        let told = told.unwrap_err().to_string();
        assert!(
            told.contains("a branch cannot change network, learner.optimizer: "),
            "{told}"
        );
    }

    #[test]
    fn unknown_keys_are_told_all_at_once_with_the_nearest_known_one() {
        let told = message(
            "[search]\nsims = 3\nsimulation = 4\n",
            &["lerner.rate=1", "network.chanels=8"],
        );
        assert!(
            told.contains("unknown key `search.simulation`; the nearest known one is `search.simulations`"),
            "{told}"
        );
        assert!(told.contains("test.toml: unknown key `search.sims`\n"), "{told}");
        assert!(
            told.contains("command line (--set): unknown key `lerner`; the nearest known one is `learner`\n"),
            "{told}"
        );
        assert!(
            told.contains("`network.chanels`; the nearest known one is `network.channels`"),
            "{told}"
        );
    }

    #[test]
    fn of_many_unknown_keys_some_are_named_and_the_rest_is_counted() {
        let text: String = (0..3000).map(|index| format!("seed{index} = 1\n")).collect();
        let error = load(&text, &[]).unwrap_err();
        let told = error.to_string();
        assert_eq!(told.lines().count(), MOST_NAMED + 1, "{told}");
        assert!(told.ends_with("\nand 2980 more unknown keys"), "{told}");
        // To look for the nearest known key of each of them would take longer than anything else.
        let ConfigError::Unknown(keys) = error else {
            panic!("{error}");
        };
        let found = keys.iter().filter(|key| key.nearest.is_some()).count();
        assert_eq!((keys.len(), found), (3000, MOST_NAMED));
        let long = format!("{} = 1\n", "seed".repeat(30));
        assert!(!message(&long, &[]).contains("nearest"), "it is too long to be a slip");
    }

    #[test]
    fn settings_are_read_under_their_old_names_and_written_under_the_new_ones() {
        const OLD: &str = "[search]\nprior_temperature = 1.5\n";
        let read = |overrides: &[&str]| load(OLD, overrides).expect("a configuration");
        let config = read(&[]);
        assert_eq!(
            (config.search.root_policy_temperature, config.search.policy_temperature),
            (1.5, 1.0)
        );
        let written = config.to_toml().expect("TOML");
        assert!(written.contains("root_policy_temperature = 1.5"), "{written}");
        assert!(!written.contains("prior_temperature"), "{written}");
        for key in ["prior_temperature", "root_policy_temperature"] {
            let config = read(&[&format!("search.{key}=1.75")]);
            assert_eq!(config.search.root_policy_temperature, 1.75, "{key}");
        }
        let overrides = ["search.prior_temperature=2".to_owned()];
        let renamed = "`search.prior_temperature` is read as `search.root_policy_temperature`";
        assert_eq!(
            Config::notes(Some(("old.toml", OLD)), &[]),
            [format!("old.toml: {renamed}")]
        );
        assert_eq!(
            Config::notes(None, &overrides),
            [format!("command line (--set): {renamed}")]
        );
        assert_eq!(
            Config::notes(None, &["search.policy_temperature=2".to_owned()]),
            [""; 0]
        );
        let twice = message(&format!("{OLD}root_policy_temperature = 1\n"), &[]);
        assert!(twice.contains("unknown key `search.prior_temperature`"), "{twice}");
    }

    #[test]
    fn mistakes_name_the_place_and_what_is_expected() {
        for (text, setting, expected) in [
            ("seed = = 3\n", "seed=1", "test.toml is not valid TOML"),
            ("", "seed", "`seed` is no setting; expected KEY=VALUE"),
            ("", ".seed=1", "`.seed=1` is no setting"),
            ("seed = 1\n", "seed.x=1", "`seed.x=1` is no setting"),
            (
                "",
                "search.simulations=many",
                "command line (--set): search.simulations: invalid type: string \"many\", expected a whole number from 0",
            ),
            (
                "",
                "search.algorithm=minimax",
                "search.algorithm: unknown variant `minimax`, expected `puct` or `gumbel`",
            ),
            (
                "rules = 3\n",
                "seed=1",
                "test.toml: rules: invalid type: integer `3`, expected a section of settings",
            ),
            (
                "selfplay.games = 0\n",
                "seed=1",
                "test.toml: selfplay.games is 0, expected at least 1",
            ),
            (
                "",
                "search.full_share=0.0",
                "command line (--set): search.full_share is 0, expected a number above 0",
            ),
        ] {
            let told = message(text, &[setting]);
            assert!(told.contains(expected), "{told}");
        }
    }
}
