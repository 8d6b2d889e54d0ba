//! Comparisons as text.

use chase_report::number::NONE;
use chase_statistics::Interval;

use crate::effects::{Comparison, Effect, Measure};

/// The conclusion of a comparison as text.
pub(crate) fn conclusion(effect: &Effect) -> String {
    match effect.comparison {
        Comparison::Differs => "differs".to_owned(),
        Comparison::Within => format!(
            "does not differ by more than {}",
            in_unit(effect.measure, effect.margin, false)
        ),
        Comparison::Undecided => "undecided".to_owned(),
    }
}

/// A difference in the unit of its measure.
pub(crate) fn in_unit(measure: Measure, difference: f64, signed: bool) -> String {
    let sign = match difference {
        difference if difference < 0.0 => "−",
        _ if signed => "+",
        _ => "",
    };
    let size = difference.abs();
    match measure {
        Measure::Score | Measure::Draws => format!("{sign}{:.1} points", 100.0 * size),
        Measure::Plies => format!("{sign}{size:.1} plies"),
    }
}

/// The interval of a comparison and its conclusion, for a terminal.
impl Effect {
    /// The comparison as a line of text of less than 100 characters.
    pub fn line(&self) -> String {
        let Interval { low, high } = self.interval;
        let [low, high] = [low, high].map(|end| end.map_or(NONE.to_owned(), |end| in_unit(self.measure, end, true)));
        let unit = if self.measure == Measure::Plies {
            " plies"
        } else {
            " points"
        };
        let plain = |text: &str| text.trim_end_matches(unit).to_owned();
        format!(
            "{:<25} {:<19} {:>7} [{}, {}]  {}",
            format!("{} − {}", self.to, self.from),
            self.measure.name(),
            plain(&in_unit(self.measure, self.difference, true)),
            plain(&low),
            plain(&high),
            match self.comparison {
                Comparison::Within => "within the margin".to_owned(),
                _ => conclusion(self),
            }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factors::Factor;

    #[test]
    fn a_comparison_is_a_line_of_text() {
        let effect = Effect {
            factor: Factor::Topology,
            from: "square",
            to: "universal",
            measure: Measure::Score,
            pairs: 6,
            agents: 36,
            difference: -0.0834,
            error: 0.02,
            freedom: 20.0,
            interval: Interval {
                low: Some(-0.16),
                high: Some(-0.01),
            },
            margin: 0.1,
            comparison: Comparison::Differs,
        };
        let line = effect.line();
        assert_eq!(
            line,
            "universal − square        first player's score    −8.3 [−16.0, −1.0]  differs"
        );
        let within = Effect {
            comparison: Comparison::Within,
            ..effect
        };
        assert!(
            conclusion(&within).ends_with("by more than 10.0 points"),
            "{}",
            conclusion(&within)
        );
        assert!(within.line().chars().count() < 100);
    }
}
