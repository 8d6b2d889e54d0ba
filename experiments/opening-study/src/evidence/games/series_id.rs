//! Ids of series of games.

use std::fmt;
use std::str::FromStr;

use chase_engine::chase::{Action, Rules};
use serde::{Deserialize, Serialize};

/// Identifies a series of games in every file and output.
///
/// As text it is the index of the player, then the forced plies: `0/free`, `0/first/A3NW`, `0/reply/A3NW/I1E`, or
/// `0/convention/repetition 3, quiet off, length 400`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct SeriesId {
    /// Index of the player.
    pub player: usize,
    /// The forced plies.
    pub forced: ForcedPlies,
}

/// The forced plies of a series, or its conventions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForcedPlies {
    /// Nothing, under the conventions of the study.
    Nothing,
    /// Nothing, under other conventions.
    Convention(Rules),
    /// The first move.
    First(Action),
    /// The first move and the reply to it.
    Reply([Action; 2]),
}

/// The kind of a series, by its forced plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeriesKind {
    /// No forced plies.
    Free,
    /// No forced plies, under other conventions.
    Convention,
    /// A forced first move.
    First,
    /// A forced first move, and a forced reply.
    Reply,
}

/// A text that is not the id of a series.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a series: expected a player's number and the forced plies, such as 0/free or 0/reply/A3NW/I1E")]
pub struct SeriesIdError(String);

impl SeriesId {
    /// The games of a player from the initial position.
    pub const fn free(player: usize) -> Self {
        let forced = ForcedPlies::Nothing;
        Self { player, forced }
    }

    /// The games of a player under other conventions.
    pub const fn convention(player: usize, rules: Rules) -> Self {
        let forced = ForcedPlies::Convention(rules);
        Self { player, forced }
    }

    /// The games of a player after a first move.
    pub const fn first(player: usize, action: Action) -> Self {
        let forced = ForcedPlies::First(action);
        Self { player, forced }
    }

    /// The games of a player after a first move and a reply.
    pub const fn reply(player: usize, first: Action, reply: Action) -> Self {
        let forced = ForcedPlies::Reply([first, reply]);
        Self { player, forced }
    }

    /// The kind of the series.
    pub const fn kind(&self) -> SeriesKind {
        match self.forced {
            ForcedPlies::Nothing => SeriesKind::Free,
            ForcedPlies::Convention(_) => SeriesKind::Convention,
            ForcedPlies::First(_) => SeriesKind::First,
            ForcedPlies::Reply(_) => SeriesKind::Reply,
        }
    }

    /// The forced plies.
    pub fn line(&self) -> &[Action] {
        match &self.forced {
            ForcedPlies::Nothing | ForcedPlies::Convention(_) => &[],
            ForcedPlies::First(action) => std::slice::from_ref(action),
            ForcedPlies::Reply(actions) => actions,
        }
    }
}

impl fmt::Display for SeriesId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = self.player;
        match &self.forced {
            ForcedPlies::Nothing => write!(f, "{player}/free"),
            ForcedPlies::Convention(rules) => write!(f, "{player}/convention/{rules}"),
            ForcedPlies::First(action) => write!(f, "{player}/first/{action}"),
            ForcedPlies::Reply([first, reply]) => write!(f, "{player}/reply/{first}/{reply}"),
        }
    }
}

/// Reads exactly the text form.
impl FromStr for SeriesId {
    type Err = SeriesIdError;

    fn from_str(text: &str) -> Result<Self, SeriesIdError> {
        let read = || {
            let (player, forced) = text.split_once('/')?;
            let (kind, rest) = forced.split_once('/').unwrap_or((forced, ""));
            let action = |text: &str| text.parse::<Action>().ok();
            let forced = match kind {
                "free" => ForcedPlies::Nothing,
                "convention" => ForcedPlies::Convention(rest.parse().ok()?),
                "first" => ForcedPlies::First(action(rest)?),
                "reply" => {
                    let (first, reply) = rest.split_once('/')?;
                    ForcedPlies::Reply([action(first)?, action(reply)?])
                }
                _ => return None,
            };
            let player = player.parse().ok()?;
            Some(Self { player, forced })
        };
        let found = read().filter(|id| id.to_string() == text);
        found.ok_or_else(|| SeriesIdError(text.to_owned()))
    }
}

impl From<SeriesId> for String {
    fn from(id: SeriesId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for SeriesId {
    type Error = SeriesIdError;

    fn try_from(text: String) -> Result<Self, SeriesIdError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn ids_are_the_texts_that_are_stored() {
        let [first, reply] = ["A3NW", "I1E"].map(|text| text.parse().unwrap());
        let rules: Rules = "repetition 2, quiet off, length 400".parse().unwrap();
        for (id, text) in [
            (SeriesId::free(0), "0/free"),
            (
                SeriesId::convention(0, rules),
                "0/convention/repetition 2, quiet off, length 400",
            ),
            (SeriesId::first(12, first), "12/first/A3NW"),
            (SeriesId::reply(1, first, reply), "1/reply/A3NW/I1E"),
        ] {
            assert_eq!((id.to_string().as_str(), text.parse()), (text, Ok(id)));
            assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<SeriesId>(&format!("\"{text}\"")).unwrap(), id);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "free",
            "0",
            "0/",
            "a/free",
            "00/free",
            "0/free/",
            "0/first",
            "0/first/Z1",
            "0/reply/A3NW",
            "0/last/A3NW",
        ] {
            let told = text.parse::<SeriesId>().unwrap_err().to_string();
            assert!(
                told.starts_with(&format!("`{text}` is not a series: expected ")),
                "{told}"
            );
        }
    }
}
