//! An anytime-valid mean, estimated by a method chosen in advance.

use crate::bounded_mean::BoundedMean;
use crate::mean_terms::MeanTerms;
use crate::student_mean::StudentMean;
use crate::{Exclusion, MeanEstimate, MeanMethod};

/// An estimator of a mean by a [`MeanMethod`] that is chosen before the first number is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnytimeMean {
    /// Construction of the interval, chosen before the first number is seen.
    pub method: MeanMethod,
    /// Range, error probability and horizon.
    pub terms: MeanTerms,
}

impl AnytimeMean {
    /// An estimator for numbers in a range, with this error probability, planned for at most `horizon` numbers.
    pub const fn new(method: MeanMethod, range: (f64, f64), error: f64, horizon: u64) -> Self {
        let terms = MeanTerms::new(range, error, horizon);
        Self { method, terms }
    }

    /// The same with an error shared by this many comparisons (Bonferroni).
    #[must_use]
    pub fn shared_by(self, comparisons: usize) -> Self {
        let terms = self.terms.shared_by(comparisons);
        Self { terms, ..self }
    }

    /// The estimate from numbers in order of arrival; `None` without any.
    pub fn estimate(&self, numbers: &[f64]) -> Option<MeanEstimate> {
        match self.method {
            MeanMethod::Betting => BoundedMean(self.terms).estimate(numbers),
            MeanMethod::Student => StudentMean(self.terms).estimate(numbers),
            MeanMethod::Both => {
                let [betting, student] = self.either();
                let (betting, student) = (betting.estimate(numbers)?, student.estimate(numbers)?);
                Some(MeanEstimate {
                    method: self.method,
                    interval: betting.interval.intersection(&student.interval),
                    current: betting.current.intersection(&student.current),
                    level: 1.0 - self.terms.error,
                    ..betting
                })
            }
        }
    }

    /// An anytime-valid p-value against a mean. 1 without numbers.
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

    /// The moment at which the interval first excluded a mean; `None` if it never did.
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

    /// Each of the two methods, with half of the error.
    fn either(&self) -> [Self; 2] {
        [MeanMethod::Betting, MeanMethod::Student].map(|method| Self { method, ..*self }.shared_by(2))
    }
}
