//! Means and shares of observations from games, with intervals that take dependence within blocks into account.
//!
//! A block is a set of observations that depend on each other: the two games of a pair, or all games that share their
//! randomness. It is the unit of resampling: its observations are drawn together or not at all.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::{Interval, student_quantile, wilson_at};

/// Sum and number of the observations of one block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlockSums {
    /// Sum of the observations.
    pub total: f64,
    /// Number of the observations.
    pub count: f64,
}

impl BlockSums {
    /// Counts an observation.
    pub fn add(&mut self, observation: f64) {
        self.total += observation;
        self.count += 1.0;
    }
}

impl std::ops::AddAssign for BlockSums {
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.count += other.count;
    }
}

impl std::iter::Sum for BlockSums {
    fn sum<I: Iterator<Item = Self>>(sums: I) -> Self {
        sums.fold(Self::default(), |mut all, sums| {
            all += sums;
            all
        })
    }
}

/// A number with its standard error, from observations in blocks.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct ClusterEstimate {
    /// The mean, share or difference, in the unit of the observations.
    pub value: f64,
    /// Its standard error, by linearisation over the blocks.
    pub error: f64,
    /// Confidence interval of the true number; `None` if there are fewer than [`LEAST_BLOCKS`] blocks.
    pub interval: Option<Interval>,
    /// Number of observations.
    pub observations: u64,
    /// Number of blocks with an observation.
    pub blocks: u64,
}

/// Smallest number of blocks with observations for an interval.
// A choice: fewer blocks say too little of their own variation. Not measured.
pub const LEAST_BLOCKS: u64 = 10;
/// Resamples at or beyond each end of a bootstrap interval: the random error of the end is then about a third of the
/// error on its side, whatever the level.
const LEAST_BEYOND: f64 = 10.0;
/// Fewest resamples of a bootstrap, enough for intervals of up to 99 %.
const LEAST_RESAMPLES: f64 = 1999.0;
/// Most resamples of a bootstrap: enough for a level of 99.9998 %.
const MOST_RESAMPLES: f64 = 1e7;

/// Number of resamples for a bootstrap interval of this level: enough that ten of them lie beyond each end. `None` for
/// a level that would need more than ten million, and for a level that is not a probability: then there is no interval.
pub fn resamples(level: f64) -> Option<usize> {
    let tail = (1.0 - level) / 2.0;
    let needed = (LEAST_BEYOND / tail).ceil().max(LEAST_RESAMPLES);
    (tail > 0.0 && tail < 0.5 && needed <= MOST_RESAMPLES).then_some(needed as usize)
}

/// Rank, from 1 at either end, of the sorted resample that is the end of the interval: its tail is no more likely than
/// the error.
fn place_of_end(resamples: usize, level: f64) -> usize {
    // Tolerates rounding.
    ((1.0 - level) / 2.0 * (resamples as f64 + 1.0) + 1e-6) as usize
}

/// The mean of all observations, with the studentised bootstrap interval of this level; the interval has no ends at a
/// level without [`resamples`]. `None` without observations.
pub fn mean(blocks: &[BlockSums], level: f64, rng: &mut Xoshiro256PlusPlus) -> Option<ClusterEstimate> {
    let both: Vec<_> = blocks.iter().map(|&sums| [sums, BlockSums::default()]).collect();
    bootstrap(&both, level, rng)
}

/// The mean of the first observations minus that of the second ones, `[first, second]` for every block, with the
/// studentised bootstrap interval of this level; the interval has no ends at a level without [`resamples`]. `None` if
/// either has no observations.
pub fn difference(blocks: &[[BlockSums; 2]], level: f64, rng: &mut Xoshiro256PlusPlus) -> Option<ClusterEstimate> {
    (observations(blocks, 1) > 0).then(|| bootstrap(blocks, level, rng))?
}

