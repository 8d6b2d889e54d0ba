//! Running mean, spread and skewness of numbers.

/// Sums of the numbers so far, around their mean (Pébay, *Formulas for robust, one-pass parallel computation of
/// covariances and arbitrary-order statistical moments*, 2008).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Number of observations.
    pub n: f64,
    /// Their mean; 0 without any.
    pub mean: f64,
    /// Sum of squares around the mean.
    pub squares: f64,
    /// Sum of cubes around the mean.
    cubes: f64,
}

impl Moments {
    /// Counts a number.
    pub fn add(&mut self, number: f64) {
        self.n += 1.0;
        let off = number - self.mean;
        let step = off / self.n;
        let square = off * step * (self.n - 1.0);
        self.cubes += step * (square * (self.n - 2.0) - 3.0 * self.squares);
        self.squares += square;
        self.mean += step;
    }

    /// The standard deviation, with n − 1 in the denominator; 0 for one number.
    pub fn deviation(&self) -> f64 {
        (self.squares / (self.n - 1.0).max(1.0)).sqrt()
    }

    /// The skewness: the mean cube in units of the standard deviation. `None` without variation.
    pub fn skewness(&self) -> Option<f64> {
        (self.squares > 0.0).then(|| self.cubes * self.n.sqrt() / self.squares.powf(1.5))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_by_one_they_are_what_they_are_at_once() {
        let numbers = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, 6.0];
        let mut moments = Moments::default();
        numbers.iter().for_each(|&number| moments.add(number));
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let sum = |power: i32| numbers.iter().map(|number| (number - mean).powi(power)).sum::<f64>();
        for (found, expected) in [
            (moments.mean, mean),
            (moments.squares, sum(2)),
            (moments.deviation(), (sum(2) / (n - 1.0)).sqrt()),
            (
                moments.skewness().unwrap_or(f64::NAN),
                sum(3) / n / (sum(2) / n).powf(1.5),
            ),
        ] {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        let mut same = Moments::default();
        [0.1; 7].iter().for_each(|&number| same.add(number));
        assert_eq!((same.skewness(), same.deviation()), (None, 0.0));
    }
}
