//! Effects of properties of games: differences between games that differ in nothing else.
//!
//! A comparison of two levels of a property takes all pairs of games of a family that differ in this property alone, and
//! averages their differences. So it assumes nothing about how properties act together: with all 18 draughts games it is
//! the main effect. Agents are the units. The variance of each game's mean is that between its agents, every game its own
//! (no common variance is assumed), and the number of degrees of freedom is Satterthwaite's. The error of 5 % is shared
//! by all comparisons (Bonferroni).

use chase_statistics::{Interval, student_quantile};
use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::config::MarginsConfig;
use crate::measured_number::Measured;
use crate::variants::Relative;

/// Probability that any interval of all comparisons misses.
const ERROR: f64 = 0.05;

/// A number of games that comparisons are about; at the larger budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The first player's score.
    Score,
    /// The share of draws.
    Draws,
    /// The plies of a game.
    Plies,
}

impl Measure {
    /// All measures.
    pub const ALL: [Self; 3] = [Self::Score, Self::Draws, Self::Plies];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Score => "first player's score",
            Self::Draws => "share of draws",
            Self::Plies => "length of a game",
        }
    }

    /// The possible differences.
    const fn range(self) -> Interval {
        let (low, high) = match self {
            Self::Score | Self::Draws => (Some(-1.0), Some(1.0)),
            Self::Plies => (None, None),
        };
        Interval { low, high }
    }

    /// The difference that would matter.
    pub const fn margin(self, margins: &MarginsConfig) -> f64 {
        match self {
            Self::Score => margins.score,
            Self::Draws => margins.draws,
            Self::Plies => margins.plies,
        }
    }
}

/// The verdict of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Comparison {
    /// The interval of the difference excludes 0.
    Differs,
    /// The whole interval is within the margin: they do not differ by more than it. This goes before
    /// [`Comparison::Differs`]: a difference that is too small to matter is not reported as one.
    Within,
    /// Neither.
    Undecided,
}

impl Comparison {
    /// The conclusion from an interval.
    pub fn of(interval: &Interval, margin: f64) -> Self {
        match (interval.low, interval.high) {
            (Some(low), Some(high)) if -margin <= low && high <= margin => Self::Within,
            _ if !interval.contains(0.0) => Self::Differs,
            _ => Self::Undecided,
        }
    }
}

/// Games of one level of a property against games of another one, which differ in nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelContrast {
    pub family: &'static str,
    /// The property, by its place among those of the family, and its name.
    pub place: usize,
    pub property: &'static str,
    /// The two levels.
    pub levels: [&'static str; 2],
    /// The pairs of games, each as the places of both among the games that were given.
    pub pairs: Vec<[usize; 2]>,
}

/// A difference between two levels of a property.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PropertyEffect {
    /// The name of the games that differ in it.
    pub family: &'static str,
    /// The name of the property.
    pub property: &'static str,
    /// The level that is subtracted.
    pub from: &'static str,
    /// The other level.
    pub to: &'static str,
    /// The number that is compared.
    pub measure: Measure,
    /// Pairs of games that differ in the property alone.
    pub pairs: usize,
    /// Agents of these games.
    pub agents: usize,
    /// The number at `to` minus that at `from`, mean over the pairs.
    pub difference: f64,
    /// Its standard error.
    pub error: f64,
    /// Degrees of freedom of the error.
    pub freedom: f64,
    /// Its interval; all intervals of the study hold together with 95 %.
    pub interval: Interval,
    /// The difference that would matter.
    pub margin: f64,
    /// The verdict, from the interval.
    pub comparison: Comparison,
}

/// All comparisons that some games allow.
pub(crate) fn contrasts(games: &[Relative]) -> Vec<LevelContrast> {
    let mut found = Vec::new();
    for first in games.iter().unique_by(|game| game.family) {
        for (place, property) in first.properties.iter().enumerate() {
            for (from, to) in (0..property.levels.len()).tuple_combinations() {
                let pair = |(number, game): (usize, &Relative)| {
                    let differs = |other| game.differs_from(other, place, [from, to]);
                    Some([number, games.iter().position(differs)?])
                };
                let pairs: Vec<[usize; 2]> = games
                    .iter()
                    .enumerate()
                    .filter(|(_, game)| game.family == first.family)
                    .filter_map(pair)
                    .collect();
                if !pairs.is_empty() {
                    found.push(LevelContrast {
                        family: first.family,
                        place,
                        property: property.name,
                        levels: [from, to].map(|level| property.levels[level]),
                        pairs,
                    });
                }
            }
        }
    }
    found
}

/// The level of each interval if this many comparisons hold together.
pub(crate) fn level(comparisons: usize) -> f64 {
    1.0 - ERROR / comparisons.max(1) as f64
}

/// A difference with its error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Difference {
    pub difference: f64,
    pub error: f64,
    pub freedom: f64,
    pub interval: Interval,
}

