//! Comparison of several series with the best one: which can be the best, and how far the others are from it.
//!
//! Multiple comparisons with the best (Hsu, *Constrained simultaneous confidence intervals for multiple comparisons
//! with the best*, Annals of Statistics 12, 1984), from differences within blocks and with anytime-valid bounds.
//! Whichever series is the best, only its own K − 1 comparisons must hold for it to stay among the possible ones, and
//! for the lower ends of all distances from it: these share the error by K − 1, not by all pairs. Claims that others
//! are *not* within a margin of the best need all pairs. Each of the two has half of the error.

use serde::{Deserialize, Serialize};

use crate::mean_terms::MeanTerms;
use crate::{AnytimeMean, Interval, MeanMethod, Verdict};

/// Compares series with the best of them: each difference of two is estimated by a [`MeanMethod`], and the error of the
/// terms is that of all results together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best {
    method: MeanMethod,
    terms: MeanTerms,
}

/// Several series compared with the best of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestComparison {
    /// 1 minus the probability that any result here is ever wrong.
    pub level: f64,
    /// The series, in the given order.
    pub series: Vec<Contender>,
}

/// One series compared with the best of all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contender {
    /// Blocks with a number.
    pub n: u64,
    /// The mean over its own blocks; 0 without any.
    pub mean: f64,
    /// True if no other series is certainly better.
    pub can_be_best: bool,
    /// Its true mean minus that of the best series, which may be itself: at most 0.
    pub from_best: Interval,
}

/// Number of series within a margin of the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NearBest {
    /// The least number: at least one, since the best is always within the margin.
    pub least: usize,
    /// The number by the estimated means.
    pub estimated: usize,
    /// The largest number.
    pub most: usize,
}

impl Best {
    /// A comparison for series of numbers in a range, with this error probability, planned for at most `horizon`
    /// blocks.
    pub const fn new(method: MeanMethod, range: (f64, f64), error: f64, horizon: u64) -> Self {
        let terms = MeanTerms::new(range, error, horizon);
        Self { method, terms }
    }

    /// Compares series, given by a number for every block that they have reached, or `None` where a game was truncated.
    /// Two series are compared in the blocks where both have numbers; the lengths of series may depend on earlier
    /// numbers. `None` without series.
    pub fn compare(&self, series: &[Vec<Option<f64>>]) -> Option<BestComparison> {
        if series.is_empty() {
            return None;
        }
        let others = (series.len() - 1).max(1) as f64;
        let half = self.terms.error / 2.0;
        let of_best = self.bounds(series, half / others);
        let of_pairs = self.bounds(series, half / (others * series.len() as f64));
        let can_be_best: Vec<bool> = of_best
            .iter()
            .map(|row| row.iter().all(|&bound| bound >= 0.0))
            .collect();
        let contradiction = !can_be_best.contains(&true);
        let contender = |index: usize| {
            // The best one is among the others that can be the best, or it is this one.
            let rivals = (0..series.len()).filter(|&other| other != index && (contradiction || can_be_best[other]));
            let behind = rivals.map(|other| of_best[other][index]).fold(0.0, f64::max);
            let ahead = of_pairs[index].iter().copied().fold(0.0, f64::min);
            let numbers = || series[index].iter().flatten();
            let n = numbers().count();
            Contender {
                n: n as u64,
                mean: numbers().sum::<f64>() / n.max(1) as f64,
                can_be_best: can_be_best[index],
                from_best: Interval {
                    low: Some(-behind),
                    high: Some(ahead),
                },
            }
        };
        Some(BestComparison {
            level: 1.0 - self.terms.error,
            series: (0..series.len()).map(contender).collect(),
        })
    }

    /// `bounds[i][j]`: upper bound of the lead of series i over series j, each one-sided at this error. 0 for a series
    /// and itself.
    fn bounds(&self, series: &[Vec<Option<f64>>], error: f64) -> Vec<Vec<f64>> {
        let width = self.terms.range.1 - self.terms.range.0;
        // Each end of a two-sided interval has half of its error. (That is exact by betting. By the symmetric
        // t-martingale, both ends may miss one after the other, with a probability of about the square of the error.)
        let difference = AnytimeMean::new(self.method, (-width, width), (2.0 * error).min(1.0), self.terms.horizon);
        let mut bounds = vec![vec![0.0; series.len()]; series.len()];
        for (i, one) in series.iter().enumerate() {
            for (j, other) in series.iter().enumerate().skip(i + 1) {
                let numbers: Vec<f64> = one.iter().zip(other).filter_map(|(a, b)| Some((*a)? - (*b)?)).collect();
                let interval = difference.estimate(&numbers).map(|estimate| estimate.interval);
                let ends = interval.and_then(|interval| Some((interval.low?, interval.high?)));
                let (low, high) = ends.unwrap_or((-width, width));
                (bounds[i][j], bounds[j][i]) = (high, -low);
            }
        }
        bounds
    }
}

impl Contender {
    /// The verdict that the true mean is within a margin of the best.
    pub fn is_within(&self, margin: f64) -> Verdict {
        if self.from_best.low.is_some_and(|low| low >= -margin) {
            Verdict::Supported
        } else if self.from_best.high.is_some_and(|high| high < -margin) {
            Verdict::Refuted
        } else {
            Verdict::Inconclusive
        }
    }
}

impl BestComparison {
    /// Indices of the series that can be the best. Empty if the bounds contradict each other, which they do at most in
    /// the share of studies in which they err.
    pub fn possible(&self) -> Vec<usize> {
        let indices = 0..self.series.len();
        indices.filter(|&index| self.series[index].can_be_best).collect()
    }

