//! Positions whose answer is proved, and the reference set of them.

use std::collections::BTreeSet;

use chase_engine::chase::Rules;
use chase_engine::{Chase, Game};
use serde::{Deserialize, Serialize};

use crate::evaluation::Graded;

/// What the player to move can force. A turn is all that a player does before the other acts, and those of both count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Forced {
    /// To win in this turn.
    Win1,
    /// To win within three turns, and not sooner.
    Win3,
    /// To win within five turns, and not sooner.
    Win5,
    /// To be ahead in dice after four turns, by a capture at once.
    Capture,
    /// To be ahead in dice after four turns, and no capture at once does it.
    Quiet,
}

impl Forced {
    /// All, the nearest wins first.
    pub const ALL: [Self; 5] = [Self::Win1, Self::Win3, Self::Win5, Self::Capture, Self::Quiet];

    /// In a few words, for tables.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Win1 => "win at once",
            Self::Win3 => "win within 3 turns",
            Self::Win5 => "win within 5 turns",
            Self::Capture => "dice, by a capture",
            Self::Quiet => "dice, by a quiet move",
        }
    }
}

/// A position in which the player to move can force something, with all actions that keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedPosition {
    /// What can be forced.
    pub forced: Forced,
    /// The position, in CFEN.
    pub position: String,
    /// Of dice, by how many more than the opponent captures: the most that can be forced. 0 for a win.
    pub gain: u32,
    /// Legal actions.
    pub legal: usize,
    /// Those of them, in exact form, after which it is still forced: a win within [`WIN_TURNS`] turns, counted from the position, or
    /// the same gain after [`DICE_TURNS`]. No other action does it.
    pub solutions: Vec<String>,
    /// Where the position comes from.
    pub source: String,
}

/// Turns, of either player, within which a win counts as forced.
pub const WIN_TURNS: u32 = 5;
/// Turns, of either player, after which dice are counted.
pub const DICE_TURNS: u32 = 4;

/// The reference set: `experiments/arena/data/README.md` says how it was made.
const REFERENCE: &str = include_str!("../../data/solved-positions.jsonl");

/// Error returned for a line that is not a solved position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct SolvedPositionError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub reason: String,
}

impl SolvedPosition {
    /// The positions of a text, a JSON object a line.
    ///
    /// # Errors
    /// If a line is no position with legal actions of which some solve it and some do not.
    pub fn read(text: &str) -> Result<Vec<Self>, SolvedPositionError> {
        let position = |(index, line): (usize, &str)| {
            let wrong = |reason: String| SolvedPositionError {
                line: index + 1,
                reason,
            };
            let position: Self = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            position.graded().map_err(wrong)?;
            Ok(position)
        };
        let lines = text.lines().enumerate();
        lines
            .filter(|(_, line)| !line.trim().is_empty())
            .map(position)
            .collect()
    }

    /// The reference set.
    ///
    /// # Errors
    /// None: a test reads it.
    pub fn reference() -> Result<Vec<Self>, SolvedPositionError> {
        Self::read(REFERENCE)
    }

    /// What a random choice of an action comes to.
    pub fn chance(&self) -> f64 {
        self.solutions.len() as f64 / self.legal.max(1) as f64
    }

    /// The game that begins there, with the actions that solve it.
    ///
    /// # Errors
    /// With what was expected, if it is no position with legal actions of which some solve it and some do not.
    pub(super) fn graded(&self) -> Result<Graded<Chase>, String> {
        let game = Chase::from_position_text(&self.position, &Rules::default());
        let game = game.map_err(|error| format!("position `{}`: {error}", self.position))?;
        let solution = |text: &String| {
            let action = game.parse_action(text);
            action.map_err(|error| format!("solution `{text}`: {error}"))
        };
        let optimal = self.solutions.iter().map(solution).collect::<Result<Vec<_>, _>>()?;
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        if legal.len() != self.legal {
            return Err(format!("`legal` is {}, expected {}", self.legal, legal.len()));
        }
        let different: BTreeSet<&String> = self.solutions.iter().collect();
        if optimal.is_empty() || optimal.len() >= legal.len() || different.len() < optimal.len() {
            let found = optimal.len();
            return Err(format!(
                "{found} solutions, expected at least 1, fewer than the {} legal actions, and each once",
                legal.len()
            ));
        }
        Ok(Graded {
            game,
            optimal,
            has_choice: true,
        })
    }
}
