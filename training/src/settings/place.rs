//! The source of a setting, for messages.

use std::fmt;

use super::Setting;

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
    pub(super) fn named(&self, key: &str) -> String {
        let last = key.rsplit('.').next().unwrap_or(key);
        match self {
            Self::Override(Some(option)) if option.trim_start_matches('-').replace('-', "_") == last => {
                (*option).into()
            }
            _ => format!("{self}{key}"),
        }
    }
}
