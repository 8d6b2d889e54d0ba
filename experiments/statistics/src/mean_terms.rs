//! What is asked of a mean that may be looked at at any time.

/// Between which numbers a mean lies, how surely it is to be known, and for how many numbers that is planned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanTerms {
    /// The least and the greatest number that there can be: no interval reaches beyond.
    pub range: (f64, f64),
    /// Probability, from 0 to 1, that the interval ever misses the mean.
    pub error: f64,
    /// How many numbers were planned at most, before the first was seen: where the interval is to be narrowest. It holds
    /// whatever this is, and beyond it too.
    pub horizon: u64,
}

impl MeanTerms {
    /// Of numbers in a range, at this probability of error, planned for at most `horizon` of them.
    pub const fn new(range: (f64, f64), error: f64, horizon: u64) -> Self {
        Self { range, error, horizon }
    }

    /// The same with an error that is shared by so many comparisons (Bonferroni).
    #[must_use]
    pub fn shared_by(self, comparisons: usize) -> Self {
        Self {
            error: self.error / comparisons.max(1) as f64,
            ..self
        }
    }
}
