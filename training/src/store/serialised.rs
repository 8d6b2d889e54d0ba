//! Settings and records of this program as text.
//!
//! All are plain data, whose serialisation cannot fail: maps have text as keys, and integers fit into TOML, which ends at
//! 2⁶³ − 1. A failure is a mistake in this program, and panics: the hash of nothing would make different settings equal.

use chase_models::manifest::FileFacts;
use serde::Serialize;
use serde_json::Value;
use toml::Table;

const PLAIN: &str = "plain data can be serialised";

/// A value as JSON, on one line.
///
/// # Panics
/// If the value is not plain data; so do all functions here.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect(PLAIN)
}

/// A value as JSON, for people.
pub fn pretty_json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect(PLAIN)
}

/// A value as the JSON that other JSON takes in.
pub fn json_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect(PLAIN)
}

/// SHA-256, in hexadecimal digits, of a value as [`json`] writes it.
pub fn json_sha256(value: &impl Serialize) -> String {
    FileFacts::of(json(value).as_bytes()).sha256
}

/// A value as a table of TOML.
pub fn toml_table(value: &impl Serialize) -> Table {
    Table::try_from(value).expect(PLAIN)
}

/// A value as TOML.
pub fn toml_text(value: &impl Serialize) -> String {
    toml::to_string(value).expect(PLAIN)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_hash_is_that_of_the_json() {
        // sha256sum of {"a":1}.
        let expected = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862";
        assert_eq!(json_sha256(&BTreeMap::from([("a", 1)])), expected);
    }

    #[test]
    #[should_panic(expected = "plain data can be serialised")]
    fn what_has_no_json_is_not_the_hash_of_nothing() {
        json_sha256(&BTreeMap::from([([1], "a key that is a list")]));
    }

    #[test]
    #[should_panic(expected = "plain data can be serialised")]
    fn what_has_no_toml_is_no_empty_table() {
        toml_table(&BTreeMap::from([("seed", u64::MAX)]));
    }
}