/// The mean difference over pairs of games, the second of a pair minus the first, from the numbers of their agents.
/// `None` without pairs, or if a game has fewer than two agents.
pub(crate) fn difference(pairs: &[[&[Measured]; 2]], level: f64) -> Option<Difference> {
    let weight = 1.0 / pairs.len() as f64;
    let (mut mean, mut total, mut squares, mut by_games, mut freedom) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for pair in pairs {
        for (agents, sign) in pair.iter().zip([-1.0, 1.0]) {
            let n = agents.len() as f64;
            if n < 2.0 {
                return None;
            }
            let of_game = agents.iter().map(|agent| agent.value).sum::<f64>() / n;
            let variance = agents.iter().map(|agent| (agent.value - of_game).powi(2)).sum::<f64>() / (n - 1.0) / n;
            let errors = agents
                .iter()
                .map(|agent| agent.error.unwrap_or(0.0).powi(2))
                .sum::<f64>()
                / (n * n);
            mean += sign * weight * of_game;
            total += weight * weight * variance;
            squares += (weight * weight * variance).powi(2) / (n - 1.0);
            by_games += weight * weight * errors;
            freedom += n - 1.0;
        }
    }
    // Agents that agree by chance more closely than their games allow do not make it narrower.
    let error = total.max(by_games).sqrt();
    let freedom = if squares > 0.0 {
        total * total / squares
    } else {
        freedom
    };
    if error <= 0.0 || pairs.is_empty() {
        return None;
    }
    let reach = student_quantile(freedom, level)? * error;
    Some(Difference {
        difference: mean,
        error,
        freedom,
        interval: Interval {
            low: Some(mean - reach),
            high: Some(mean + reach),
        },
    })
}

