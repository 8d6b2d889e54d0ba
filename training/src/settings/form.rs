//! Settings as TOML.

use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::{Table, Value};

/// A value of a wrong type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistyped {
    /// Its key, with the sections before it.
    pub key: String,
    /// The reason, in words of the parser.
    pub reason: String,
}

/// Reads settings from a table.
///
/// # Errors
/// The first value of a wrong type.
pub fn from_table<T: DeserializeOwned>(table: Table) -> Result<T, Mistyped> {
    let mistyped = |error: serde_path_to_error::Error<toml::de::Error>| Mistyped {
        key: error.path().to_string(),
        reason: error.inner().message().to_owned(),
    };
    serde_path_to_error::deserialize(Value::Table(table).into_deserializer()).map_err(mistyped)
}

/// Writes the methods of [`Settings`](crate::settings::Settings) that read and write TOML. It stands inside the
/// implementation, whose type serde can read and write.
#[macro_export]
macro_rules! toml_form {
    () => {
        fn of_table(table: $crate::settings::Table) -> Result<Self, $crate::settings::Mistyped> {
            $crate::settings::from_table(table)
        }

        fn table(&self) -> $crate::settings::Table {
            $crate::store::serialised::toml_table(self)
        }

        fn to_toml(&self) -> String {
            $crate::store::serialised::toml_text(self)
        }
    };
}
