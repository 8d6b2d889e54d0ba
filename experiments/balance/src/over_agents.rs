//! A number over agents trained alike.

use chase_statistics::{Heterogeneity, Interval, deviation, student_quantile};
use serde::{Deserialize, Serialize};

use crate::measured_number::Measured;

/// Level of the intervals.
const LEVEL: f64 = 0.95;

/// A number over the agents of one game.
///
/// The interval is that of the mean of agents trained alike, including agents that were not trained: a random-effects
/// interval by Hartung and Knapp where the errors of agents are known, otherwise Student's. With three agents it is
/// wide, as it must be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverAgents {
    /// The number of each agent, in the order of their numbers.
    pub by_agent: Vec<Measured>,
    /// The mean of agents trained alike.
    pub mean: f64,
    /// Its 95 % interval; `None` for a single agent.
    pub interval: Option<Interval>,
    /// Standard deviation between agents, from training and games together; `None` for a single agent.
    pub deviation: Option<f64>,
    /// The variation between agents, without the variation of their games; `None` where errors are not known.
    pub apart: Option<Heterogeneity>,
}

impl OverAgents {
    /// The number over agents; `None` without any.
    pub fn of(by_agent: Vec<Measured>) -> Option<Self> {
        let values: Vec<f64> = by_agent.iter().map(|agent| agent.value).collect();
        let n = values.len() as f64;
        let mean = (n > 0.0).then(|| values.iter().sum::<f64>() / n)?;
        let errors: Option<Vec<(f64, f64)>> = by_agent.iter().map(|agent| Some((agent.value, agent.error?))).collect();
        let apart = errors.and_then(|effects| Heterogeneity::of(&effects));
        let deviation = deviation(&values);
        let student = || {
            let reach = student_quantile(n - 1.0, LEVEL)? * deviation? / n.sqrt();
            Some(Interval {
                low: Some(mean - reach),
                high: Some(mean + reach),
            })
        };
        Some(Self {
            mean: apart.map_or(mean, |apart| apart.mean),
            interval: apart.map(|apart| apart.mean_interval).or_else(student),
            deviation,
            apart,
            by_agent,
        })
    }

    /// The same for a share or a score: its interval ends at 0 and 1.
    pub fn share(by_agent: Vec<Measured>) -> Option<Self> {
        let range = Interval {
            low: Some(0.0),
            high: Some(1.0),
        };
        let found = Self::of(by_agent)?;
        Some(Self {
            interval: found.interval.map(|interval| interval.intersection(&range)),
            ..found
        })
    }

    /// The same for numbers without an error of their own, which depend on the agent alone.
    pub fn exact(by_agent: impl IntoIterator<Item = f64>) -> Option<Self> {
        let exact = |value| Measured { value, error: None };
        Self::of(by_agent.into_iter().map(exact).collect())
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand_distr::{Distribution, StandardNormal};

    use super::*;

    fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
        StandardNormal.sample(rng)
    }

    #[test]
    fn one_agent_is_no_interval_and_shares_stay_shares() {
        let one = OverAgents::share(vec![Measured {
            value: 0.9,
            error: Some(0.1),
        }])
        .expect("an agent");
        assert_eq!((one.mean, one.interval, one.deviation), (0.9, None, None));
        let two = [0.9, 1.0].map(|value| Measured {
            value,
            error: Some(0.02),
        });
        let two = OverAgents::share(two.into()).expect("agents");
        assert_eq!(two.interval.and_then(|interval| interval.high), Some(1.0));
        assert_eq!(OverAgents::exact([]), None);
        // √2 / √2 · 12.706.
        let exact = OverAgents::exact([3.0, 5.0]).and_then(|found| found.interval);
        let half = exact.and_then(|interval| interval.half_width()).unwrap_or(0.0);
        assert!((half - 12.706_2).abs() < 1e-3, "{half}");
    }

    /// Stated beforehand: with three agents the interval misses the mean of agents trained alike in at most 5 % and
    /// three standard errors of 2000 worlds (6.5 %). With games as the units, as if the agents were one, it misses more
    /// than 20 %.
    #[test]
    fn agents_and_not_games_are_the_units() {
        let (worlds, agents, games, tau) = (2000, 3, 100.0_f64, 0.08);
        let (mut missed, mut missed_by_games) = (0, 0);
        for world in 0..worlds {
            let rng = &mut chase_statistics::generator(26, &[world]);
            let error = (0.25 / games).sqrt();
            let agents: Vec<Measured> = (0..agents)
                .map(|_| Measured {
                    value: 0.55 + tau * normal(rng) + error * normal(rng),
                    error: Some(error),
                })
                .collect();
            let mean = agents.iter().map(|agent| agent.value).sum::<f64>() / 3.0;
            missed_by_games += u32::from((mean - 0.55).abs() > 1.96 * error / 3_f64.sqrt());
            let found = OverAgents::of(agents).and_then(|found| found.interval);
            missed += u32::from(!found.is_some_and(|interval| interval.contains(0.55)));
        }
        let share = |count: u32| f64::from(count) / worlds as f64;
        assert!(share(missed) <= 0.065, "{missed}");
        assert!(share(missed_by_games) > 0.2, "{missed_by_games}");
    }
}