/// The share of observations that are 1, where all are 0 or 1. The interval is Wilson's for the number of independent
/// observations that has this error. `None` without observations.
pub fn share(blocks: &[BlockSums], level: f64) -> Option<ClusterEstimate> {
    let both: Vec<_> = blocks.iter().map(|&sums| [sums, BlockSums::default()]).collect();
    let (value, error) = linearised(&both)?;
    let (blocks, observations) = (occupied(&both), observations(&both, 0));
    // Without variation the worst case is assumed: that the observations of a block are a single one.
    let effective = if error > 0.0 {
        (value * (1.0 - value) / error.powi(2)).min(observations as f64)
    } else {
        blocks as f64
    };
    let interval = quantile(blocks, level).map(|t| {
        let (low, high) = wilson_at(value, effective, t);
        Interval {
            low: Some(low.max(0.0)),
            high: Some(high.min(1.0)),
        }
    });
    Some(ClusterEstimate {
        value,
        error,
        interval,
        observations,
        blocks,
    })
}

/// The mean of all observations and its standard error, by linearisation over the blocks. `None` without observations.
pub fn mean_and_error(blocks: &[BlockSums]) -> Option<(f64, f64)> {
    let both: Vec<_> = blocks.iter().map(|&sums| [sums, BlockSums::default()]).collect();
    linearised(&both)
}

/// The quantile of Student's distribution for a two-sided interval of this level; `None` if there are fewer than
/// [`LEAST_BLOCKS`] blocks.
pub fn quantile(blocks: u64, level: f64) -> Option<f64> {
    let freedom = (blocks >= LEAST_BLOCKS).then_some(blocks as f64 - 1.0)?;
    student_quantile(freedom, level)
}

fn observations(blocks: &[[BlockSums; 2]], group: usize) -> u64 {
    blocks.iter().map(|sums| sums[group].count as u64).sum()
}

fn occupied(blocks: &[[BlockSums; 2]]) -> u64 {
    let any = |sums: &&[BlockSums; 2]| sums.iter().any(|sums| sums.count > 0.0);
    blocks.iter().filter(any).count() as u64
}

/// The difference of the two means (a mean without observations counts as 0) and its standard error over blocks. `None`
/// if the first has no observations.
fn linearised(blocks: &[[BlockSums; 2]]) -> Option<(f64, f64)> {
    let mut all = [BlockSums::default(); 2];
    for sums in blocks {
        for (all, &sums) in all.iter_mut().zip(sums) {
            *all += sums;
        }
    }
    if all[0].count == 0.0 {
        return None;
    }
    let means = all.map(|sums| if sums.count > 0.0 { sums.total / sums.count } else { 0.0 });
    let mut squares = 0.0;
    let mut clusters = 0.0;
    for sums in blocks {
        let influence = |group: usize| {
            let BlockSums { total, count } = sums[group];
            if count > 0.0 {
                (total - means[group] * count) / all[group].count
            } else {
                0.0
            }
        };
        squares += (influence(0) - influence(1)).powi(2);
        clusters += f64::from(u8::from(sums[0].count + sums[1].count > 0.0));
    }
    let correction = if clusters > 1.0 {
        clusters / (clusters - 1.0)
    } else {
        1.0
    };
    Some((means[0] - means[1], (squares * correction).sqrt()))
}

