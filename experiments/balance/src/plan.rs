//! The power of a study, computed before it begins.

use chase_statistics::Interval;
use itertools::Itertools;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

use crate::config::BalanceConfig;
use crate::effects::{Comparison, LevelContrast, Measure, contrasts, difference, level};
use crate::measured_number::Measured;
use crate::variants::Relative;

/// Supposed standard deviation of the first player's score between agents, beyond that of their games.
const BETWEEN_AGENTS: f64 = 0.05;
/// Simulated comparisons: a probability has a standard error of at most 0.016.
const SIMULATED: u32 = 1000;

/// The comparisons of a study, and their power.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Comparisons between variants, which share an error of 5 %.
    pub comparisons: usize,
    /// Level of the interval of each.
    pub level: f64,
    /// Power of the comparisons of scores, by property.
    pub power: Vec<ComparisonPower>,
}

/// The power of a comparison of scores between two levels of a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparisonPower {
    /// The name of the games that differ in it.
    pub family: String,
    /// The name of the property.
    pub property: String,
    /// Pairs of games that differ in it alone.
    pub pairs: usize,
    /// Supposed standard deviation between agents, beyond that of their games.
    pub between_agents: f64,
    /// Mean half width of the interval.
    pub half_width: f64,
    /// Probability of "does not differ by more than the margin" if there is no difference.
    pub within_if_equal: f64,
    /// Probability of "differs" if the difference is twice the margin.
    pub differs_if_twice: f64,
    /// Probability of "differs" if there is no difference: an error.
    pub differs_if_equal: f64,
}

impl Plan {
    /// The plan of a configuration.
    pub fn new(config: &BalanceConfig) -> Self {
        let games: Vec<Relative> = config.games.iter().map(|&game| Relative::of(game)).collect();
        let contrasts = contrasts(&games);
        let comparisons = contrasts.len() * Measure::ALL.len();
        let level = level(comparisons);
        // One agent per game is compared with none.
        let compared = contrasts.iter().filter(|_| config.agents > 1);
        let power = compared.unique_by(|contrast| (contrast.family, contrast.property));
        Self {
            comparisons,
            level,
            power: power
                .map(|contrast| ComparisonPower::new(config, contrast, level))
                .collect(),
        }
    }
}

impl ComparisonPower {
    fn new(config: &BalanceConfig, contrast: &LevelContrast, level: f64) -> Self {
        let pairs = contrast.pairs.len();
        let margin = config.margins.score;
        let games = (0.25 / f64::from(config.measurement.games)).sqrt();
        let spread = BETWEEN_AGENTS.hypot(games);
        let rng = &mut chase_statistics::generator(config.seed, &[contrast.place as u64, pairs as u64]);
        let mut agent = |mean: f64| {
            let standard: f64 = StandardNormal.sample(rng);
            Measured {
                value: mean + spread * standard,
                error: Some(games),
            }
        };
        let (mut half_width, mut within, mut differs, mut wrong) = (0.0, 0.0, 0.0, 0.0);
        for _ in 0..SIMULATED {
            let mut simulated = |truth: f64| {
                let mut numbers = |mean| -> Vec<Measured> { (0..config.agents).map(|_| agent(mean)).collect() };
                let numbers: Vec<[Vec<Measured>; 2]> = (0..pairs).map(|_| [numbers(0.0), numbers(truth)]).collect();
                let numbers: Vec<[&[Measured]; 2]> =
                    numbers.iter().map(|[one, other]| [&one[..], &other[..]]).collect();
                let found = difference(&numbers, level);
                found
                    .expect("there are pairs, and two agents or more of each game")
                    .interval
            };
            let (equal, twice) = (simulated(0.0), simulated(2.0 * margin));
            let says = |interval: &Interval, wanted| {
                f64::from(u8::from(Comparison::of(interval, margin) == wanted)) / f64::from(SIMULATED)
            };
            within += says(&equal, Comparison::Within);
            wrong += says(&equal, Comparison::Differs);
            differs += says(&twice, Comparison::Differs);
            half_width += equal.half_width().expect("a difference has two ends") / f64::from(SIMULATED);
        }
        Self {
            family: contrast.family.to_owned(),
            property: contrast.property.to_owned(),
            pairs,
            between_agents: BETWEEN_AGENTS,
            half_width,
            within_if_equal: within,
            differs_if_twice: differs,
            differs_if_equal: wrong,
        }
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::{Draughts, Game, GameName};

    use super::*;

    #[test]
    fn more_agents_have_more_power_and_no_more_errors() {
        let plan = |agents| {
            let games = GameName::ALL.iter().copied();
            Plan::new(&BalanceConfig {
                agents,
                games: games
                    .filter(|&game| Relative::of(game).family == Draughts::NAME)
                    .collect(),
                ..BalanceConfig::default()
            })
        };
        let (two, five) = (plan(2), plan(5));
        assert_eq!((two.comparisons, two.power.len()), (21, 3));
        assert!((two.level - (1.0 - 0.05 / 21.0)).abs() < 1e-12);
        for (two, five) in two.power.iter().zip(&five.power) {
            assert!(two.half_width > 1.3 * five.half_width, "{two:?} {five:?}");
            assert!(five.within_if_equal > 0.85 && five.differs_if_twice > 0.99, "{five:?}");
            for power in [two, five] {
                assert!(power.differs_if_equal < 0.01, "{power:?}");
            }
        }
        let one = plan(1);
        assert_eq!((one.comparisons, &one.power[..]), (21, &[][..]));
    }
}
