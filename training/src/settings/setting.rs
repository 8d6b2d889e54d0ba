//! One setting that takes precedence over a file of settings.

use std::fmt::Display;

/// A setting, `key=value`, from `--set` or from an option of its own, such as `--pairs 50`. It knows the option, so
/// that an error names what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    text: String,
    option: Option<&'static str>,
}

impl Setting {
    /// The setting of an option, such as `--pairs`; the value as in TOML.
    pub fn of_option(option: &'static str, key: &str, value: impl Display) -> Self {
        Self {
            text: format!("{key}={value}"),
            option: Some(option),
        }
    }

    /// Settings as `--set` makes them.
    pub fn list(texts: &[&str]) -> Vec<Self> {
        texts.iter().copied().map(Self::from).collect()
    }

    /// `key=value`. The text of a user may have no key.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The key with its sections, if there is one.
    pub fn key(&self) -> Option<&str> {
        self.text.split_once('=').map(|(key, _)| key.trim())
    }

    /// The option that set it, if it was not `--set`.
    pub(super) fn option(&self) -> Option<&'static str> {
        self.option
    }
}

impl From<&str> for Setting {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Setting {
    fn from(text: String) -> Self {
        Self { text, option: None }
    }
}
