//! Mean of bounded numbers, with an anytime-valid interval.
//!
//! The interval is a *confidence sequence by betting* (Waudby-Smith and Ramdas, *Estimating means of bounded random
//! variables by betting*, JRSS B 86, 2024). To test whether the mean is m, a gambler bets on every number in turn, with
//! stakes fixed before it is seen, at odds that are fair if the mean is m. If it is, the gambler's capital ever reaches
//! 1/α times its start with probability at most α (Ville's inequality). The interval contains the means against which
//! no gambler has become that rich. The only assumptions are that the numbers are bounded, and that each has this mean
//! whatever came before: no normal distribution, no minimum sample, and no fixed moment of looking.
//!
//! The largest stake depends on m: the worst number leaves a tenth of the capital. If it were the same for all m,
//! intervals of numbers that vary little within their range would be wide whatever the numbers are.
//!
//! There are six gamblers: three bet that the mean is higher, three that it is lower. Of each three, one has the stakes
//! that are best if the decision falls near the planned end, one near a quarter, one near a sixteenth of the way. The
//! interval is two-sided; each side has half of the error.

use crate::betting::{MOMENTS, Purse, Round};
use crate::mean_terms::MeanTerms;
use crate::{Interval, MeanEstimate, MeanMethod};

/// An estimator of the mean of bounded numbers. Beyond the horizon, stakes are those for the current sample size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedMean(pub MeanTerms);

impl BoundedMean {
    /// The estimate from numbers in order of arrival; `None` without any.
    ///
    /// Numbers outside the range count as its ends.
    pub fn estimate(&self, numbers: &[f64]) -> Option<MeanEstimate> {
        if numbers.is_empty() {
            return None;
        }
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let rounds = self.rounds(numbers);
        let mirrored: Vec<Round> = rounds.iter().map(Round::mirrored).collect();
        let wealth = 2.0 / self.0.error;
        let (begin, end) = self.0.range;
        let unscaled = |share: f64| Some(begin + share * (end - begin));
        Some(MeanEstimate {
            method: MeanMethod::Betting,
            range: self.0.range,
            n: numbers.len() as u64,
            mean,
            deviation: (squares / (n - 1.0).max(1.0)).sqrt(),
            interval: Interval {
                low: unscaled(greatest_refuted(&rounds, wealth)),
                high: unscaled(1.0 - greatest_refuted(&mirrored, wealth)),
            },
            level: 1.0 - self.0.error,
        })
    }

    /// The numbers with the stakes on each. Stakes depend on earlier numbers alone, so numbers may be added for any
    /// reason, and earlier stakes stay the same.
    fn rounds(&self, numbers: &[f64]) -> Vec<Round> {
        let (begin, end) = self.0.range;
        let evidence = (2.0 / self.0.error).ln();
        // Prior knowledge counts as one number in the middle with the largest possible variance.
        let (mut sum, mut squares, mut count) = (0.5, 0.25, 1.0);
        let mut rounds = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let number = ((number - begin) / (end - begin)).clamp(0.0, 1.0);
            let variance: f64 = squares / count;
            let horizon = (self.0.horizon as f64).max(count);
            let stakes = MOMENTS.map(|moment| {
                let moment = (moment * horizon).max(1.0);
                (2.0 * evidence / (variance * moment)).sqrt()
            });
            rounds.push(Round { number, stakes });
            sum += number;
            count += 1.0;
            squares += (number - sum / count).powi(2);
        }
        rounds
    }
}

