//! Units of effects.

use std::fmt;

use chase_report::number;
use serde::{Deserialize, Serialize};

/// The unit of an effect: `score` or `share`, from 0 to 1, or the things that are counted, such as `first moves`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EffectUnit(String);

impl EffectUnit {
    /// The unit of a player's score as a share of the possible points.
    pub fn score() -> Self {
        Self("score".to_owned())
    }

    /// Its name in every output.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// True for units from 0 to 1 that are shown as percentages.
    pub fn is_percentage(&self) -> bool {
        matches!(self.name(), "score" | "share")
    }

    /// A number of this unit, as shown in tables and charts.
    pub fn figure(&self, value: f64) -> String {
        match value {
            _ if self.is_percentage() => number::percent(value),
            _ if value.fract() == 0.0 => number::whole_number(value),
            _ => number::figure(value),
        }
    }

    /// A number of this unit in a sentence: percentages with one digit, others with two digits and the unit.
    pub fn in_words(&self, value: f64) -> String {
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
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_sentences_have_no_negative_zero() {
        assert_eq!(EffectUnit::score().in_words(-0.00001), "0.0 %");
        assert_eq!(EffectUnit("dice".to_owned()).in_words(-0.25), "-0.25 dice");
    }
}