/// The comparisons of all finished games: each game with its properties and, by measure in the order of [`Measure::ALL`],
/// the numbers of its agents. The error is shared by all comparisons that the games allow, finished or not.
pub fn effects(games: &[(Relative, [Vec<Measured>; 3])], margins: &MarginsConfig) -> Vec<PropertyEffect> {
    let relatives: Vec<Relative> = games.iter().map(|(relative, _)| relative.clone()).collect();
    let contrasts = contrasts(&relatives);
    let level = level(contrasts.len() * Measure::ALL.len());
    let mut found = Vec::new();
    for contrast in &contrasts {
        for (place, measure) in Measure::ALL.into_iter().enumerate() {
            let numbers = |game: &usize| &games[*game].1[place][..];
            let pairs: Vec<[&[Measured]; 2]> = contrast
                .pairs
                .iter()
                .map(|[from, to]| [numbers(from), numbers(to)])
                .collect();
            let Some(estimate) = difference(&pairs, level) else {
                continue;
            };
            let margin = measure.margin(margins);
            let interval = estimate.interval.intersection(&measure.range());
            let [from, to] = contrast.levels;
            found.push(PropertyEffect {
                family: contrast.family,
                property: contrast.property,
                from,
                to,
                measure,
                pairs: pairs.len(),
                agents: pairs.iter().flatten().map(|agents| agents.len()).sum(),
                difference: estimate.difference,
                error: estimate.error,
                freedom: estimate.freedom,
                interval,
                margin,
                comparison: Comparison::of(&interval, margin),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use chase_engine::{Draughts, Game, GameName, Property};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand_distr::{Binomial, Distribution, StandardNormal};

    use super::*;
    use crate::BalanceConfig;

    fn all_games() -> Vec<Relative> {
        let games = BalanceConfig::default().games;
        games.into_iter().map(Relative::of).collect()
    }

    fn level_of(game: &Relative, name: &str) -> usize {
        let property = game.properties.iter().find(|known| known.name == name);
        property.expect("of draughts").level
    }

    #[test]
    fn games_are_compared_with_those_that_differ_in_one_thing() {
        let found = contrasts(&all_games());
        let pairs: Vec<usize> = found.iter().map(|contrast| contrast.pairs.len()).collect();
        assert_eq!(pairs, [1, 6, 6, 6, 6, 6, 6, 9]);
        let some = [
            GameName::Checkers,
            GameName::StaxCyl,
            GameName::StaxNum,
            GameName::ConnectFour,
        ];
        assert_eq!(contrasts(&some.map(Relative::of)), []);
        let some = [
            GameName::StaxCyl,
            GameName::ChessCyl,
            GameName::Checkers,
            GameName::CheckersCyl,
            GameName::Chess,
        ];
        let some = some.map(Relative::of);
        let found = contrasts(&some);
        // Families are not mixed: the board of chess is compared apart from the board of draughts.
        let found: Vec<_> = found
            .iter()
            .map(|contrast| (contrast.family, contrast.property, &contrast.pairs[..]))
            .collect();
        assert_eq!(
            found,
            [
                ("draughts", "capture rule", &[[3, 0]][..]),
                ("draughts", "topology", &[[2, 3]][..]),
                ("chess", "topology", &[[4, 1]][..]),
            ]
        );
    }

    #[test]
    fn a_difference_by_hand() {
        let agents = |values: [f64; 2]| values.map(|value| Measured { value, error: None });
        let (one, other) = (agents([0.4, 0.6]), agents([0.6, 0.8]));
        let found = difference(&[[&one, &other]], 0.95).expect("two agents each");
        // Each game's mean has the variance 0.02 / 2; with equal variances there are two degrees of freedom.
        assert!(
            (found.difference - 0.2).abs() < 1e-12 && (found.freedom - 2.0).abs() < 1e-9,
            "{found:?}"
        );
        assert!((found.error - 0.02_f64.sqrt()).abs() < 1e-12, "{found:?}");
        let half = found.interval.half_width().unwrap_or(0.0);
        assert!((half - 4.302_65 * 0.02_f64.sqrt()).abs() < 1e-4, "{half}");
        // Games that vary more than agents do.
        let certain = |value| {
            [Measured {
                value,
                error: Some(0.1),
            }; 2]
        };
        let found = difference(&[[&certain(0.5), &certain(0.5)]], 0.95).expect("errors are known");
        assert!((found.error - 0.1).abs() < 1e-12, "{found:?}");
        assert!(difference(&[[&one, &other[..1]]], 0.95).is_none());
        assert!(difference(&[], 0.95).is_none());
    }

    /// The draughts games of a world: the first player's score is `score` of a game's properties, agents vary around it by `tau`,
    /// and each plays this many games.
    fn world(
        rng: &mut Xoshiro256PlusPlus,
        score: impl Fn(&Relative) -> f64,
        tau: f64,
        agents: usize,
    ) -> Vec<(Relative, [Vec<Measured>; 3])> {
        let games = 64_u64;
        let mut agent = |game: &Relative| {
            let deviation: f64 = StandardNormal.sample(rng);
            let truth = (score(game) + tau * deviation).clamp(0.0, 1.0);
            let wins = Binomial::new(games, truth).map_or(0, |wins| wins.sample(rng));
            let share = wins as f64 / games as f64;
            Measured {
                value: share,
                error: Some((share * (1.0 - share) / games as f64).sqrt()),
            }
        };
        let games = all_games().into_iter().filter(|game| game.family == Draughts::NAME);
        games
            .map(|game| {
                let scores: Vec<Measured> = (0..agents).map(|_| agent(&game)).collect();
                (game, [scores, Vec::new(), Vec::new()])
            })
            .collect()
    }

    /// For 5 agents a game that vary by 0.05 with 64 games each, and 1000 worlds of each kind. Equal games: any
    /// comparison says "differs" in at most 5 % of worlds and three standard errors (7.1 %), and four of five
    /// comparisons say "within" a margin of
    /// 0.1, as the plan of such a study says. A topology that adds 0.2: its two comparisons say "differs" in 90 %, and never
    /// "within"; the other properties still err in at most 7.1 %, though the effects of capture and topology are not
    /// additive. With 3 agents they err as seldom, and say "within" in a quarter only.
    #[test]
    fn comparisons_come_out_either_way_and_err_as_seldom_as_they_say() {
        let margins = MarginsConfig::default();
        let worlds = 1000;
        let run = |kind: u64, agents: usize, score: &dyn Fn(&Relative) -> f64| {
            let (mut false_alarms, mut within, mut differs, mut wrong) = (0, 0, 0, 0);
            for number in 0..worlds {
                let rng = &mut chase_statistics::generator(31, &[kind, number]);
                let found = effects(&world(rng, score, 0.05, agents), &margins);
                assert_eq!(found.len(), 7);
                let truly = |effect: &PropertyEffect| {
                    kind == 1 && effect.property == Property::TOPOLOGY && effect.from == "square"
                };
                false_alarms += u32::from(
                    found
                        .iter()
                        .any(|effect| !truly(effect) && effect.comparison == Comparison::Differs),
                );
                for effect in &found {
                    match (truly(effect), effect.comparison) {
                        (false, Comparison::Within) => within += 1,
                        (true, Comparison::Differs) => differs += 1,
                        (true, Comparison::Within) => wrong += 1,
                        _ => {}
                    }
                }
            }
            [false_alarms, within, differs, wrong].map(|count| f64::from(count) / worlds as f64)
        };
        let [false_alarms, within, ..] = run(0, 5, &|_| 0.55);
        assert!(false_alarms <= 0.071 && within >= 5.6, "{false_alarms} {within}");
        let [false_alarms, within, ..] = run(0, 3, &|_| 0.55);
        assert!(
            false_alarms <= 0.071 && (1.0..3.5).contains(&within),
            "{false_alarms} {within}"
        );
        let [false_alarms, _, differs, wrong] = run(1, 5, &|game| match [Property::TOPOLOGY, "capture rule"]
            .map(|name| level_of(game, name))
        {
            [0, _] => 0.5,
            [1, 1] | [2, 2] => 0.6,
            [1, 2] | [2, 1] => 0.8,
            _ => 0.7,
        });
        assert!(
            false_alarms <= 0.071 && differs >= 1.8 && wrong == 0.0,
            "{false_alarms} {differs} {wrong}"
        );
    }
}
