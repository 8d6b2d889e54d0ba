//! Mean of nearly normal numbers, with an anytime-valid interval.
//!
//! Betting within a known range ([`BoundedMean`](crate::bounded_mean::BoundedMean)) cannot stake more than the worst
//! number allows. If numbers hardly vary within their range (dice lost, in a range of ±12, by means of a hundred games)
//! that is hopeless: the interval stays a dozen standard errors wide. Here the unit of the bets is the variation of the
//! numbers themselves, by the t-martingale of Wang and Ramdas (2023). For normal numbers its interval is exact at any
//! moment, whatever their variance. Sums of other numbers become nearly normal; the interval then holds as a confidence
//! sequence in large samples (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, *Time-uniform central limit theory and
//! asymptotic confidence sequences*, Annals of Statistics 52, 2024), which it approaches from its wider side as numbers
//! increase.
//!
//! Two rules suppress the interval while sums are not yet nearly normal, and both only make it wider. There must be at
//! least [`LEAST_BLOCKS`] numbers; and n ≥ (2 ln α)² γ² with γ the skewness of the numbers observed, which is Cochran's
//! rule for skewed samples (*Sampling Techniques*, 1977, section 2.15: n > 25 γ² at 95 %) for any error α. Until then,
//! only the range is known.
//!
//! Neither rule can detect numbers that are rare and large and have not occurred yet. Simulations in study 0018 show
//! where the interval holds and where it does not.

use crate::mean_terms::MeanTerms;
use crate::moments::Moments;
use crate::t_martingale::TMartingale;
use crate::{Interval, MeanEstimate, MeanMethod};

/// Smallest sample size for an interval.
// With both rules 95 % intervals miss in at most 3.6 % of runs where numbers are nearly normal (study 0018).
pub const LEAST_BLOCKS: u64 = 16;

/// An estimator of the mean of numbers that are nearly normal, or means of many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudentMean(pub MeanTerms);

impl StudentMean {
    /// The estimate from numbers in order of arrival; `None` without any.
    pub fn estimate(&self, numbers: &[f64]) -> Option<MeanEstimate> {
        if numbers.is_empty() {
            return None;
        }
        let (begin, end) = self.0.range;
        let martingale = self.martingale();
        let (mut low, mut high) = (begin, end);
        let mut moments = Moments::default();
        for &number in numbers {
            moments.add(number);
            let half = self
                .speaks(&moments)
                .then(|| martingale.half_width(moments.n, moments.squares, self.0.error));
            if let Some(half) = half.flatten() {
                (low, high) = (low.max(moments.mean - half), high.min(moments.mean + half));
            }
        }
        Some(MeanEstimate {
            method: MeanMethod::Student,
            range: self.0.range,
            n: numbers.len() as u64,
            mean: moments.mean,
            deviation: moments.deviation(),
            interval: Interval {
                low: Some(low),
                high: Some(high),
            },
            level: 1.0 - self.0.error,
        })
    }

    fn martingale(&self) -> TMartingale {
        TMartingale::narrowest_at(self.0.horizon as f64, self.0.error)
    }

    /// True if there are enough numbers for their skewness.
    fn speaks(&self, moments: &Moments) -> bool {
        // At 95 % it is 36 γ² numbers, where Cochran's rule has 25 γ².
        let silence = (2.0 * self.0.error.ln()).powi(2);
        moments.n >= LEAST_BLOCKS as f64
            && moments
                .skewness()
                .is_some_and(|skewness| moments.n >= silence * skewness * skewness)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;
    use crate::generator;

    const ESTIMATOR: StudentMean = StudentMean(MeanTerms::new((-12.0, 12.0), 0.05, 256));

    fn normal(rng: &mut Xoshiro256PlusPlus, n: usize, mean: f64, deviation: f64) -> Vec<f64> {
        let number = |_| {
            let standard: f64 = StandardNormal.sample(rng);
            mean + deviation * standard
        };
        (0..n).map(number).collect()
    }

    fn ends(interval: Interval) -> (f64, f64) {
        (interval.low.unwrap_or(f64::NAN), interval.high.unwrap_or(f64::NAN))
    }

    #[test]
    fn an_interval_never_widens_and_there_is_none_before_the_least_number_of_blocks() {
        let numbers = normal(&mut generator(1, &[]), 200, -0.13, 0.33);
        let (mut low, mut high) = (-12.0_f64, 12.0_f64);
        for n in 1..=numbers.len() {
            let estimate = ESTIMATOR.estimate(&numbers[..n]).expect("there are numbers");
            let now = ends(estimate.interval);
            assert!(now.0 >= low && now.1 <= high, "{n}: {estimate:?}");
            (low, high) = now;
            let silent = (n as u64) < LEAST_BLOCKS;
            assert!(!silent || (low, high) == (-12.0, 12.0), "{n}: {estimate:?}");
        }
        assert!(high - low < 0.25, "{low} {high}");
        assert!(low < -0.13 && -0.13 < high && high < 0.1, "{low} {high}");
    }

    #[test]
    fn it_says_nothing_of_numbers_that_are_all_alike_or_too_skewed_for_so_few() {
        let whole = (-12.0, 12.0);
        let of = |numbers: &[f64]| ends(ESTIMATOR.estimate(numbers).expect("there are numbers").interval);
        assert_eq!(ESTIMATOR.estimate(&[]), None);
        assert_eq!(of(&[0.3; 500]), whole);
        // For a share p of ones the skewness is nearly 1 / √p: with k of them there is an interval from k = (2 ln
        // 0.05)² = 35.9 on.
        let rare = |ones: usize| -> Vec<f64> {
            (0..100 * ones)
                .map(|index| f64::from(u8::from(index % 100 == 99)))
                .collect()
        };
        assert_eq!(of(&rare(30)), whole);
        assert_ne!(of(&rare(40)), whole);
    }

    #[test]
    fn a_shared_error_widens_it_and_a_range_cuts_it() {
        let numbers = normal(&mut generator(2, &[]), 64, 0.9, 0.2);
        let wide = |comparisons| {
            let estimate = StudentMean(ESTIMATOR.0.shared_by(comparisons)).estimate(&numbers);
            estimate
                .and_then(|estimate| estimate.interval.half_width())
                .unwrap_or(f64::NAN)
        };
        assert!(wide(1) < wide(3) && wide(3) < wide(60));
        let cut = StudentMean(MeanTerms::new((0.0, 0.92), 0.05, 64))
            .estimate(&numbers)
            .expect("there are numbers");
        assert_eq!(cut.interval.high, Some(0.92));
    }
}
