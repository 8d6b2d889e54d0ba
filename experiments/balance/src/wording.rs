//! Comparisons as text.

use chase_report::number;

use crate::effects::{Comparison, Measure, PropertyEffect};

/// The conclusion of a comparison as text.
pub(crate) fn conclusion(effect: &PropertyEffect) -> String {
    match effect.comparison {
        Comparison::Differs => "differs".to_owned(),
        Comparison::Within => format!("does not differ by more than {}", round(effect.measure, effect.margin)),
        Comparison::Undecided => "undecided".to_owned(),
    }
}

impl Measure {
    /// The unit in which differences are shown, and how many of it are 1.
    const fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Score | Self::Draws => ("points", 100.0),
            Self::Plies => ("plies", 1.0),
        }
    }
}

/// A difference with its sign and unit: `+1.2 points`.
pub(crate) fn in_unit(measure: Measure, difference: f64) -> String {
    format!("{} {}", signed(measure, difference), measure.unit().0)
}

/// A margin with its unit, without a decimal that is 0: `10 points`.
pub(crate) fn round(measure: Measure, margin: f64) -> String {
    let (unit, scale) = measure.unit();
    let text = number::decimal(scale * margin, 1);
    format!("{} {unit}", text.trim_end_matches(".0"))
}

/// A difference with its sign, in the unit of its measure, which is not named.
fn signed(measure: Measure, difference: f64) -> String {
    number::difference(measure.unit().1 * difference, 1)
}

/// The interval of a comparison: `[−16.0, −1.0]`.
pub(crate) fn bounds(effect: &PropertyEffect) -> String {
    number::interval(&effect.interval, |end| signed(effect.measure, end))
}

impl PropertyEffect {
    /// The comparison as a line of text of less than 100 characters.
    pub fn line(&self) -> String {
        format!(
            "{:<9} {:<22} {:<19} {:>7} {}  {}",
            self.family,
            format!("{} − {}", self.to, self.from),
            self.measure.name(),
            signed(self.measure, self.difference),
            bounds(self),
            match self.comparison {
                Comparison::Within => "within the margin".to_owned(),
                _ => conclusion(self),
            }
        )
    }
}