fn bootstrap(blocks: &[[BlockSums; 2]], level: f64, rng: &mut Xoshiro256PlusPlus) -> Option<ClusterEstimate> {
    // Blocks without observations are not part of the sample: the estimate is a mean of observations.
    let sample: Vec<_> = blocks.iter().filter(|sums| occupied(&[**sums]) > 0).copied().collect();
    let (value, error) = linearised(&sample)?;
    let two_groups = observations(&sample, 1) > 0;
    let unbounded = Interval { low: None, high: None };
    let interval = (sample.len() as u64 >= LEAST_BLOCKS).then(|| {
        // Without variation, its size is unknown.
        let Some(resamples) = resamples(level).filter(|_| error > 0.0) else {
            return unbounded;
        };
        let mut resample = sample.clone();
        let mut deviations = Vec::with_capacity(resamples);
        while deviations.len() < resamples {
            resample.fill_with(|| sample[rng.random_range(0..sample.len())]);
            if two_groups && (observations(&resample, 0) == 0 || observations(&resample, 1) == 0) {
                continue;
            }
            if let Some((other, spread)) = linearised(&resample) {
                let deviation = other - value;
                // A resample without variation shows only the side: it is infinitely many errors away.
                deviations.push(if deviation == 0.0 { 0.0 } else { deviation / spread });
            }
        }
        deviations.sort_by(f64::total_cmp);
        let place = place_of_end(resamples, level);
        let (lower, upper) = (deviations[place - 1], deviations[resamples - place]);
        let end = |deviation: f64| Some(value - deviation * error).filter(|end| end.is_finite());
        Interval {
            low: end(upper),
            high: end(lower),
        }
    });
    Some(ClusterEstimate {
        value,
        error,
        interval,
        observations: observations(&sample, 0) + observations(&sample, 1),
        blocks: sample.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use statrs::distribution::{ContinuousCDF, StudentsT};

    use super::*;
    use crate::generator;

    /// Blocks whose observations are 1 with a probability that is drawn for the block: dependent within a block.
    fn clustered(blocks: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<BlockSums> {
        let block = |_| {
            let probability = if rng.random::<f64>() < 0.5 { 0.1 } else { 0.5 };
            let mut sums = BlockSums::default();
            for _ in 0..rng.random_range(0..8) {
                sums.add(f64::from(u8::from(rng.random::<f64>() < probability)));
            }
            sums
        };
        (0..blocks).map(block).collect()
    }

    fn coverage(worlds: u64, mut interval: impl FnMut(&mut Xoshiro256PlusPlus) -> Interval, truth: f64) -> f64 {
        let hits = (0..worlds).filter(|&world| interval(&mut generator(world, &[7])).contains(truth));
        hits.count() as f64 / worlds as f64
    }

    /// Four standard errors of a coverage measured in this many worlds.
    fn slack(worlds: u64, level: f64) -> f64 {
        4.0 * (level * (1.0 - level) / worlds as f64).sqrt()
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let (worlds, level) = (300, 0.9);
        let share = coverage(
            worlds,
            |rng| share(&clustered(40, rng), level).unwrap().interval.unwrap(),
            0.3,
        );
        let mean = coverage(
            worlds,
            |rng| {
                let blocks = clustered(40, rng);
                mean(&blocks, level, rng).unwrap().interval.unwrap()
            },
            0.3,
        );
        let difference = coverage(
            worlds,
            |rng| {
                let (first, second) = (clustered(40, rng), clustered(40, rng));
                let blocks: Vec<_> = first
                    .into_iter()
                    .zip(second)
                    .map(|(first, second)| [first, second])
                    .collect();
                difference(&blocks, level, rng).unwrap().interval.unwrap()
            },
            0.0,
        );
        for (name, coverage) in [("share", share), ("mean", mean), ("difference", difference)] {
            assert!((coverage - level).abs() < slack(worlds, level), "{name}: {coverage}");
        }
        // Treating observations as independent would fail: this is the reason for blocks.
        let naive = coverage(
            worlds,
            |rng| {
                let mut singles = Vec::new();
                for block in clustered(40, rng) {
                    for index in 0..block.count as usize {
                        let total = f64::from(u8::from((index as f64) < block.total));
                        singles.push(BlockSums { total, count: 1.0 });
                    }
                }
                super::share(&singles, level).unwrap().interval.unwrap()
            },
            0.3,
        );
        assert!(naive < level - slack(worlds, level), "{naive}");
    }

    /// The ends move outwards for any level that a study of many comparisons asks for. With a fixed number of resamples
    /// they would all be the extreme ones, and hold less often than they say.
    #[test]
    fn no_level_is_cut_to_what_a_fixed_number_of_resamples_reaches() {
        let blocks = clustered(40, &mut generator(2, &[]));
        let levels = [0.95, 0.995, 0.998_75, 0.999_58, 0.999_95];
        let widths = levels.map(|level| {
            let estimate = mean(&blocks, level, &mut generator(3, &[])).unwrap();
            estimate.interval.unwrap().half_width().unwrap()
        });
        assert!(widths.is_sorted_by(|narrow, wide| narrow < wide), "{widths:?}");
    }

    #[test]
    fn ten_resamples_lie_beyond_the_ends_at_every_level() {
        // Deciding intervals, those of each of up to 12 agents, and a study that is enlarged up to six times.
        for shared in 1..=120 {
            for enlarged in 0..=6 {
                let error = 0.05 / f64::from(shared) / 2_f64.powi(enlarged);
                let resamples = resamples(1.0 - error).unwrap();
                let place = place_of_end(resamples, 1.0 - error);
                assert!(place >= 10, "{error}: {place} of {resamples}");
                // As likely as stated: no more, and at most one resample less.
                let beyond = place as f64 / (resamples as f64 + 1.0);
                assert!(beyond <= error / 2.0 * (1.0 + 1e-6), "{error}: {beyond}");
                assert!(beyond > error / 2.0 - 1.0 / resamples as f64, "{error}: {beyond}");
            }
        }
        assert_eq!(resamples(0.95), Some(1999));
        for level in [1.0, 1.0 - 1e-9, 0.0, -1.0, 2.0, f64::NAN] {
            assert_eq!(resamples(level), None, "{level}");
        }
        // A level that no number of resamples reaches has no bounds.
        let rng = &mut generator(4, &[]);
        let estimate = mean(&clustered(40, rng), 1.0, rng).unwrap();
        assert_eq!(estimate.interval, Some(Interval { low: None, high: None }));
    }

    #[test]
    fn quantiles_are_where_the_distribution_says() {
        for blocks in [10, 11, 17, 32, 60, 61, 100, 333, 1000, 4096] {
            for comparisons in 1..=60 {
                let level = 1.0 - 0.05 / f64::from(comparisons);
                let found = quantile(blocks, level).unwrap();
                let reached = StudentsT::new(0.0, 1.0, blocks as f64 - 1.0).unwrap().cdf(found);
                let expected = 0.5 + level / 2.0;
                assert!(
                    (reached - expected).abs() < 1e-9,
                    "{blocks} blocks, {level}: {found} has {reached}"
                );
            }
        }
    }

    #[test]
    fn little_data_gives_no_interval_and_none_no_estimate() {
        let rng = &mut generator(1, &[]);
        assert_eq!(mean(&[BlockSums::default(); 50], 0.95, rng), None);
        assert_eq!(share(&[], 0.95), None);
        let one = BlockSums { total: 1.0, count: 1.0 };
        let none = BlockSums { total: 0.0, count: 1.0 };
        let few = [one, none, one, none, one];
        assert_eq!(mean(&few, 0.95, rng).unwrap().interval, None);
        assert_eq!(share(&few, 0.95).unwrap().interval, None);
        assert_eq!(difference(&[[one, BlockSums::default()]; 30], 0.95, rng), None);
        // All equal: a share is bounded on one side, a mean of unknown numbers not at all.
        let all = share(&[one; 30], 0.95).unwrap().interval.unwrap();
        assert!(
            all.high.unwrap() > 0.999 && (0.8..0.95).contains(&all.low.unwrap()),
            "{all:?}"
        );
        let same = mean(&[one; 30], 0.95, rng).unwrap().interval.unwrap();
        assert_eq!(same, Interval { low: None, high: None });
    }
}
