//! What was changed in the configuration of a run since the run wrote it.

use std::path::{Path, PathBuf};

use chase_models::manifest::FileFacts;
use serde::Serialize;
use toml::{Table, Value};

use crate::serialised::toml_table;

/// Error returned for a `config.toml` that has lost keys: the run would continue under their defaults.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} was changed since {since}: it has lost {}; put them back, as their defaults would take their place",
    path.display(), keys.join(", ")
)]
pub struct LostKeys {
    path: PathBuf,
    since: String,
    keys: Vec<String>,
}

/// Compares the `text` of a run's `config.toml` at `path`, which was read as `config`, with the SHA-256 that it had at
/// the time that `since` names; older runs did not store one. A change is returned as a sentence.
///
/// # Errors
/// If it is changed and lacks keys. Without a change such a file is one of an older program, which had fewer keys.
pub fn of_config<C: Serialize>(
    (path, text): (&Path, &[u8]),
    config: &C,
    since: &str,
    sha256: Option<&str>,
) -> Result<Option<String>, LostKeys> {
    if sha256.is_none_or(|sha256| sha256 == FileFacts::of(text).sha256) {
        return Ok(None);
    }
    let keys = keys_not_in(config, &String::from_utf8_lossy(text));
    if keys.is_empty() {
        // By hand, or by a resume that was stopped before its next checkpoint.
        return Ok(Some(format!(
            "{} was changed since {since}; the run continues with it as it is now",
            path.display()
        )));
    }
    Err(LostKeys {
        path: path.into(),
        since: since.to_owned(),
        keys,
    })
}

/// Keys of a configuration that a TOML text does not have, so that they have their defaults if it was read from that
/// text. A missing section is listed by its name only.
fn keys_not_in<C: Serialize>(config: &C, text: &str) -> Vec<String> {
    fn missing(before: &str, known: &Table, found: &Table, keys: &mut Vec<String>) {
        for (key, value) in known {
            match (value, found.get(key)) {
                (_, None) => keys.push(format!("{before}{key}")),
                (Value::Table(known), Some(Value::Table(found))) => {
                    missing(&format!("{before}{key}."), known, found, keys);
                }
                _ => {}
            }
        }
    }
    let mut keys = Vec::new();
    let found = text.parse().expect("the configuration was read from this text");
    missing("", &toml_table(config), &found, &mut keys);
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Config {
        seed: u64,
        limits: Limits,
    }

    #[derive(Serialize)]
    struct Limits {
        games: u32,
        minutes: u32,
    }

    #[test]
    fn a_changed_file_is_told_and_one_with_fewer_keys_refused() {
        let config = Config {
            seed: 1,
            limits: Limits { games: 2, minutes: 3 },
        };
        let of = |text: &str, sha256: Option<&str>| {
            of_config(
                (Path::new("config.toml"), text.as_bytes()),
                &config,
                "gen-000003",
                sha256,
            )
        };
        let whole = "seed = 1\nlimits = { games = 2, minutes = 3 }\n";
        let facts = FileFacts::of(whole.as_bytes());
        let sha256 = Some(facts.sha256.as_str());
        assert_eq!(of(whole, sha256), Ok(None));
        let cut = "seed = 1\nlimits = { games = 2 }\n";
        assert_eq!(of(cut, None), Ok(None));
        let old = FileFacts::of(cut.as_bytes());
        assert_eq!(of(cut, Some(&old.sha256)), Ok(None));
        let told = of(&whole.replace('3', "4"), sha256).map(|told| told.unwrap_or_default());
        assert!(told.is_ok_and(|told| told.starts_with("config.toml was changed since gen-000003")));
        let lost = |text| of(text, sha256).map_err(|lost| lost.keys);
        assert_eq!(lost(cut), Err(vec!["limits.minutes".to_owned()]));
        assert_eq!(lost("seed = 1\n"), Err(vec!["limits".to_owned()]));
    }
}
