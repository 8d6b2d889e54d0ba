//! Means and shares of what happens in games, with intervals that know that observations of one block belong together.
//!
//! A block is what depends on each other: the two games of a pair, or all games that share their chance. It is the unit of
//! resampling: its observations are drawn together or not at all.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::{Interval, student_quantile, wilson_at};

/// Sum and number of the observations of one block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Sum of the observations.
    pub total: f64,
    /// Number of the observations.
    pub count: f64,
}

impl Sums {
    /// Counts an observation.
    pub fn add(&mut self, observation: f64) {
        self.total += observation;
        self.count += 1.0;
    }
}

/// A number with its error, from observations in blocks.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct ClusterEstimate {
    /// The number.
    pub value: f64,
    /// Its standard error, by linearisation over the blocks.
    pub error: f64,
    /// Where the true number lies; `None` if there are fewer than [`LEAST_BLOCKS`] blocks.
    pub interval: Option<Interval>,
    /// Observations.
    pub observations: u64,
    /// Pairs with any observation.
    pub blocks: u64,
}

/// Pairs with observations below which there is no interval.
pub const LEAST_BLOCKS: u64 = 10;
/// Resamples of a bootstrap: enough that the ends of intervals for a dozen simultaneous comparisons are not the very last.
const RESAMPLES: usize = 1999;

/// The mean of all observations, with the studentised bootstrap interval of this level. `None` without observations.
pub fn mean(blocks: &[Sums], level: f64, rng: &mut Xoshiro256PlusPlus) -> Option<ClusterEstimate> {
    let both: Vec<_> = blocks.iter().map(|&sums| [sums, Sums::default()]).collect();
    bootstrap(&both, level, rng)
}

/// The mean of the first observations less that of the second ones, `[first, second]` for every block, with the
/// studentised bootstrap interval of this level. `None` if either has no observations.
pub fn difference(blocks: &[[Sums; 2]], level: f64, rng: &mut Xoshiro256PlusPlus) -> Option<ClusterEstimate> {
    (observations(blocks, 1) > 0).then(|| bootstrap(blocks, level, rng))?
}

/// The share of observations that are 1, all being 0 or 1: the interval is Wilson's for as many independent observations
/// as would have this error. `None` without observations.
pub fn share(blocks: &[Sums], level: f64) -> Option<ClusterEstimate> {
    let both: Vec<_> = blocks.iter().map(|&sums| [sums, Sums::default()]).collect();
    let (value, error) = linearised(&both)?;
    let (blocks, observations) = (occupied(&both), observations(&both, 0));
    // Where nothing varies the worst is assumed: that the observations of a block are all one.
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

/// The quantile of Student's distribution that bounds an interval of this level on both sides; `None` if there are fewer
/// than [`LEAST_BLOCKS`] blocks.
pub fn quantile(blocks: u64, level: f64) -> Option<f64> {
    let freedom = (blocks >= LEAST_BLOCKS).then_some(blocks as f64 - 1.0)?;
    student_quantile(freedom, level)
}

fn observations(blocks: &[[Sums; 2]], group: usize) -> u64 {
    blocks.iter().map(|sums| sums[group].count as u64).sum()
}

fn occupied(blocks: &[[Sums; 2]]) -> u64 {
    let any = |sums: &&[Sums; 2]| sums.iter().any(|sums| sums.count > 0.0);
    blocks.iter().filter(any).count() as u64
}

/// The difference of the two means (a mean without observations counts 0) and its standard error over blocks. `None` if
/// the first has no observations.
fn linearised(blocks: &[[Sums; 2]]) -> Option<(f64, f64)> {
    let mut all = [Sums::default(); 2];
    for sums in blocks {
        for (all, sums) in all.iter_mut().zip(sums) {
            all.total += sums.total;
            all.count += sums.count;
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
            let Sums { total, count } = sums[group];
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

fn bootstrap(blocks: &[[Sums; 2]], level: f64, rng: &mut Xoshiro256PlusPlus) -> Option<ClusterEstimate> {
    // Pairs without observations are no part of the sample: what is estimated is a mean of observations.
    let sample: Vec<_> = blocks.iter().filter(|sums| occupied(&[**sums]) > 0).copied().collect();
    let (value, error) = linearised(&sample)?;
    let two_groups = observations(&sample, 1) > 0;
    let interval = (sample.len() as u64 >= LEAST_BLOCKS).then(|| {
        if error == 0.0 {
            // Nothing varies, so that nothing is known about how much could.
            return Interval { low: None, high: None };
        }
        let mut resample = sample.clone();
        let mut deviations = Vec::with_capacity(RESAMPLES);
        while deviations.len() < RESAMPLES {
            resample.fill_with(|| sample[rng.random_range(0..sample.len())]);
            if two_groups && (observations(&resample, 0) == 0 || observations(&resample, 1) == 0) {
                continue;
            }
            if let Some((other, spread)) = linearised(&resample) {
                let deviation = other - value;
                // A resample in which nothing varies tells only the side: infinitely many errors away.
                deviations.push(if deviation == 0.0 { 0.0 } else { deviation / spread });
            }
        }
        deviations.sort_by(f64::total_cmp);
        let tail = ((1.0 - level) / 2.0 * (RESAMPLES + 1) as f64) as usize;
        let (lower, upper) = (deviations[tail.max(1) - 1], deviations[RESAMPLES - tail.max(1)]);
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
    fn clustered(blocks: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<Sums> {
        let block = |_| {
            let probability = if rng.random::<f64>() < 0.5 { 0.1 } else { 0.5 };
            let mut sums = Sums::default();
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

    /// Four standard errors of a coverage that is measured in so many worlds.
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
        // Observations taken as independent would not do: this is what the blocks are for.
        let naive = coverage(
            worlds,
            |rng| {
                let mut singles = Vec::new();
                for block in clustered(40, rng) {
                    for index in 0..block.count as usize {
                        let total = f64::from(u8::from((index as f64) < block.total));
                        singles.push(Sums { total, count: 1.0 });
                    }
                }
                super::share(&singles, level).unwrap().interval.unwrap()
            },
            0.3,
        );
        assert!(naive < level - slack(worlds, level), "{naive}");
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
        assert_eq!(mean(&[Sums::default(); 50], 0.95, rng), None);
        assert_eq!(share(&[], 0.95), None);
        let one = Sums { total: 1.0, count: 1.0 };
        let none = Sums { total: 0.0, count: 1.0 };
        let few = [one, none, one, none, one];
        assert_eq!(mean(&few, 0.95, rng).unwrap().interval, None);
        assert_eq!(share(&few, 0.95).unwrap().interval, None);
        assert_eq!(difference(&[[one, Sums::default()]; 30], 0.95, rng), None);
        // All the same: a share is bounded on one side, a mean of unknown numbers is not at all.
        let all = share(&[one; 30], 0.95).unwrap().interval.unwrap();
        assert!(
            all.high.unwrap() > 0.999 && (0.8..0.95).contains(&all.low.unwrap()),
            "{all:?}"
        );
        let same = mean(&[one; 30], 0.95, rng).unwrap().interval.unwrap();
        assert_eq!(same, Interval { low: None, high: None });
    }
}
