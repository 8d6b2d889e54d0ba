//! The players of a book.

use chase_arena::PlayerSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::config::BookConfig;
use crate::error::BookError;

/// A player of a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookAgent {
    /// The player, as text.
    pub player: String,
    /// Every effective setting, including defaults.
    #[serde(default)]
    pub settings: Value,
    /// SHA-256 of its weights, in hexadecimal; `None` without a network.
    pub weights: Option<String>,
    /// The planes that its network sees; null for an efficiently updatable network, which sees dice.
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
            encoding: settled.manifest()?.map_or(Value::Null, |manifest| manifest.encoding),
        })
    }
}

/// All players of a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookPlayers {
    /// The scout.
    pub scout: BookAgent,
    /// The judges, in the order of their scores.
    pub judges: Vec<BookAgent>,
    /// The challengers, in the order of their answers.
    #[serde(default)]
    pub challengers: Vec<BookAgent>,
    /// The player of the contest; `None` without one.
    #[serde(default)]
    pub contestant: Option<BookAgent>,
}

impl BookPlayers {
    /// The players, as they are now.
    pub(crate) fn of(config: &BookConfig) -> Result<Self, BookError> {
        let all = |players: &[PlayerSpec]| players.iter().map(BookAgent::of).collect::<Result<Vec<_>, _>>();
        Ok(Self {
            scout: BookAgent::of(&config.scout)?,
            judges: all(&config.judges)?,
            challengers: all(&config.challengers)?,
            contestant: match config.contest.moves {
                0 => None,
                _ => Some(BookAgent::of(&config.contest.player)?),
            },
        })
    }

    /// Each player with its part.
    pub(crate) fn named(&self) -> Vec<(String, &BookAgent)> {
        let mut named = vec![("scout".to_owned(), &self.scout)];
        for (part, agents) in [("judge", &self.judges), ("challenger", &self.challengers)] {
            let numbered = agents.iter().zip(1..);
            named.extend(numbered.map(|(agent, number)| (format!("{part} {number}"), agent)));
        }
        named.extend(self.contestant.iter().map(|agent| ("contest".to_owned(), agent)));
        named
    }

    /// All players, in the order of [`BookPlayers::named`].
    pub(crate) fn all(&self) -> impl Iterator<Item = &BookAgent> {
        std::iter::once(&self.scout)
            .chain(&self.judges)
            .chain(&self.challengers)
            .chain(&self.contestant)
    }
}
