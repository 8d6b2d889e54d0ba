//! Units of effects.

use std::fmt;

use chase_report::number;
use serde::{Deserialize, Serialize};

/// The unit of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EffectUnit {
    /// Score of a player as a share of the possible points, from 0 to 1.
    Score,
    /// A share of a whole, from 0 to 1.
    Share,
    /// Dice.
    Dice,
    /// Plies.
    Plies,
    /// Cells of the board.
    Cells,
    /// Rows of the board.
    Rows,
    /// Legal actions.
    Moves,
    /// First moves of the game, with actions of equal results merged.
    #[serde(rename = "first moves")]
    FirstMoves,
    /// Captures.
    Captures,
    /// Positions.
    Positions,
    /// Pairs of whatever the effect's name says.
    Pairs,
    /// Turns of a player.
    Turns,
}

impl EffectUnit {
    /// Its name in every output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::Share => "share",
            Self::Dice => "dice",
            Self::Plies => "plies",
            Self::Cells => "cells",
            Self::Rows => "rows",
            Self::Moves => "moves",
            Self::FirstMoves => "first moves",
            Self::Captures => "captures",
            Self::Positions => "positions",
            Self::Pairs => "pairs",
            Self::Turns => "turns",
        }
    }

    /// True for units from 0 to 1 that are shown as percentages.
    pub const fn is_percentage(self) -> bool {
        matches!(self, Self::Score | Self::Share)
    }

    /// A number of this unit, as shown in tables and charts.
    pub fn figure(self, value: f64) -> String {
        match self {
            Self::Score | Self::Share => number::percent(value),
            _ if value.fract() == 0.0 => number::whole_number(value),
            _ => number::figure(value),
        }
    }

    /// A number of this unit in a sentence: percentages with one digit, others with two digits and the unit.
    pub fn in_words(self, value: f64) -> String {
        // Avoids `-0.0`.
        let value = if value.abs() < 5e-5 { 0.0 } else { value };
        if self.is_percentage() {
            format!("{:.1} %", 100.0 * value)
        } else {
            format!("{value:.2} {self}")
        }
    }
}

impl fmt::Display for EffectUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn units_are_stored_by_their_names() {
        for unit in [EffectUnit::Score, EffectUnit::FirstMoves, EffectUnit::Turns] {
            let text = serde_json::to_string(&unit).unwrap();
            assert_eq!(text, format!("\"{unit}\""));
            assert_eq!(serde_json::from_str::<EffectUnit>(&text).unwrap(), unit);
        }
    }

    #[test]
    fn numbers_in_sentences_have_no_negative_zero() {
        assert_eq!(EffectUnit::Score.in_words(-0.00001), "0.0 %");
        assert_eq!(EffectUnit::Dice.in_words(-0.25), "-0.25 dice");
    }
}
