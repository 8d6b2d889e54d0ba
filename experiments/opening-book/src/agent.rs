//! The players of a book.

use chase_arena::PlayerSpec;
use chase_models::Manifest;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::BookError;

/// A player that judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookAgent {
    /// The player, as text.
    pub player: String,
    /// Every effective setting, including defaults.
    #[serde(default)]
    pub settings: Value,
    /// SHA-256 of its weights, in hexadecimal; `None` without a network.
    pub weights: Option<String>,
    /// The planes that its network sees; null in the second family, whose networks see dice, and in books of earlier versions.
    #[serde(default)]
    pub encoding: Value,
}

impl BookAgent {
    pub(crate) fn of(player: &PlayerSpec) -> Result<Self, BookError> {
        let settled = player.settled()?;
        Ok(Self {
            player: settled.to_string(),
            settings: json!(settled.resolved()),
            weights: settled.weights_sha256()?,
            encoding: match &settled {
                PlayerSpec::Network(network) => Manifest::read(&network.path).map_or(Value::Null, |read| read.encoding),
                _ => Value::Null,
            },
        })
    }
}
