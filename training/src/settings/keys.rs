//! The keys of a configuration, from its types: name, meaning, default, and what a change of the value needs.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::nearest::nearest;

/// The operation that a changed setting needs. The lesser one allows less: a setting that may change on resume may
/// change in a branch, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It may change when the run is resumed.
    Resume,
    /// A branch, which continues with the run's network and games.
    Branch,
    /// A refit, in which a new network learns the run's games.
    Refit,
    /// A new run.
    New,
}

impl Change {
    /// Reads the mark of a field: `#[schemars(extend("change" = "resume"))]`.
    fn of(mark: &Value) -> Self {
        match mark.as_str() {
            Some("resume") => Self::Resume,
            Some("branch") => Self::Branch,
            Some("refit") => Self::Refit,
            _ => panic!("a field is marked with {mark}, expected resume, branch or refit"),
        }
    }
}

/// A key of a configuration: a setting, or a section of settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Its name, without the sections that it is in.
    pub name: String,
    /// The doc comment of its field.
    pub meaning: String,
    /// The operation that a change of its value needs.
    pub change: Change,
    /// The keys of a section; none of a setting, and none of a section with any keys.
    pub inner: Vec<Key>,
}

/// Keys, without their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Keys(Vec<Key>);

/// Longest unknown key, in bytes, for which the nearest known key is searched; known keys are a third as long.
const LONGEST_KEY: usize = 100;

impl Keys {
    /// The keys of a type. A field without a mark needs a new run, or what its section needs.
    pub fn of<T: JsonSchema>() -> Self {
        let mut settings = SchemaSettings::default();
        settings.inline_subschemas = true;
        let schema = settings.into_generator().into_root_schema_for::<T>();
        Self(inner(schema.as_value(), Change::New))
    }

    /// The keys of the first level.
    pub fn all(&self) -> &[Key] {
        &self.0
    }

    /// The key of this path, such as `search.c_puct`, or the last section on the way to it.
    pub(super) fn nearest_to(&self, path: &str) -> Option<&Key> {
        let mut found = None;
        let mut keys = &self.0;
        for name in path.split(['.', '[']) {
            let Some(key) = keys.iter().find(|key| key.name == name) else {
                break;
            };
            found = Some(key);
            keys = &key.inner;
        }
        found
    }

    /// All keys with their sections, which are listed as well.
    pub fn paths(&self) -> Vec<String> {
        fn add(prefix: &str, keys: &[Key], paths: &mut Vec<String>) {
            for key in keys {
                let path = format!("{prefix}{}", key.name);
                add(&format!("{path}."), &key.inner, paths);
                paths.push(path);
            }
        }
        let mut paths = Vec::new();
        add("", &self.0, &mut paths);
        paths.sort();
        paths
    }

    /// The keys of sections that have this name, such as `limits.minutes` for `minutes`.
    pub fn named(&self, name: &str) -> Vec<String> {
        let mut paths = self.paths();
        paths.retain(|path| path.rsplit_once('.').is_some_and(|(_, last)| last == name));
        paths
    }

    /// The known keys of which one was probably meant by `key`: those of the same name in other sections, or else the
    /// most similar one.
    pub(super) fn meant_by(&self, key: &str) -> Vec<String> {
        if key.len() > LONGEST_KEY {
            return Vec::new();
        }
        let same = self.named(key.rsplit('.').next().unwrap_or(key));
        match same.is_empty() {
            true => nearest(key, self.paths()).into_iter().collect(),
            false => same,
        }
    }
}

/// The keys of an object's schema. That of an optional section is the first of two alternatives.
fn inner(schema: &Value, change: Change) -> Vec<Key> {
    let alternatives = schema.get("anyOf").and_then(Value::as_array);
    let schemas = std::iter::once(schema).chain(alternatives.into_iter().flatten());
    let properties = schemas.filter_map(|schema| schema.get("properties")?.as_object());
    let key = |(name, schema): (&String, &Value)| {
        let change = schema.get("change").map_or(change, Change::of);
        Key {
            name: name.clone(),
            meaning: schema
                .get("description")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .replace('\n', " "),
            change,
            inner: inner(schema, change),
        }
    };
    properties.flatten().map(key).collect()
}
