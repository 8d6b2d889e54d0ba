//! Terms of an anytime-valid mean.

/// Range of a mean, error probability of its interval, and planned sample size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanTerms {
    /// The smallest and the largest possible number: no interval extends beyond.
    pub range: (f64, f64),
    /// Probability, from 0 to 1, that the interval ever misses the mean.
    pub error: f64,
    /// Largest planned sample size, fixed before the first number was seen: the interval is narrowest there. It holds
    /// for any value of this, and beyond it too.
    pub horizon: u64,
}

impl MeanTerms {
    /// Terms for numbers in a range, with this error probability, planned for at most `horizon` of them.
    pub const fn new(range: (f64, f64), error: f64, horizon: u64) -> Self {
        Self { range, error, horizon }
    }

    /// The same with an error shared by this many comparisons (Bonferroni).
    #[must_use]
    pub fn shared_by(self, comparisons: usize) -> Self {
        Self {
            error: self.error / comparisons.max(1) as f64,
            ..self
        }
    }
}
