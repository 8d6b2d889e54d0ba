//! An anytime-valid mean, estimated by a method chosen in advance.

use crate::bounded_mean::BoundedMean;
use crate::mean_terms::MeanTerms;
use crate::student_mean::StudentMean;
use crate::{MeanEstimate, MeanMethod};

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
                    level: 1.0 - self.terms.error,
                    ..betting
                })
            }
        }
    }

    /// Each of the two methods, with half of the error.
    fn either(&self) -> [Self; 2] {
        [MeanMethod::Betting, MeanMethod::Student].map(|method| Self { method, ..*self }.shared_by(2))
    }
}
