//! The asymptotic confidence sequence, to compare with.

/// Robbins' normal mixture with the running variance in place of the true one (Waudby-Smith, Arbour, Sinha, Kennedy and
/// Ramdas 2021, theorem 2.2), narrowest at the horizon, looked at from the sixteenth number on.
pub struct Robbins {
    error: f64,
    /// ρ² of the paper.
    prior: f64,
}

const LEAST: usize = 16;

impl Robbins {
    pub fn new(error: f64, horizon: u64) -> Self {
        let ratio = (0..40).fold(5.0, |ratio: f64, _| 1.0 - 2.0 * error.ln() + ratio.ln());
        Self {
            error,
            prior: (ratio - 1.0) / horizon as f64,
        }
    }

    pub fn half_width(&self, numbers: &[f64]) -> Option<f64> {
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        (numbers.len() >= LEAST).then(|| self.at(n, squares))
    }

    /// `None` if it never left out the mean; else true if it lay above the mean then.
    pub fn ever(&self, numbers: &[f64], truth: f64) -> Option<bool> {
        let (mut n, mut mean, mut squares) = (0.0, 0.0, 0.0);
        numbers.iter().find_map(|number| {
            n += 1.0;
            let off = number - mean;
            mean += off / n;
            squares += off * (number - mean);
            let left_out = n >= LEAST as f64 && (mean - truth).abs() > self.at(n, squares);
            left_out.then_some(mean > truth)
        })
    }

    fn at(&self, n: f64, squares: f64) -> f64 {
        let ratio = 1.0 + n * self.prior;
        let wealth = (ratio.sqrt() / self.error).ln();
        (squares / n * 2.0 * ratio / (n * n * self.prior) * wealth).sqrt()
    }
}
