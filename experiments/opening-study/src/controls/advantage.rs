//! The test of A1 in worlds made of the study's own games, in which the first player's true score is known.

use chase_statistics::Verdict;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::colours::{exchange_colours, favour_white};
use super::error_share::ErrorShare;
use super::played_games::{Judge, PlayedGames};
use super::verdict_counts::VerdictCounts;
use crate::EffectUnit;
use crate::claims::method::plan::assumed;
use crate::evidence::games::{Design, GameFacts, SeriesId};

/// The truth about the first player's advantage in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdvantageWorld {
    /// There is none: the true score is 50 %.
    None,
    /// The true score is the threshold of A1. This is where a test errs most often.
    Threshold,
    /// The true score is above the threshold by twice the margin: little, but twice what matters.
    Small,
    /// The true score is above the threshold by the ten points with which the study plans its tests.
    Planned,
}

/// The verdicts on A1 in worlds of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdvantageControl {
    /// The kind.
    pub world: AdvantageWorld,
    /// The first player's true score.
    pub true_score: f64,
    /// The verdicts.
    pub verdicts: VerdictCounts,
    /// The wrong verdicts among them: *supported* without an advantage, *refuted* with one, and either on the threshold.
    pub wrong: ErrorShare,
}

/// Changes the facts of a game to those in the world with this number.
type ToldBy<'a> = &'a (dyn Fn(u64, SeriesId, usize, &mut GameFacts) + Sync);

impl AdvantageWorld {
    /// All kinds, from the smallest true score on.
    pub const ALL: [Self; 4] = [Self::None, Self::Threshold, Self::Small, Self::Planned];

    /// The true score that worlds of this kind aim at.
    fn aim(self, design: &Design) -> f64 {
        let threshold = design.advantage_threshold();
        match self {
            Self::None => 0.5,
            Self::Threshold => threshold,
            Self::Small => threshold + 2.0 * design.config.margin,
            Self::Planned => threshold + assumed(EffectUnit::Score).0,
        }
    }

    const fn is_wrong(self, counts: &VerdictCounts) -> u32 {
        match self {
            Self::None => counts.supported,
            Self::Threshold => counts.supported + counts.refuted,
            Self::Small | Self::Planned => counts.refuted,
        }
    }
}

