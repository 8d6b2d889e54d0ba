//! Units: what a learner offers, and what a worker gives back.

use std::fmt;
use std::ops::Range;

use chase_models::manifest::FileFacts;
use chase_training::game_record::Purpose;
use chase_training::selfplay::Group;
use serde::{Deserialize, Serialize};

use crate::arithmetic::Arithmetic;

/// Version of what is sent: workers and learners of different versions refuse each other.
pub(crate) const FORMAT: u32 = 1;

/// Most games of a unit.
const MOST_GAMES: usize = 1 << 16;

/// A group of games to be played, and everything that they depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Version of what is sent.
    pub format: u32,
    /// The run: the beginning of the hash of its `meta.json`.
    pub run: String,
    /// Generation of the games.
    pub generation: u64,
    /// Purpose of the games.
    pub purpose: Purpose,
    /// Number of the group.
    pub group: u32,
    /// Numbers of its games.
    pub games: Range<u32>,
    /// SHA-256 of the run's `config.toml`.
    pub config: String,
    /// Name of the checkpoint that plays.
    pub model: String,
    /// SHA-256 of its manifest, which vouches for the weights.
    pub checkpoint: String,
    /// The learner's arithmetic, which the worker's must agree with.
    pub arithmetic: Arithmetic,
    /// True if other arithmetic than the learner's may play.
    pub mixed: bool,
}

impl Unit {
    /// Whether it can be one: it comes from a server that others use too. Names of files and objects are made of it.
    pub(crate) fn is_sound(&self) -> bool {
        let is_hash = |text: &str, digits| text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.format == FORMAT
            && is_hash(&self.run, 16)
            && is_hash(&self.config, 64)
            && is_hash(&self.checkpoint, 64)
            && self.games.len() <= MOST_GAMES
    }

    /// The unit's identity. It has no character that is special in a subject, a key or the name of an object.
    pub(crate) fn key(&self) -> String {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let hash = FileFacts::of(&text).sha256;
        let (
            purpose,
            Self {
                run, generation, group, ..
            },
        ) = (self.purpose.name(), self);
        format!("{run}.{generation}.{purpose}.{group}.{}", &hash[..16])
    }

    /// The group of games.
    pub(crate) fn as_group(&self) -> Group {
        Group {
            number: self.group,
            games: self.games.clone(),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (
            purpose,
            Self {
                run, generation, group, ..
            },
        ) = (self.purpose.name(), self);
        write!(f, "generation {generation}, {purpose} group {group} of run {run}")
    }
}

/// What a worker says about a unit that it has played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Played {
    /// Name of the object with the games, in the format of shards.
    pub(crate) object: String,
    /// Its size and hash.
    pub(crate) facts: FileFacts,
    /// The worker.
    pub(crate) worker: String,
    /// What it computed with.
    pub(crate) arithmetic: Arithmetic,
    /// What was done for the games.
    pub(crate) plies: u64,
    pub(crate) evaluations: u64,
    pub(crate) batches: u64,
    pub(crate) simulations: u64,
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

    use super::*;

    #[test]
    fn whatever_the_games_depend_on_is_in_the_key() {
        let unit = Unit {
            format: FORMAT,
            run: run_id(b"meta"),
            generation: 7,
            purpose: Purpose::Measurement,
            group: 3,
            games: 96..128,
            config: FileFacts::of(b"config").sha256,
            model: "gen-000006".into(),
            checkpoint: FileFacts::of(b"manifest").sha256,
            arithmetic: Arithmetic::here(Device::Cpu, Precision::F32).unwrap(),
            mixed: false,
        };
        let text = serde_json::to_string(&unit).unwrap();
        assert_eq!(serde_json::from_str::<Unit>(&text).unwrap(), unit);
        let key = unit.key();
        assert!(key.starts_with(&format!("{}.7.measurement.3.", unit.run)), "{key}");
        let changes: [fn(&mut Unit); 6] = [
            |unit| unit.checkpoint = "e".into(),
            |unit| unit.config = "e".into(),
            |unit| unit.games = 96..127,
            |unit| unit.purpose = Purpose::Selfplay,
            |unit| unit.mixed = true,
            |unit| unit.arithmetic.precision = Precision::Bf16,
        ];
        for change in changes {
            let mut other = unit.clone();
            change(&mut other);
            assert_ne!(other.key(), key);
        }
        assert!(unit.is_sound());
        let changes: [fn(&mut Unit); 4] = [
            |unit| unit.checkpoint = "../".repeat(20) + "home",
            |unit| unit.run = "*".into(),
            |unit| unit.games = 0..u32::MAX,
            |unit| unit.format = 0,
        ];
        for change in changes {
            let mut other = unit.clone();
            change(&mut other);
            assert!(!other.is_sound(), "{other:?}");
        }
    }
}
