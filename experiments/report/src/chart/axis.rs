//! Axes: ranges, scales and ticks.

use serde::{Deserialize, Serialize};

use crate::number;

/// Settings of an axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The plotted quantity, with its unit in words.
    pub label: String,
    /// Format of its numbers.
    pub quantity: Quantity,
    /// True if equal distances are equal ratios. Numbers that are not positive cannot be shown on such an axis.
    pub logarithmic: bool,
    /// True if the axis includes 0, whatever the data.
    pub from_zero: bool,
    /// The ends of the axis; `None` for those of the data.
    pub range: Option<[f64; 2]>,
}

/// Format of the numbers at an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    /// As numbers.
    #[default]
    Plain,
    /// As whole numbers, without ticks between them: generations, steps.
    Whole,
    /// In per cent; 1 is 100 %.
    Percent,
    /// As Elo, with a sign.
    Elo,
}

impl Axis {
    /// A linear axis over the range of the data.
    pub fn new(label: impl Into<String>, quantity: Quantity) -> Self {
        Self {
            label: label.into(),
            quantity,
            logarithmic: false,
            from_zero: false,
            range: None,
        }
    }

    /// Makes the axis logarithmic: equal distances are equal ratios.
    pub fn logarithmic(mut self) -> Self {
        self.logarithmic = true;
        self
    }

    /// Makes the axis include 0.
    pub const fn from_zero(mut self) -> Self {
        self.from_zero = true;
        self
    }

    /// Fixes the ends of the axis.
    pub const fn within(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }

    /// True if the axis can show a number.
    pub fn has(&self, number: f64) -> bool {
        number.is_finite() && (!self.logarithmic || number > 0.0)
    }

    /// The scale on which all `numbers` lie between the pixels `from` and `to`, with its ends at ticks if `rounded`;
    /// `None` if none of them can be shown.
    pub fn scale(
        &self,
        numbers: impl IntoIterator<Item = f64>,
        [from, to]: [f64; 2],
        wanted_ticks: usize,
        rounded: bool,
    ) -> Option<Scale> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers.into_iter().filter(|&number| self.has(number)) {
            (low, high) = (low.min(number), high.max(number));
        }
        if low > high {
            return None;
        }
        if self.from_zero {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        [low, high] = self.range.unwrap_or([low, high]);
        if low == high {
            // A single number is in the middle of some range.
            let around = if self.quantity == Quantity::Percent {
                0.05
            } else {
                (0.1 * low.abs()).max(1.0)
            };
            (low, high) = match self.logarithmic {
                true => (low / 2.0, high * 2.0),
                false => (low - around, high + around),
            };
        }
        let step = self.step(high - low, wanted_ticks);
        if rounded && self.range.is_none() && !self.logarithmic {
            low = (low / step + 1e-9).floor() * step;
            high = (high / step - 1e-9).ceil() * step;
        }
        let powers = match self.logarithmic {
            true => logarithmic_ticks(low, high, wanted_ticks),
            false => Vec::new(),
        };
        // Of a short stretch of a logarithmic axis, two ticks do not tell the scale.
        let ticks: Vec<f64> = if powers.len() > 2 {
            powers
        } else {
            let first = (low / step - 1e-9).ceil() as i64;
            let last = (high / step + 1e-9).floor() as i64;
            (first..=last).map(|index| index as f64 * step).collect()
        };
        let ticks = ticks.into_iter().map(|tick| (tick, self.text(tick, step))).collect();
        Some(Scale {
            logarithmic: self.logarithmic,
            ends: [low, high],
            pixels: [from, to],
            ticks,
        })
    }

    /// 1, 2 or 5 times a power of ten: the smallest step that gives at most `wanted` steps.
    fn step(&self, span: f64, wanted: usize) -> f64 {
        let least = span / wanted.max(1) as f64;
        let power = 10_f64.powf(least.log10().floor());
        let factors = [1.0, 2.0, 5.0, 10.0];
        let factor = factors
            .into_iter()
            .find(|factor| factor * power >= least * (1.0 - 1e-9));
        let step = factor.unwrap_or(10.0) * power;
        if self.quantity == Quantity::Whole {
            step.max(1.0)
        } else {
            step
        }
    }

    /// A tick, with enough decimals to differ from its neighbours.
    fn text(&self, number: f64, step: f64) -> String {
        let scale = if self.quantity == Quantity::Percent { 100.0 } else { 1.0 };
        let digits = (-(scale * step * (1.0 + 1e-9)).log10().floor()).max(0.0) as usize;
        match self.quantity {
            Quantity::Elo => number::elo(number),
            Quantity::Plain | Quantity::Whole if self.logarithmic || number.abs() >= 1e4 => short(number),
            Quantity::Plain | Quantity::Whole | Quantity::Percent => {
                format!("{:.digits$}", scale * number).replace('-', "−")
            }
        }
    }
}

