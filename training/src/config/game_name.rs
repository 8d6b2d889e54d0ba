//! The name of a game as a setting: `#[serde(with = "game_name")]`.

use chase_engine::GameName;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};

/// Writes the name as text.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(game: &GameName, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(game.name())
}

/// Reads the name from text.
///
/// # Errors
/// If the text is not the name of a game.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameName, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}