/// The largest mean against which gamblers who bet on a higher one have ever reached this wealth; 0 if there is none.
///
/// The smaller the supposed mean, the more they win, whether or not it limits their stakes: so the means form an
/// interval from 0.
fn greatest_refuted(rounds: &[Round], wealth: f64) -> f64 {
    let refuted = |mean: f64| {
        let mut purse = Purse::default();
        rounds.iter().any(|round| {
            purse.bet(round, mean);
            purse.capital() >= wealth
        })
    };
    let (mut low, mut high) = (0.0, 1.0);
    if !refuted(low) {
        return 0.0;
    }
    // Precise to a millionth of the range.
    for _ in 0..20 {
        let middle = f64::midpoint(low, high);
        if refuted(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::{Verdict, generator};

    const ESTIMATOR: BoundedMean = BoundedMean(MeanTerms::new((0.0, 1.0), 0.05, 400));

    /// Scores of games with known probabilities of win and draw.
    fn games(rng: &mut Xoshiro256PlusPlus, n: usize, win: f64, draw: f64) -> Vec<f64> {
        let score = |x: f64| {
            if x < win {
                1.0
            } else if x < win + draw {
                0.5
            } else {
                0.0
            }
        };
        (0..n).map(|_| score(rng.random())).collect()
    }

    /// Counts how often the interval misses the mean at *any* moment, over many repetitions: 5 in 100 are allowed, and
    /// a normal interval, checked after every game, misses in most.
    #[test]
    fn the_interval_holds_at_all_moments_at_once() {
        for (case, (win, draw)) in [(0.5, 0.0), (0.45, 0.2), (0.02, 0.0), (0.0, 0.97)]
            .into_iter()
            .enumerate()
        {
            let mean = win + draw / 2.0;
            let (repetitions, mut missed, mut missed_by_normal) = (2000, 0, 0);
            for repetition in 0..repetitions {
                let mut rng = generator(1, &[case as u64, repetition]);
                let numbers = games(&mut rng, 400, win, draw);
                // A miss is permanent: the last interval shows those of all moments.
                let interval = ESTIMATOR.estimate(&numbers).expect("there are numbers").interval;
                missed += u32::from(!interval.contains(mean));
                missed_by_normal += u32::from((10..=400).any(|n| {
                    let average = numbers[..n].iter().sum::<f64>() / n as f64;
                    let variance = numbers[..n].iter().map(|x| (x - average).powi(2)).sum::<f64>() / n as f64;
                    (average - mean).abs() > 1.96 * (variance / n as f64).sqrt()
                }));
            }
            let share = f64::from(missed) / repetitions as f64;
            // Five per cent and three standard deviations of the measurement.
            assert!(
                share < 0.05 + 3.0 * (0.05 * 0.95 / repetitions as f64).sqrt(),
                "{case}: {share}"
            );
            assert!(
                missed_by_normal > 3 * missed,
                "{case}: {missed_by_normal} against {missed}"
            );
        }
    }

    /// The worst number is rare and costs the gamblers with the largest stakes nearly all of their capital.
    #[test]
    fn the_interval_holds_where_the_greatest_stakes_are_lost_now_and_then() {
        let (repetitions, mut missed) = (1000, 0);
        for repetition in 0..repetitions {
            let mut rng = generator(7, &[repetition]);
            let mut number = || if rng.random::<f64>() < 0.1 { 0.0 } else { 0.6 };
            let numbers: Vec<f64> = (0..400).map(|_| number()).collect();
            let interval = ESTIMATOR.estimate(&numbers).expect("there are numbers").interval;
            missed += u32::from(!interval.contains(0.54));
        }
        let share = f64::from(missed) / repetitions as f64;
        assert!(
            share < 0.05 + 3.0 * (0.05 * 0.95 / repetitions as f64).sqrt(),
            "{share}"
        );
    }

    /// Like differences of mean scores: there the largest stake determines the width of the interval.
    #[test]
    fn numbers_that_vary_little_within_their_range_decide_early() {
        let differences = BoundedMean(MeanTerms::new((-1.0, 1.0), 0.01, 64));
        let mut width = 0.0;
        let repetitions = 20;
        for repetition in 0..repetitions {
            let mut rng = generator(8, &[repetition]);
            // Of mean 0.1 and standard deviation 0.12.
            let numbers: Vec<f64> = (0..400).map(|_| rng.random_range(-0.108..=0.308)).collect();
            let interval = |n: usize| differences.estimate(&numbers[..n]).expect("there are numbers").interval;
            assert!(!interval(400).contains(0.0));
            width += interval(64).half_width().expect("bounded");
        }
        // With stakes of at most 0.75 for any mean: ln (6 / 0.01) / (0.75 · 64) of the range, and more.
        let mean_width = width / repetitions as f64;
        assert!(mean_width < 0.5 * 2.0 * 600_f64.ln() / 48.0, "{mean_width}");
    }

    #[test]
    fn the_interval_is_at_most_half_as_wide_again_as_one_for_a_single_look() {
        let mut rng = generator(2, &[]);
        let (mut width, mut normal) = (0.0, 0.0);
        for _ in 0..50 {
            let numbers = games(&mut rng, 400, 0.4, 0.2);
            let estimate = ESTIMATOR.estimate(&numbers).expect("there are numbers");
            width += estimate.interval.half_width().expect("bounded");
            normal += 1.96 * estimate.deviation / 20.0;
        }
        assert!(width < 1.5 * normal && width > normal, "{}", width / normal);
    }

    #[test]
    fn a_verdict_is_as_rarely_false_as_promised_when_games_are_added_until_there_is_one() {
        // At the threshold itself every verdict is false; games come in rounds, and play stops at the first verdict.
        let (repetitions, mut false_verdicts) = (1000, 0);
        for repetition in 0..repetitions {
            let numbers = games(&mut generator(3, &[repetition]), 400, 0.52, 0.0);
            let verdict = [25, 50, 100, 200, 400].into_iter().find_map(|n| {
                let estimate = ESTIMATOR.estimate(&numbers[..n]).expect("there are numbers");
                let verdict = estimate.greater_than(0.52);
                (verdict != Verdict::Inconclusive).then_some(verdict)
            });
            false_verdicts += u32::from(verdict.is_some());
        }
        let share = f64::from(false_verdicts) / repetitions as f64;
        assert!(
            share < 0.05 + 3.0 * (0.05 * 0.95 / repetitions as f64).sqrt(),
            "{share}"
        );
        // There is a verdict if there is an effect.
        let strong = games(&mut generator(4, &[]), 400, 0.7, 0.0);
        let estimate = ESTIMATOR.estimate(&strong).expect("there are numbers");
        assert_eq!(estimate.greater_than(0.52), Verdict::Supported);
        // Later games that contradict earlier ones.
        let turned: Vec<f64> = strong.iter().copied().chain([0.0; 300]).collect();
        let estimate = ESTIMATOR.estimate(&turned).expect("there are numbers");
        assert!(!estimate.is_consistent(), "{estimate:?}");
        assert_eq!(estimate.greater_than(0.52), Verdict::Inconclusive);
    }

    /// A study that is enlarged because it was open, to four and sixteen times the planned numbers.
    #[test]
    fn the_interval_holds_and_narrows_beyond_what_was_planned() {
        let planned = BoundedMean(MeanTerms::new((0.0, 1.0), 0.05, 100));
        let (repetitions, mut missed) = (1000, 0);
        let mut widths = [0.0; 5];
        for repetition in 0..repetitions {
            let numbers = games(&mut generator(6, &[repetition]), 1600, 0.45, 0.1);
            let half_width = |horizon: u64, n: usize| {
                let estimate = BoundedMean(MeanTerms { horizon, ..planned.0 }).estimate(&numbers[..n]);
                estimate
                    .and_then(|estimate| estimate.interval.half_width())
                    .unwrap_or(1.0)
            };
            let estimate = planned.estimate(&numbers).expect("there are numbers");
            missed += u32::from(!estimate.interval.contains(0.5));
            let of = [(100, 100), (100, 400), (400, 400), (100, 1600), (1600, 1600)];
            for (width, (horizon, n)) in widths.iter_mut().zip(of) {
                *width += half_width(horizon, n);
            }
        }
        let share = f64::from(missed) / repetitions as f64;
        assert!(
            share < 0.05 + 3.0 * (0.05 * 0.95 / repetitions as f64).sqrt(),
            "{share}"
        );
        let [
            at_plan,
            four_times,
            planned_four_times,
            sixteen_times,
            planned_sixteen_times,
        ] = widths;
        // Stakes for the plan alone cannot make it narrower than half of its width, however many numbers there are.
        assert!(sixteen_times < 0.5 * at_plan, "{}", sixteen_times / at_plan);
        // For one gambler with stakes a / √t beyond the plan, the factor is (1 + 1 + ln k) / (2 √k − 1), against 2 /
        // √k.
        for (times, found, best) in [
            (4.0_f64, four_times, planned_four_times),
            (16.0, sixteen_times, planned_sixteen_times),
        ] {
            let one_gambler = (2.0 + times.ln()) / (2.0 * times.sqrt() - 1.0) / (2.0 / times.sqrt());
            assert!(
                found / best < 1.1 * one_gambler,
                "{times}: {} {one_gambler}",
                found / best
            );
        }
    }

    #[test]
    fn an_interval_never_widens() {
        let numbers = games(&mut generator(8, &[]), 200, 0.55, 0.1);
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for n in 1..=numbers.len() {
            let interval = ESTIMATOR.estimate(&numbers[..n]).expect("there are numbers").interval;
            let now = (interval.low.expect("bounded"), interval.high.expect("bounded"));
            assert!(now.0 >= low && now.1 <= high, "{n}: {interval:?}");
            (low, high) = now;
        }
        assert!(0.45 < low && low < 0.6 && 0.6 < high, "{low} {high}");
    }

    #[test]
    fn numbers_may_have_any_range_and_all_be_equal() {
        let estimator = BoundedMean(MeanTerms::new((-10.0, 30.0), 0.05, 100));
        let estimate = estimator.estimate(&[5.0; 100]).expect("there are numbers");
        assert_eq!((estimate.mean, estimate.deviation), (5.0, 0.0));
        let interval = estimate.interval;
        assert!(
            interval.contains(5.0) && interval.half_width().is_some_and(|width| width < 4.0),
            "{interval:?}"
        );
        assert_eq!(estimator.estimate(&[]), None);
        let few = ESTIMATOR.estimate(&[1.0]).expect("a number");
        assert_eq!(
            few.interval,
            Interval {
                low: Some(0.0),
                high: Some(1.0)
            }
        );
    }
}