/// `20k`, `1.5M`; in full below ten thousand.
fn short(number: f64) -> String {
    let size = number.abs();
    let (scaled, suffix) = match size {
        _ if size >= 1e9 => (number / 1e9, "G"),
        _ if size >= 1e6 => (number / 1e6, "M"),
        _ if size >= 1e4 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    format!("{scaled}{suffix}").replace('-', "−")
}

/// Powers of ten, with 2 and 5 times them if there are few.
fn logarithmic_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let [first, last] = [low.log10().floor() as i32, high.log10().ceil() as i32];
    let every = ((last - first) as usize).div_ceil(wanted.max(1)).max(1);
    let factors: &[f64] = if last - first <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let powers = (first..=last).step_by(every).map(|power| 10_f64.powi(power));
    let ticks = powers.flat_map(|power| factors.iter().map(move |factor| factor * power));
    let margin = 1.0 + 1e-9;
    ticks
        .filter(|&tick| tick * margin >= low && tick <= high * margin)
        .collect()
}

/// A mapping of numbers to pixels.
#[derive(Clone, Debug)]
pub struct Scale {
    logarithmic: bool,
    /// The numbers at its ends.
    pub ends: [f64; 2],
    /// The pixels at its ends; they may descend, as those of y do.
    pub pixels: [f64; 2],
    /// Numbers to mark, and their text.
    pub ticks: Vec<(f64, String)>,
}

impl Scale {
    /// The pixel of a number; numbers beyond an end are put at the end.
    pub fn place(&self, number: f64) -> f64 {
        let [low, high, number] = [self.ends[0], self.ends[1], number].map(|number| match self.logarithmic {
            true => number.max(f64::MIN_POSITIVE).ln(),
            false => number,
        });
        let part = ((number - low) / (high - low)).clamp(0.0, 1.0);
        let [from, to] = self.pixels;
        from + part * (to - from)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn ticks(axis: &Axis, numbers: &[f64], rounded: bool) -> (Vec<String>, [f64; 2]) {
        let scale = axis.scale(numbers.iter().copied(), [0.0, 100.0], 5, rounded).unwrap();
        (scale.ticks.into_iter().map(|(_, text)| text).collect(), scale.ends)
    }

    #[test]
    fn no_two_ticks_read_the_same() {
        for quantity in [Quantity::Plain, Quantity::Whole, Quantity::Percent] {
            let axis = Axis::new("", quantity);
            for (low, span) in [
                (0.0, 0.013),
                (1.7, 4.3),
                (0.93, 0.07),
                (-3.1, 1e3),
                (9_990.0, 30.0),
                (123_456.0, 5e5),
            ] {
                for rounded in [false, true] {
                    let (mut texts, [first, last]) = ticks(&axis, &[low, low + span], rounded);
                    let count = texts.len();
                    texts.dedup();
                    assert!(
                        texts.len() == count && count <= 8,
                        "{quantity:?} {low} {span}: {texts:?}"
                    );
                    assert!(first <= low + 1e-9 && last >= low + span - 1e-9);
                }
            }
        }
    }

    #[test]
    fn scales_stay_between_their_ends_whatever_they_are_given() {
        let axis = Axis::new("", Quantity::Plain);
        assert!(axis.scale([f64::NAN, f64::INFINITY], [0.0, 1.0], 5, true).is_none());
        assert!(
            axis.clone()
                .logarithmic()
                .scale([0.0, -1.0], [0.0, 1.0], 5, true)
                .is_none()
        );
        let one = axis.scale([7.0, 7.0], [0.0, 100.0], 5, false).unwrap();
        assert_eq!(one.place(7.0), 50.0);
        let scale = axis.scale([0.0, 10.0], [200.0, 0.0], 5, false).unwrap();
        let places = [0.0, 2.5, 10.0, 99.0, -99.0, f64::INFINITY].map(|number| scale.place(number));
        assert_eq!(places, [200.0, 150.0, 0.0, 0.0, 200.0, 0.0]);
        let log = Axis::new("", Quantity::Plain).logarithmic();
        let log = log.scale([1.0, 10_000.0], [0.0, 100.0], 5, false).unwrap();
        assert!((log.place(100.0) - 50.0).abs() < 1e-9);
    }
}
