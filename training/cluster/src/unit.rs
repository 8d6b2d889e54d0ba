//! Units: what is offered, and what is given back.

use std::fmt;

use chase_models::manifest::FileFacts;
use chase_training::serialised::json_sha256;
use serde::{Deserialize, Serialize};

use crate::arithmetic::Arithmetic;

/// Version of what is sent: programs of different versions refuse each other's units.
pub(crate) const FORMAT: u32 = 3;

/// Most games of a unit, and most characters of its words.
const MOST_GAMES: u32 = 1 << 16;
const LONGEST: usize = 200;

/// A part of some work, before it is offered: games that are played together on one thread of one machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The kind of work, which says who can read `work`: a short word.
    pub kind: String,
    /// The part of the run that it belongs to, such as a generation.
    pub epoch: u64,
    /// Its purpose: a short word.
    pub purpose: String,
    /// Its number among those of its epoch and purpose.
    pub group: u32,
    /// Its name for people.
    pub title: String,
    /// Number of its games.
    pub games: u32,
    /// The work to be done, in the form of its kind.
    pub work: serde_json::Value,
}

/// A part of the work of a run, and everything that its result depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Version of what is sent.
    pub format: u32,
    /// The run: the beginning of the hash of its `meta.json`.
    pub run: String,
    /// The part of its work.
    pub part: Part,
    /// The arithmetic of the machine that offers it, at each precision that is needed. The worker's must agree with it.
    pub arithmetic: Vec<Arithmetic>,
    /// True if other arithmetic may play.
    pub mixed: bool,
}

impl Unit {
    /// True if it can be one: it comes from a server that others use too. Names of objects are made of it, and it is
    /// printed.
    pub(crate) fn is_sound(&self) -> bool {
        let is_word = |text: &str| (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase());
        let Part {
            kind,
            purpose,
            title,
            games,
            ..
        } = &self.part;
        self.format == FORMAT
            && is_hash(&self.run, 16)
            && is_word(kind)
            && is_word(purpose)
            && title.chars().count() <= LONGEST
            && !title.contains(char::is_control)
            && *games <= MOST_GAMES
    }

    /// The unit's identity. It has no character that is special in a subject, a key or the name of an object.
    pub(crate) fn key(&self) -> String {
        let hash = json_sha256(self);
        let Part {
            epoch, purpose, group, ..
        } = &self.part;
        format!("{}.{epoch}.{purpose}.{group}.{}", self.run, &hash[..16])
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of run {}", self.part.title, self.run)
    }
}

/// A title that a unit can have.
pub fn title(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LONGEST).collect()
}

/// True if a text is a hash with this number of hexadecimal digits.
pub(crate) fn is_hash(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The work done for the result of a unit, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitEffort {
    /// Plies that were chosen.
    pub plies: u64,
    /// Positions that networks have evaluated.
    pub evaluations: u64,
    /// Their batches.
    pub batches: u64,
    /// Simulations of searches.
    pub simulations: u64,
}

/// The result of a unit, before it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitResult {
    /// The games, as the kind of the unit stores them.
    pub content: Vec<u8>,
    /// The work done for them.
    pub effort: UnitEffort,
}

/// The statement of a worker about a unit that it has played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Receipt {
    /// Name of the object with the games.
    pub(crate) object: String,
    /// Its size and hash.
    pub(crate) facts: FileFacts,
    /// The worker.
    pub(crate) worker: String,
    /// The arithmetic that it used.
    pub(crate) arithmetic: Vec<Arithmetic>,
    /// The work done for the games.
    pub(crate) effort: UnitEffort,
}

/// The run whose `meta.json` has this content.
pub(crate) fn run_id(meta: &[u8]) -> String {
    FileFacts::of(meta).sha256[..16].to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_models::Precision;
    use chase_models::device::Device;
    use serde_json::json;

    use super::*;

    #[test]
    fn whatever_the_games_depend_on_is_in_the_key() {
        let unit = Unit {
            format: FORMAT,
            run: run_id(b"meta"),
            part: Part {
                kind: "selfplay".into(),
                epoch: 7,
                purpose: "measurement".into(),
                group: 3,
                title: title("generation 7,\nmeasurement group 3"),
                games: 32,
                work: json!({ "games": { "start": 96, "end": 128 }, "config": "…" }),
            },
            arithmetic: vec![Arithmetic::here(Device::Cpu, Precision::F32).unwrap()],
            mixed: false,
        };
        assert_eq!(unit.part.title, "generation 7,measurement group 3");
        let text = serde_json::to_string(&unit).unwrap();
        let read: Unit = serde_json::from_str(&text).unwrap();
        let key = unit.key();
        assert_eq!((&read, read.key()), (&unit, key.clone()));
        assert!(key.starts_with(&format!("{}.7.measurement.3.", unit.run)), "{key}");
        let changes: [fn(&mut Unit); 6] = [
            |unit| unit.part.work["config"] = "e".into(),
            |unit| unit.part.work["games"]["end"] = 127.into(),
            |unit| unit.part.kind = "pairs".into(),
            |unit| unit.part.purpose = "selfplay".into(),
            |unit| unit.mixed = true,
            |unit| unit.arithmetic[0].precision = Precision::Bf16,
        ];
        for change in changes {
            let mut other = unit.clone();
            change(&mut other);
            assert_ne!(other.key(), key);
        }
        assert!(unit.is_sound());
        let changes: [fn(&mut Unit); 6] = [
            |unit| unit.part.kind = String::new(),
            |unit| unit.part.purpose = "../home".into(),
            |unit| unit.part.title = "\u{1b}[2J".into(),
            |unit| unit.run = "*".into(),
            |unit| unit.part.games = u32::MAX,
            |unit| unit.format = 0,
        ];
        for change in changes {
            let mut other = unit.clone();
            change(&mut other);
            assert!(!other.is_sound(), "{other:?}");
        }
    }
}
