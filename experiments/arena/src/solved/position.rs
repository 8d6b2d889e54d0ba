//! Positions with proved solutions, and the reference set of them.

use std::collections::BTreeSet;
use std::fmt::Display;

use anyhow::anyhow;
use chase_engine::chase::Rules;
use chase_engine::{Chase, Game};
use serde::{Deserialize, Serialize};

use crate::evaluation::Graded;

/// A result that the player to move can force. A turn is all plies of a player before the other acts; turns of both
/// players count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForcedResult {
    /// A win in this turn.
    Win1,
    /// A win within three turns, and not sooner.
    Win3,
    /// A win within five turns, and not sooner.
    Win5,
    /// A lead in dice after four turns, by an immediate capture.
    Capture,
    /// A lead in dice after four turns, but not by an immediate capture.
    Quiet,
}

impl ForcedResult {
    /// All kinds, nearest wins first.
    pub const ALL: [Self; 5] = [Self::Win1, Self::Win3, Self::Win5, Self::Capture, Self::Quiet];

    /// A short description, for tables.
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

/// A position in which the player to move can force a result, with all actions that keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedPosition {
    /// The forced result.
    pub forced: ForcedResult,
    /// The position, in CFEN.
    pub position: String,
    /// For dice, the largest lead in captures over the opponent that can be forced. 0 for a win.
    pub gain: u32,
    /// Number of legal actions.
    pub legal: usize,
    /// The actions, in exact form, that keep the result: a win within [`WIN_TURNS`] turns, counted from the position,
    /// or the same gain after [`DICE_TURNS`]. No other action does.
    pub solutions: Vec<String>,
    /// The origin of the position.
    pub source: String,
}

/// Number of turns, of either player, within which a win counts as forced.
pub const WIN_TURNS: u32 = 5;
/// Number of turns, of either player, after which dice are counted.
pub const DICE_TURNS: u32 = 4;

/// The reference set: `experiments/arena/data/README.md` describes how it was made.
const REFERENCE: &str = include_str!("../../data/solved-positions.jsonl");

impl SolvedPosition {
    /// Reads positions from a text, one JSON object per line.
    ///
    /// # Errors
    /// If a line is not a position whose legal actions include both solutions and others.
    pub fn read(text: &str) -> anyhow::Result<Vec<Self>> {
        let position = |(index, line): (usize, &str)| {
            let wrong = |reason: &dyn Display| anyhow!("line {}: {reason}", index + 1);
            let position: Self = serde_json::from_str(line).map_err(|error| wrong(&error))?;
            position.graded().map_err(|reason| wrong(&reason))?;
            Ok(position)
        };
        let lines = text.lines().enumerate();
        lines
            .filter(|(_, line)| !line.trim().is_empty())
            .map(position)
            .collect()
    }

    /// The reference set.
    pub fn reference() -> Vec<Self> {
        Self::read(REFERENCE).expect("a test reads them")
    }

    /// The probability that a random action is a solution.
    pub fn chance(&self) -> f64 {
        self.solutions.len() as f64 / self.legal.max(1) as f64
    }

    /// The game that begins there, with its solutions.
    ///
    /// # Errors
    /// Describes the requirement that fails, if it is not a position whose legal actions include both solutions and
    /// others.
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
