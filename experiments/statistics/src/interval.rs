//! Intervals, and the two basic constructions: Wilson's and Student's.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The normal quantile of 95 % intervals: 95 % between −z and z.
pub const Z: f64 = 1.959_963_984_540_054;

/// An interval; a side that the data do not bound is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end; `None` if the data do not bound it.
    pub low: Option<f64>,
    /// The upper end; `None` if the data do not bound it.
    pub high: Option<f64>,
}

impl Interval {
    /// Half of the width; `None` if the interval is not bounded.
    pub fn half_width(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }

    /// The intersection of both intervals; if it is empty, its ends are in reverse order.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let both = |one: Option<f64>, other: Option<f64>, narrower: fn(f64, f64) -> f64| match (one, other) {
            (Some(one), Some(other)) => Some(narrower(one, other)),
            (one, other) => one.or(other),
        };
        Self {
            low: both(self.low, other.low, f64::max),
            high: both(self.high, other.high, f64::min),
        }
    }

    /// True if a number lies in the interval.
    pub fn contains(&self, number: f64) -> bool {
        self.low.is_none_or(|low| low <= number) && self.high.is_none_or(|high| number <= high)
    }
}

/// Wilson's 95 % interval (1927) for a proportion of `n` > 0 trials. For scores with draws, whose variance is smaller
/// than that of a proportion, it is wider than necessary.
pub fn wilson(proportion: f64, n: f64) -> (f64, f64) {
    wilson_at(proportion, n, Z)
}

/// Wilson's interval with ends where the proportion is `z` standard errors off.
pub fn wilson_at(proportion: f64, n: f64, z: f64) -> (f64, f64) {
    let z2 = z * z;
    let centre = (proportion + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let spread = z / (1.0 + z2 / n) * (proportion * (1.0 - proportion) / n + z2 / (4.0 * n * n)).sqrt();
    let (low, high) = (centre - spread, centre + spread);
    // Exact at the ends, where rounding would leave a residue.
    (
        if proportion <= 0.0 { 0.0 } else { low },
        if proportion >= 1.0 { 1.0 } else { high },
    )
}

/// The quantile of Student's distribution for a two-sided interval of this level; `None` unless the number of degrees
/// of freedom is positive.
pub fn student_quantile(freedom: f64, level: f64) -> Option<f64> {
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(student.inverse_cdf(0.5 + level / 2.0))
}