    /// Number of series within a margin of the best.
    pub fn near(&self, margin: f64) -> NearBest {
        let count = |verdict| {
            let those = self.series.iter().filter(|series| series.is_within(margin) == verdict);
            those.count()
        };
        let greatest = self
            .series
            .iter()
            .map(|series| series.mean)
            .fold(f64::NEG_INFINITY, f64::max);
        let near = self.series.iter().filter(|series| series.mean >= greatest - margin);
        NearBest {
            least: count(Verdict::Supported).max(1),
            estimated: near.count(),
            most: (self.series.len() - count(Verdict::Refuted)).max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand_distr::{Binomial, Distribution};

    use super::*;
    use crate::generator;

    const TRUTH: [f64; 8] = [0.60, 0.59, 0.58, 0.52, 0.50, 0.48, 0.45, 0.30];
    const MARGIN: f64 = 0.02;

    /// Blocks of three games per series.
    fn play(rng: &mut Xoshiro256PlusPlus, truth: &[f64], blocks: usize) -> Vec<Vec<Option<f64>>> {
        let block = |rng: &mut Xoshiro256PlusPlus, score: f64| {
            let won = Binomial::new(3, score).map_or(0, |games| games.sample(rng));
            Some(won as f64 / 3.0)
        };
        truth
            .iter()
            .map(|&score| (0..blocks).map(|_| block(rng, score)).collect())
            .collect()
    }

    /// Stated beforehand: of 300 worlds, in no more than 5 % and three standard errors (8.8 %: 26) is anything wrong,
    /// be it the exclusion of the best, a distance from it, or the number near it.
    #[test]
    fn all_that_is_said_holds_together() {
        let worlds = 300;
        for method in [MeanMethod::Betting, MeanMethod::Student] {
            let best = Best::new(method, (0.0, 1.0), 0.05, 128);
            let (mut wrong, mut out, mut surely) = (0, 0, 0);
            for world in 0..worlds {
                let series = play(&mut generator(23, &[world]), &TRUTH, 128);
                let found = best.compare(&series).expect("there are series");
                let near = found.near(MARGIN + 1e-9);
                let distances = found.series.iter().zip(TRUTH);
                let holds = found.series[0].can_be_best
                    && distances
                        .clone()
                        .all(|(series, truth)| series.from_best.contains(truth - TRUTH[0]))
                    && (near.least..=near.most).contains(&3);
                wrong += u32::from(!holds);
                out += found.series.len() - found.possible().len();
                surely += usize::from(found.series[7].is_within(MARGIN) == Verdict::Refuted);
            }
            assert!(wrong <= 26, "{method:?}: {wrong}");
            // And the results are informative: the worst, 30 points behind with standard errors of 4 points, is always
            // excluded; of the 8 about two are.
            assert!(out as f64 / worlds as f64 > 1.5, "{method:?}: {out}");
            assert!(surely as u64 > worlds * 9 / 10, "{method:?}: {surely}");
        }
    }

    #[test]
    fn the_best_is_always_near_itself() {
        let best = Best::new(MeanMethod::Student, (0.0, 1.0), 0.05, 512);
        // Hardly any blocks: everything is possible, except that at least one series is near the best.
        let few = best
            .compare(&play(&mut generator(1, &[]), &TRUTH, 4))
            .expect("there are series");
        let near = few.near(MARGIN);
        assert_eq!((near.least, near.most), (1, 8));
        assert_eq!(few.possible().len(), 8);
        // Many blocks of clear differences: one can be the best, and no other is near it.
        let many = best
            .compare(&play(&mut generator(2, &[]), &[0.7, 0.4, 0.3], 512))
            .expect("there are series");
        assert_eq!(
            (many.possible(), many.near(MARGIN)),
            (
                vec![0],
                NearBest {
                    least: 1,
                    estimated: 1,
                    most: 1
                }
            )
        );
        assert_eq!(
            many.series[0].from_best,
            Interval {
                low: Some(0.0),
                high: Some(0.0)
            }
        );
        // Equal series only, within a wide margin: all are certainly near.
        let equal = best
            .compare(&play(&mut generator(3, &[]), &[0.5; 3], 512))
            .expect("there are series");
        assert_eq!(equal.near(0.3).least, 3);
        assert_eq!(best.compare(&[]), None);
        let one = best.compare(&[vec![Some(0.5)]]).expect("a series");
        assert_eq!((one.possible(), one.near(0.0).most), (vec![0], 1));
        let none = best.compare(&[vec![], vec![None]]).expect("two series");
        assert_eq!((none.near(MARGIN).least, none.near(MARGIN).most), (1, 2));
    }

    /// Scores that share their randomness within blocks are distinguished by their differences, though not by
    /// themselves.
    #[test]
    fn what_blocks_share_cancels() {
        let mut rng = generator(4, &[]);
        let blocks = play(&mut rng, &[0.5], 128).remove(0);
        let worse = blocks
            .iter()
            .enumerate()
            .map(|(index, score)| Some((*score)? - if index % 4 == 0 { 0.2 } else { 0.1 }));
        let best = Best::new(MeanMethod::Student, (-0.2, 1.0), 0.05, 128);
        let found = best.compare(&[worse.collect(), blocks]).expect("there are series");
        assert_eq!(found.possible(), [1]);
        let high = found.series[0].from_best.high.expect("bounded");
        assert!((-0.125..-0.1).contains(&high), "{high}");
    }
}
