//! A mean that may be looked at at any time, estimated in one of two ways.

use crate::{BoundedMean, Exclusion, MeanEstimate, MeanMethod, StudentMean};

/// How a mean is estimated: a [`BoundedMean`] or a [`StudentMean`], chosen before the first number is seen.
///
/// Betting is exact, and the narrower one for shares and scores of single games. The t-martingale is for what hardly varies within
/// its range: differences of means of many games, dice, plies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnytimeMean {
    /// Which way.
    pub method: MeanMethod,
    /// The least and the greatest number that there can be.
    pub range: (f64, f64),
    /// Probability, from 0 to 1, that the interval ever misses the mean.
    pub error: f64,
    /// How many numbers were planned at most.
    pub horizon: u64,
}

impl AnytimeMean {
    /// For numbers in a range, at this probability of error, planned for at most `horizon` of them.
    pub const fn new(method: MeanMethod, range: (f64, f64), error: f64, horizon: u64) -> Self {
        Self {
            method,
            range,
            error,
            horizon,
        }
    }

    /// The same with an error that is shared by so many comparisons (Bonferroni).
    #[must_use]
    pub fn shared_by(self, comparisons: usize) -> Self {
        Self {
            error: self.error / comparisons.max(1) as f64,
            ..self
        }
    }

    /// The estimate from numbers in the order in which they came; `None` without any.
    pub fn estimate(&self, numbers: &[f64]) -> Option<MeanEstimate> {
        match self.method {
            MeanMethod::Betting => self.bounded().estimate(numbers),
            MeanMethod::Student => self.student().estimate(numbers),
        }
    }

    /// A p-value against a mean that may be looked at at any time: for [`holm`](crate::holm()) too. 1 without numbers.
    pub fn p_value(&self, numbers: &[f64], mean: f64) -> f64 {
        match self.method {
            MeanMethod::Betting => self.bounded().p_value(numbers, mean),
            MeanMethod::Student => self.student().p_value(numbers, mean),
        }
    }

    /// When the interval first left out a mean; `None` if it never did.
    pub fn first_exclusion(&self, numbers: &[f64], mean: f64) -> Option<Exclusion> {
        match self.method {
            MeanMethod::Betting => self.bounded().first_exclusion(numbers, mean),
            MeanMethod::Student => self.student().first_exclusion(numbers, mean),
        }
    }

    const fn bounded(&self) -> BoundedMean {
        BoundedMean::new(self.range, self.error, self.horizon)
    }

    const fn student(&self) -> StudentMean {
        StudentMean::new(self.range, self.error, self.horizon)
    }
}
