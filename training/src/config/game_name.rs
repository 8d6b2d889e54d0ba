//! The name of a game as a setting.

use chase_engine::GameName;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn serialize<S: Serializer>(game: &GameName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(game.name())
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameName, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}