impl AdvantageControl {
    /// All kinds of worlds, `worlds` of each. A kind is left out if too few games are decided for its score.
    pub(super) fn all(games: &PlayedGames<'_>, design: &Design, worlds: u32, judge: Judge<'_>) -> Vec<Self> {
        let decided = games.decided();
        let of = |world: AdvantageWorld| {
            let share = 0.5 + (world.aim(design) - 0.5) / decided.max(f64::MIN_POSITIVE);
            let seed = design.seed;
            let told: ToldBy<'_> = match world {
                AdvantageWorld::None => &|number, series, game, facts| {
                    exchange_colours(&[seed, number], series, game, facts);
                },
                _ if share > 1.0 => return None,
                _ => &|number, series, game, facts| {
                    favour_white(share, &[seed, number, world as u64], series, game, facts);
                },
            };
            Some(Self::of(world, games, design, worlds, told, judge))
        };
        AdvantageWorld::ALL.into_iter().filter_map(of).collect()
    }

    /// Worlds of one kind. `told` makes them.
    pub(super) fn of(
        world: AdvantageWorld,
        games: &PlayedGames<'_>,
        design: &Design,
        worlds: u32,
        told: ToldBy<'_>,
        judge: Judge<'_>,
    ) -> Self {
        let verdict =
            |number: u32| games.verdict(&|series, game, facts| told(number.into(), series, game, facts), judge);
        let verdicts: Vec<Verdict> = (0..worlds).into_par_iter().map(verdict).collect();
        let verdicts: VerdictCounts = verdicts.into_iter().collect();
        Self {
            world,
            true_score: world.aim(design),
            wrong: ErrorShare::of(world.is_wrong(&verdicts), worlds, design.config.error),
            verdicts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::advantage_verdict;
    use crate::claims::method::games::GamesAnalysis;
    use crate::claims::method::world::{self, Truth};
    use crate::evidence::games::Series;

    const WORLDS: u32 = 20;

    /// Calls `test` with games of one player, in which White scores 60 %.
    fn with_games(test: impl Fn(&PlayedGames<'_>, &Design)) {
        let design = world::design();
        let series = design.series();
        let truth = |_: &Series| Truth {
            score: 0.6,
            ..Truth::default()
        };
        let games = world::games(1, &series, truth);
        test(
            &PlayedGames::of(&GamesAnalysis::new(&design, &series, &games, "")),
            &design,
        );
    }

    fn exchange(number: u64, series: SeriesId, game: usize, facts: &mut GameFacts) {
        exchange_colours(&[1, number], series, game, facts);
    }

    #[test]
    fn a_sound_test_passes_its_controls() {
        with_games(|games, design| {
            let controls = AdvantageControl::all(games, design, WORLDS, &advantage_verdict);
            let kinds: Vec<AdvantageWorld> = controls.iter().map(|control| control.world).collect();
            assert_eq!(kinds, AdvantageWorld::ALL);
            let scores: Vec<f64> = controls.iter().map(|control| control.true_score).collect();
            for (score, expected) in scores.iter().zip([0.5, 0.52, 0.56, 0.62]) {
                assert!((score - expected).abs() < 1e-9, "{scores:?}");
            }
            for control in &controls {
                assert!(!control.wrong.failed, "{control:?}");
                assert_eq!(control.verdicts.worlds(), WORLDS);
            }
            assert_eq!(controls[0].verdicts.supported, 0, "{controls:?}");
            let supported = |control: &AdvantageControl| control.verdicts.supported;
            assert!(supported(&controls[3]) >= supported(&controls[2]), "{controls:?}");
        });
    }

    /// A truth that is not the stated one, and tests that do not look at the games.
    #[test]
    fn what_is_broken_fails_its_control() {
        with_games(|games, design| {
            let of = |world, told: ToldBy<'_>, judge: Judge<'_>| {
                AdvantageControl::of(world, games, design, WORLDS, told, judge).wrong
            };
            let favour = |number: u64, series: SeriesId, game: usize, facts: &mut GameFacts| {
                favour_white(0.9, &[1, number], series, game, facts);
            };
            let told_otherwise = of(AdvantageWorld::None, &favour, &advantage_verdict);
            assert!(told_otherwise.failed, "{told_otherwise:?}");
            let oppressed = |number: u64, series: SeriesId, game: usize, facts: &mut GameFacts| {
                favour_white(0.1, &[1, number], series, game, facts);
            };
            assert!(of(AdvantageWorld::Planned, &oppressed, &advantage_verdict).failed);
            assert!(of(AdvantageWorld::None, &exchange, &|_| Verdict::Supported).failed);
            assert!(of(AdvantageWorld::Threshold, &exchange, &|_| Verdict::Refuted).failed);
            assert!(of(AdvantageWorld::Small, &favour, &|_| Verdict::Refuted).failed);
            assert!(!of(AdvantageWorld::None, &exchange, &advantage_verdict).failed);
        });
    }

    /// The coin is fair, and the share of decided games is the one that the true score needs.
    #[test]
    fn the_planted_score_is_the_true_one() {
        with_games(|games, design| {
            let decided = games.decided();
            assert!((0.85..=1.0).contains(&decided), "{decided}");
            let mut sum = [0.0; 2];
            for number in 0..50_u64 {
                let mean = |told: &(dyn Fn(SeriesId, usize, &mut GameFacts) + Sync)| {
                    let mean = std::sync::Mutex::new(0.0);
                    games.verdict(told, &|analysis| {
                        let pool = crate::claims::method::games::Pool::all(design);
                        let scores = analysis.mixed_blocks(&pool).scores;
                        if let Ok(mut mean) = mean.lock() {
                            *mean = scores.iter().sum::<f64>() / scores.len() as f64;
                        }
                        Verdict::Inconclusive
                    });
                    mean.into_inner().unwrap_or_default()
                };
                sum[0] += mean(&|series, game, facts| exchange(number, series, game, facts));
                let share = 0.5 + 0.06 / decided;
                sum[1] += mean(&|series, game, facts| favour_white(share, &[number], series, game, facts));
            }
            // Some 40 blocks of four games in each world: the mean of all has an error of half a point.
            for (sum, truth) in sum.iter().zip([0.5, 0.56]) {
                assert!((sum / 50.0 - truth).abs() < 0.02, "{sum} {truth}");
            }
        });
    }
}
