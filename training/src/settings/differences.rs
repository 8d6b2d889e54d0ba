//! The difference of two configurations.

use std::collections::BTreeSet;
use std::fmt;

use toml::{Table, Value};

use super::{Change, Keys};

/// A setting whose value differs from the earlier one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The key with its sections, and with an index in a list whose length did not change: `players[1]`.
    pub key: String,
    /// The earlier value, if there was one.
    pub before: Option<Value>,
    /// The value now, if there is one.
    pub now: Option<Value>,
    /// The operation that the change needs.
    pub change: Change,
}

/// `search.simulations = 64 (was 16)`
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), Value::to_string);
        write!(f, "{} = {} (was {})", self.key, value(&self.now), value(&self.before))
    }
}

/// The settings whose values differ in two tables, in the order of their keys.
pub(crate) fn between(before: &Table, now: &Table, keys: &Keys) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut differ = |key: String, before: Option<&Value>, now: Option<&Value>| {
        found.push(Difference {
            change: keys.nearest_to(&key).map_or(Change::New, |key| key.change),
            before: before.cloned(),
            now: now.cloned(),
            key,
        });
    };
    in_section("", before, now, &mut differ);
    found
}

fn in_section(
    prefix: &str,
    before: &Table,
    now: &Table,
    differ: &mut impl FnMut(String, Option<&Value>, Option<&Value>),
) {
    let keys: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    for key in keys {
        let path = format!("{prefix}{key}");
        match (before.get(key), now.get(key)) {
            (before, now) if before == now => {}
            (Some(Value::Table(before)), Some(Value::Table(now))) => {
                in_section(&format!("{path}."), before, now, differ);
            }
            (Some(Value::Array(before)), Some(Value::Array(now))) if before.len() == now.len() => {
                for (index, (before, now)) in before.iter().zip(now).enumerate() {
                    if before != now {
                        differ(format!("{path}[{index}]"), Some(before), Some(now));
                    }
                }
            }
            (before, now) => differ(path, before, now),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found_in_sections_and_lists_and_where_only_one_has_a_key() {
        let table = |text: &str| text.parse::<Table>().expect("TOML");
        let before = table("one = 1\nlist = [1, 2]\n[section]\nsame = 1\nother = 2\n");
        let now = table("list = [1, 3]\nnew = 'text'\n[section]\nsame = 1\nother = 3\n");
        let found = between(&before, &now, &Keys::of::<bool>());
        let texts: Vec<String> = found.iter().map(Difference::to_string).collect();
        assert_eq!(
            texts,
            [
                "list[1] = 3 (was 2)",
                "new = \"text\" (was nothing)",
                "one = nothing (was 1)",
                "section.other = 3 (was 2)"
            ]
        );
    }
}
