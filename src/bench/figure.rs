//! Figures of benchmarks.

use std::fmt::Display;

use serde::{Serialize, Serializer};

use crate::cli;

/// One measured figure.
#[derive(Debug, Serialize)]
pub struct Figure {
    /// Name for programs, stable across versions: the part, then the measured quantity.
    pub name: String,
    /// Description for people: the heading above it in a table, and its label there.
    what: String,
    #[serde(skip)]
    label: String,
    pub unit: FigureUnit,
    /// The median of the repetitions; the extremes follow.
    pub value: f64,
    pub low: f64,
    pub high: f64,
    /// Least value that it should have; none if there is no such target.
    pub target: Option<f64>,
    /// `value / target`: at least 1 if the target is met.
    pub ratio: Option<f64>,
    /// Limit, for ratios only, below which no CPU falls under any load unless something is broken. None if this is not
    /// checked.
    pub floor: Option<f64>,
    pub repetitions: usize,
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureUnit {
    Nodes,
    Plies,
    Simulations,
    Evaluations,
    Positions,
    Rows,
    Operations,
    Bytes,
    /// The quotient of two rates that were measured in turns, by round; or a share of a whole.
    Ratio,
}

impl Serialize for FigureUnit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl FigureUnit {
    const fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes/s",
            Self::Plies => "plies/s",
            Self::Simulations => "simulations/s",
            Self::Evaluations => "evaluations/s",
            Self::Positions => "positions/s",
            Self::Rows => "rows/s",
            Self::Operations => "FLOP/s",
            Self::Bytes => "B/s",
            Self::Ratio => "ratio",
        }
    }

    fn text(self, value: f64) -> String {
        match self {
            Self::Ratio => format!("{value:.3}"),
            Self::Operations | Self::Bytes if value >= 1e9 => format!("{:.1} G", value / 1e9),
            _ => cli::rate(value),
        }
    }
}

impl Figure {
    /// The median of repetitions, of which there must be at least one. The table shows its label, and its unit.
    pub fn new(name: impl Into<String>, label: impl Display, unit: FigureUnit, values: &[f64]) -> Self {
        let (low, value, high) = spread(values);
        let label = label.to_string();
        Self {
            name: name.into(),
            what: String::new(),
            label: match unit {
                FigureUnit::Ratio => label,
                _ if label.is_empty() => unit.name().to_owned(),
                _ => format!("{label} ({})", unit.name()),
            },
            unit,
            value,
            low,
            high,
            target: None,
            ratio: None,
            floor: None,
            repetitions: values.len(),
        }
    }

    /// The same figure below a heading that says what it is about.
    pub fn under(self, heading: &str) -> Self {
        let what = format!("{heading}: {}", self.label);
        Self { what, ..self }
    }

    pub fn with_target(self, target: Option<f64>) -> Self {
        let ratio = target.map(|target| self.value / target);
        Self { target, ratio, ..self }
    }

    pub fn with_floor(self, floor: Option<f64>) -> Self {
        let is_ratio = self.unit == FigureUnit::Ratio;
        debug_assert!(is_ratio, "{}: speeds depend on the machine", self.name);
        Self { floor, ..self }
    }

    /// A complaint if it is below its floor.
    pub fn complaint(&self) -> Option<String> {
        let Self { what, value, .. } = self;
        let floor = self.floor.filter(|floor| value < floor)?;
        Some(format!("{what}: {value:.3} is below {floor}, so something is broken"))
    }

    /// Headings of the table.
    pub const HEADINGS: [&'static str; 5] = ["figure", "median", "low … high", "target", "ratio"];

    pub fn row(&self) -> [String; 5] {
        let text = |value| self.unit.text(value);
        [
            self.label.clone(),
            text(self.value),
            format!("{} … {}", text(self.low), text(self.high)),
            self.target.map_or_else(String::new, text),
            self.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}×")),
        ]
    }
}

/// Smallest value, median and largest value of at least one number.
pub fn spread(values: &[f64]) -> (f64, f64, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0;
    (sorted[0], middle, sorted[sorted.len() - 1])
}

/// Quotients of measurements in the same rounds: a slow round affects both sides.
pub fn quotients(these: &[f64], those: &[f64]) -> Vec<f64> {
    these.iter().zip(those).map(|(this, that)| this / that).collect()
}
