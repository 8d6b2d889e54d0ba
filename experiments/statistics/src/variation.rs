//! Variation of an effect between agents, without the variation of their games.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::random_effects::{between, spread};
use crate::{Interval, RandomEffects};

/// Level of the intervals.
const LEVEL: f64 = 0.95;

/// The variation of an effect between agents, without that of their games: a random-effects analysis in which every
/// agent has its own effect, and its games measure it with a standard error.
///
/// With two to five agents all of this is rough, and the intervals show how rough.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heterogeneity {
    /// Standard deviation of the agents' effects due to their games alone: the root mean square of their standard
    /// errors.
    pub games: f64,
    /// Standard deviation of effects between agents after subtracting that of games: τ, by Paule and Mandel (1982).
    pub tau: f64,
    /// 95 % interval of τ, by the profile of Q (Viechtbauer 2007).
    pub tau_interval: Interval,
    /// Cochran's Q: the weighted sum of squares of effects around their mean.
    pub q: f64,
    /// The probability of a Q at least this large if all agents have the same effect.
    pub p_value: f64,
    /// I²: the share of the variation between effects that games do not explain (Higgins and Thompson 2002).
    pub i_squared: f64,
    /// The mean effect of agents trained alike, including agents that were not tested.
    pub mean: f64,
    /// 95 % interval of this mean: that of [`RandomEffects`], which has it at any level.
    pub mean_interval: Interval,
}

impl Heterogeneity {
    /// The variation of agents' effects, each with the standard error from its games; errors must be independent.
    /// `None` for fewer than two agents, or if an error is not positive: then the variation of games is unknown.
    pub fn of(effects: &[(f64, f64)]) -> Option<Self> {
        let together = RandomEffects::of(effects, LEVEL)?;
        let (agents, freedom) = (effects.len() as f64, effects.len() as f64 - 1.0);
        let chance = ChiSquared::new(freedom).ok()?;
        let variance_at = |level: f64| between(effects, level);
        let q = spread(effects, 0.0).1;
        let quantile = |level: f64| chance.inverse_cdf(level);
        Some(Self {
            games: (effects.iter().map(|(_, error)| error * error).sum::<f64>() / agents).sqrt(),
            tau: together.tau,
            tau_interval: Interval {
                low: Some(variance_at(quantile(0.5 + LEVEL / 2.0)).sqrt()),
                high: Some(variance_at(quantile(0.5 - LEVEL / 2.0)).sqrt()),
            },
            q,
            p_value: 1.0 - chance.cdf(q),
            i_squared: if q > 0.0 { ((q - freedom) / q).max(0.0) } else { 0.0 },
            mean: together.mean,
            mean_interval: together.interval,
        })
    }
}

/// The standard deviation of numbers, with n − 1 in the denominator; `None` for fewer than two.
pub fn deviation(numbers: &[f64]) -> Option<f64> {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (numbers.len() > 1).then(|| (squares / (n - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use rand::RngExt;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::generator;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
    }

    #[test]
    fn two_agents_by_hand() {
        // Both errors are 0.1: Q = 2 · (0.1 / 0.1)² = 2 with one degree of freedom, and Q(τ²) = 0.02 / (0.01 + τ²) is 1
        // at 0.01.
        let found = Heterogeneity::of(&[(0.1, 0.1), (0.3, 0.1)]).unwrap();
        for (found, expected) in [
            (found.games, 0.1),
            (found.q, 2.0),
            (found.i_squared, 0.5),
            (found.tau, 0.1),
            (found.mean, 0.2),
        ] {
            near(found, expected);
        }
        // χ² with one degree of freedom exceeds 2 as often as a normal number exceeds √2 on either side.
        assert!((found.p_value - 0.157_299).abs() < 1e-6, "{found:?}");
        // 12.706 · √(0.02 / 2) around the mean; 0.02 / (0.01 + τ²) = 0.000982 for the upper end of τ.
        assert!(
            (found.mean_interval.half_width().unwrap() - 1.270_62).abs() < 1e-4,
            "{found:?}"
        );
        assert_eq!(found.tau_interval.low, Some(0.0));
        assert!(
            (found.tau_interval.high.unwrap() - (0.02 / 0.000_982_069_f64 - 0.01).sqrt()).abs() < 1e-3,
            "{found:?}"
        );
    }

    #[test]
    fn what_cannot_be_told_apart_is_not() {
        assert_eq!(Heterogeneity::of(&[(0.5, 0.1)]), None);
        assert_eq!(Heterogeneity::of(&[(0.5, 0.1), (0.4, 0.0)]), None);
        assert_eq!(Heterogeneity::of(&[(0.5, 0.1), (f64::NAN, 0.1)]), None);
        let same = Heterogeneity::of(&[(0.5, 0.1), (0.5, 0.1), (0.5, 0.1)]).unwrap();
        assert_eq!((same.tau, same.q, same.i_squared), (0.0, 0.0, 0.0));
        // Agents that agree by chance do not make the interval narrower than their games do.
        near(
            same.mean_interval.half_width().unwrap(),
            crate::interval::Z * 0.1 / 3_f64.sqrt(),
        );
        assert_eq!((deviation(&[1.0]), deviation(&[1.0, 3.0])), (None, Some(2_f64.sqrt())));
    }

    fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
        // The sum of twelve uniform numbers is close enough to normal.
        (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
    }

    #[test]
    fn intervals_hold_as_often_as_they_say() {
        let worlds = 2000;
        for (agents, tau) in [(2, 0.03), (3, 0.0), (3, 0.03), (5, 0.06)] {
            let (mut tau_missed, mut mean_missed, mut false_alarms) = (0, 0, 0);
            for world in 0..worlds {
                let rng = &mut generator(world, &[agents, (1000.0 * tau) as u64]);
                let effects: Vec<_> = (0..agents)
                    .map(|agent| {
                        let error = 0.02 + 0.01 * agent as f64;
                        (0.1 + tau * normal(rng) + error * normal(rng), error)
                    })
                    .collect();
                let found = Heterogeneity::of(&effects).unwrap();
                tau_missed += u32::from(!found.tau_interval.contains(tau));
                mean_missed += u32::from(!found.mean_interval.contains(0.1));
                false_alarms += u32::from(found.p_value < 0.05);
            }
            let most = 0.05 + 4.0 * (0.05 * 0.95 / worlds as f64).sqrt();
            let share = |count: u32| f64::from(count) / worlds as f64;
            assert!(share(tau_missed) < most, "{agents} {tau}: {tau_missed}");
            assert!(share(mean_missed) < most, "{agents} {tau}: {mean_missed}");
            assert!(tau > 0.0 || share(false_alarms) < most, "{agents}: {false_alarms}");
        }
    }
}
