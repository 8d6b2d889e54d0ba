//! Finished games as they are stored.

use chase_engine::Outcome;
use serde::{Deserialize, Serialize};

use crate::players::Efforts;

/// [`GameResult::reason`] of a game that was cut off.
pub const PLY_LIMIT: &str = "ply limit";
/// Prefix of [`GameResult::reason`] if a player lost by a fault of its program.
pub(crate) const FORFEIT: &str = "forfeit: ";

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// `white`, `black`, `draw` or `truncated`.
    #[serde(with = "outcome_text")]
    pub outcome: Outcome,
    /// The reason for the end: from [`Game::end_reason`], or `ply limit`, or `forfeit: ` and the fault of the loser.
    ///
    /// [`Game::end_reason`]: chase_engine::Game::end_reason
    pub reason: String,
    /// Plies played, including those of the opening.
    pub plies: u32,
    /// Plies of the opening.
    pub opening_plies: u32,
    /// The first position as text, if the game has a random one; otherwise it is that of the rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// All actions in the form that [`Game::parse_action`] reads.
    ///
    /// [`Game::parse_action`]: chase_engine::Game::parse_action
    pub actions: Vec<String>,
    /// The effort of each choice, as far as players report it; empty in games of a study and in those of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "Efforts::is_empty")]
    pub effort: Efforts,
}

impl GameResult {
    /// The reason for the end, of which all forfeits are one, whatever the program's fault.
    pub(crate) fn kind_of_reason(&self) -> &str {
        match self.reason.starts_with(FORFEIT) {
            true => "forfeit",
            false => &self.reason,
        }
    }
}

/// A finished game of a match or a tournament, in its stored form: one line of [`super::GAMES_FILE`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLine {
    /// Name of White.
    pub white: String,
    /// Name of Black.
    pub black: String,
    /// Number of the pair in the match between these two, from 0.
    pub pair: u32,
    /// The game.
    #[serde(flatten)]
    pub game: GameResult,
}

/// A finished game of a study, in its stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Id of its series.
    pub series: String,
    /// Its number in the series, from 0: games with the same number share their randomness and form a block.
    pub number: u32,
    /// The game. Its opening is the forced plies.
    pub result: GameResult,
    /// Expected score of the first player (White) before each ply, from 0 to 1, by the search that chose it; `None` for
    /// forced plies, and where there was nothing to search.
    pub values: Vec<Option<f64>>,
}

/// [`Outcome`] as its [`Outcome::name`].
mod outcome_text {
    use chase_engine::{Outcome, Player};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    const ALL: [Outcome; 4] = [
        Outcome::Win(Player::White),
        Outcome::Win(Player::Black),
        Outcome::Draw,
        Outcome::Truncated,
    ];

    pub fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(outcome.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let text = String::deserialize(deserializer)?;
        let found = ALL.into_iter().find(|outcome| outcome.name() == text);
        found.ok_or_else(|| D::Error::unknown_variant(&text, &["white", "black", "draw", "truncated"]))
    }
}
