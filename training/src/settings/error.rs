//! Errors of settings.

use chase_engine::GameName;

use super::{Checks, Difference, Problem, SettingPlace};

/// Most unknown keys that an error names: a file of another program may have any number.
pub(super) const MOST_NAMED: usize = 20;

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
    /// Changed settings that need more than was allowed.
    #[error("the {subject} cannot continue with {}; {advice}", listed(differences))]
    Fixed {
        subject: &'static str,
        differences: Vec<Difference>,
        /// Advice on how to change them.
        advice: String,
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
    /// Values out of range, all of them.
    #[error("{}", lines(.0))]
    Invalid(Vec<Problem>),
}

impl ConfigError {
    /// Refuses a number of games that is lower than `before` when they are resumed.
    ///
    /// # Errors
    /// That number, under its key.
    pub fn refuse_fewer(key: &str, now: u32, before: u32) -> Result<(), Self> {
        let mut checks = Checks::default();
        let expected = format!("{before} or more: that number may have been played already");
        checks.require(now >= before, key, now, &expected);
        match checks.0.is_empty() {
            true => Ok(()),
            false => Err(Self::Invalid(checks.0)),
        }
    }
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

fn listed(differences: &[Difference]) -> String {
    differences
        .iter()
        .map(Difference::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}
