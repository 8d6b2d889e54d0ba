//! A mean that may be looked at at any time, estimated in a way that was chosen before.

use crate::bounded_mean::BoundedMean;
use crate::mean_terms::MeanTerms;
use crate::student_mean::StudentMean;
use crate::{Exclusion, MeanEstimate, MeanMethod};

/// How a mean is estimated: by a [`MeanMethod`] that was chosen before the first number is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnytimeMean {
    /// Which way.
    pub method: MeanMethod,
    /// What is asked.
    pub terms: MeanTerms,
}

impl AnytimeMean {
    /// For numbers in a range, at this probability of error, planned for at most `horizon` of them.
    pub const fn new(method: MeanMethod, range: (f64, f64), error: f64, horizon: u64) -> Self {
        let terms = MeanTerms::new(range, error, horizon);
        Self { method, terms }
    }

    /// The same with an error that is shared by so many comparisons (Bonferroni).
    #[must_use]
    pub fn shared_by(self, comparisons: usize) -> Self {
        let terms = self.terms.shared_by(comparisons);
        Self { terms, ..self }
    }

    /// The estimate from numbers in the order in which they came; `None` without any.
    pub fn estimate(&self, numbers: &[f64]) -> Option<MeanEstimate> {
        match self.method {
            MeanMethod::Betting => BoundedMean(self.terms).estimate(numbers),
            MeanMethod::Student => StudentMean(self.terms).estimate(numbers),
            MeanMethod::Both => {
                let [betting, student] = self.either();
                let (betting, student) = (betting.estimate(numbers)?, student.estimate(numbers)?);
                let current = betting.current.zip(student.current);
                Some(MeanEstimate {
                    method: self.method,
                    interval: betting.interval.intersection(&student.interval),
                    current: current.map(|(one, other)| one.intersection(&other)),
                    level: 1.0 - self.terms.error,
                    ..betting
                })
            }
        }
    }

    /// A p-value against a mean that may be looked at at any time: for [`holm`](crate::holm()) too. 1 without numbers.
    pub fn p_value(&self, numbers: &[f64], mean: f64) -> f64 {
        match self.method {
            MeanMethod::Betting => BoundedMean(self.terms).p_value(numbers, mean),
            MeanMethod::Student => StudentMean(self.terms).p_value(numbers, mean),
            MeanMethod::Both => {
                let [one, other] = self.either().map(|mean_by| mean_by.p_value(numbers, mean));
                (2.0 * one.min(other)).min(1.0)
            }
        }
    }

    /// When the interval first left out a mean; `None` if it never did.
    pub fn first_exclusion(&self, numbers: &[f64], mean: f64) -> Option<Exclusion> {
        match self.method {
            MeanMethod::Betting => BoundedMean(self.terms).first_exclusion(numbers, mean),
            MeanMethod::Student => StudentMean(self.terms).first_exclusion(numbers, mean),
            MeanMethod::Both => {
                let exclusions = self.either().map(|mean_by| mean_by.first_exclusion(numbers, mean));
                exclusions.into_iter().flatten().min_by_key(|exclusion| exclusion.after)
            }
        }
    }

    /// Either way, with half of the error.
    fn either(&self) -> [Self; 2] {
        [MeanMethod::Betting, MeanMethod::Student].map(|method| Self { method, ..*self }.shared_by(2))
    }
}
