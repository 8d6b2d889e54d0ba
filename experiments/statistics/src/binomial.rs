//! The exact interval for the probability of an event that happened in some of several trials.

use statrs::distribution::{Beta, ContinuousCDF};

use crate::Interval;

/// The exact interval of Clopper and Pearson (1934) for a probability: it misses the truth in no more than `1 - level`
/// of all cases, however few the trials are. `events` of `trials` happened. Without trials nothing is known.
pub fn exact_binomial(events: u64, trials: u64, level: f64) -> Interval {
    let tail = (1.0 - level) / 2.0;
    let events = events.min(trials);
    // A shape of 0 is no distribution: none of the trials, or all of them, leave one side to the limit.
    let quantile = |events: u64, others: u64, share: f64| {
        let beta = Beta::new(events as f64, others as f64).ok()?;
        Some(beta.inverse_cdf(share))
    };
    Interval {
        low: quantile(events, trials - events + 1, tail).or(Some(0.0)),
        high: quantile(events + 1, trials - events, 1.0 - tail).or(Some(1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Interval, low: f64, high: f64) -> bool {
        let is = |found: Option<f64>, known: f64| found.is_some_and(|found| (found - known).abs() < 5e-5);
        is(found.low, low) && is(found.high, high)
    }

    /// From the tables of the distribution.
    #[test]
    fn ends_are_those_of_the_tables() {
        assert!(near(exact_binomial(0, 10, 0.95), 0.0, 0.3085));
        assert!(near(exact_binomial(10, 10, 0.95), 0.6915, 1.0));
        assert!(near(exact_binomial(3, 10, 0.95), 0.0667, 0.6525));
        assert!(near(exact_binomial(5, 100, 0.95), 0.0164, 0.1128));
        assert!(near(exact_binomial(0, 0, 0.95), 0.0, 1.0));
    }

    /// For every probability, the interval misses it no more often than its level says.
    #[test]
    fn the_truth_is_missed_no_more_often_than_promised() {
        let (trials, level) = (20_u64, 0.9);
        for percent in 1..100_u32 {
            let truth = f64::from(percent) / 100.0;
            let mut probability = (1.0 - truth).powi(20);
            let mut missed = 0.0;
            for events in 0..=trials {
                if !exact_binomial(events, trials, level).contains(truth) {
                    missed += probability;
                }
                probability *= truth / (1.0 - truth) * (trials - events) as f64 / (events + 1) as f64;
            }
            assert!(missed <= 1.0 - level + 1e-9, "{truth}: {missed}");
        }
    }
}
