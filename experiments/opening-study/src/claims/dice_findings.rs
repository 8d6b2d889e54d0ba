//! Findings about dice from the games of a study: claims C5 and C6, and context of C1 to C4 and D3.

use super::games_study::GamesStudy;
use super::method::agents;
use super::method::dice::DiceStudy;
use crate::Finding;
use crate::claim_test::tests;
use crate::evidence::dice::DiceFacts;

/// Findings about dice from the games of a study: those of all its players together, with the finding of each alone.
///
/// Blocks are games with the same number, of any player: every agent has an equal part in each, so the variation
/// between agents does not enter the intervals, which are about these agents.
///
/// `command` becomes the command that reproduces the findings.
pub fn findings(games: &GamesStudy, command: &str) -> Vec<Finding> {
    let design = &games.design;
    let names: Vec<&str> = design
        .main_players()
        .map(|player| design.players[player].name.as_str())
        .collect();
    agents::together_and_apart(&names, |player, shared_by| {
        let of_player = games
            .dice
            .iter()
            .filter(|facts| player.is_none_or(|player| facts.player == player));
        let facts: Vec<DiceFacts> = of_player.cloned().collect();
        let study = DiceStudy {
            facts: &facts,
            seed: design.seed,
            error: design.config.error,
            shared_by,
            enlarged: design.raised.len(),
        };
        of_study(&study)
            .into_iter()
            .map(|finding| finding.with_command(command))
            .collect()
    })
}

/// The findings, to which the caller adds the players and the command.
///
fn of_study(study: &DiceStudy<'_>) -> Vec<Finding> {
    let asked = tests()
        .iter()
        .filter_map(|test| Some(study.with_table(study.ask(test)?, test.dice?)));
    asked.chain(study.regressions()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::Player;
    use chase_engine::chase::Speed;
    use rand::RngExt;

    use super::*;
    use crate::evidence::dice::{
        Capture, ChamberEntry, EntryTable, Formation, Formations, MobilityCounts, MobilityTable,
    };
    use crate::{ClaimId, Role};
    use chase_statistics::regression::expected_score;
    use chase_statistics::{Verdict, generator};
    use rand::rngs::Xoshiro256PlusPlus;

    /// Deciding intervals from games: C1, C5 and C6.
    const BY_GAMES: usize = 3;

    /// A world in which every effect exceeds the claims' thresholds by this much; C3's second part falls below by it.
    struct World {
        above: f64,
    }

    impl World {
        /// Games in blocks with a random effect each, except on the results of games.
        fn facts(&self, rng: &mut Xoshiro256PlusPlus) -> Vec<DiceFacts> {
            let mut facts = Vec::new();
            for block in 0..60 {
                let fortune = 0.04 * (rng.random::<f64>() - 0.5);
                facts.extend((0..4).map(|_| self.game(block, fortune, rng)));
            }
            facts
        }

        fn game(&self, block: u64, fortune: f64, rng: &mut Xoshiro256PlusPlus) -> DiceFacts {
            let above = self.above;
            let mut happens = |probability: f64| rng.random::<f64>() < probability;
            let lead = i32::from(happens(0.5)) + i32::from(happens(0.5)) - 1;
            let logit = (0.52_f64 / 0.48).ln() + 10.0 * above;
            let white_wins = happens(expected_score(logit * f64::from(lead)));
            let entry = ChamberEntry {
                player: Player::White,
                speed: Speed::FOUR,
                exposed: true,
                lost: happens(0.25 + above + fortune),
            };
            let ordinary_lost = (0..5).map(|_| u32::from(happens(0.2 + fortune))).sum();
            let die = |stuck: bool, unsafe_everywhere: bool| MobilityCounts {
                dice: 1,
                stuck: stuck.into(),
                attacked: unsafe_everywhere.into(),
                unsafe_everywhere: unsafe_everywhere.into(),
            };
            let mut mobility = MobilityTable::default();
            for _ in 0..4 {
                mobility.add_dice(
                    6,
                    6,
                    die(happens(0.1 + above + fortune), happens(0.08 + above + fortune)),
                );
                mobility.add_dice(6, 1, die(happens(0.08 + fortune), happens(0.08 + fortune)));
            }
            let mut entries = EntryTable::default();
            for _ in 0..6 {
                entries.add_die(5, happens(0.1 + above + fortune));
                entries.add_die(4, happens(0.1 + fortune));
            }
            let mut noise = |size: f64| size * (rng.random::<f64>() - 0.5);
            let capture = |taker, taken, change| Capture {
                player: Player::White,
                taker,
                taken,
                change: Some(change),
            };
            let captures = vec![
                capture(Speed::ONE, Speed::FOUR, 0.01 + above / 2.0 + fortune + noise(0.2)),
                capture(Speed::SIX, Speed::ONE, 0.01 - above / 2.0 + fortune + noise(0.2)),
            ];
            let shapes = (0..3).map(|index| {
                let mut count = || noise(5.0).round() as i32;
                let difference = Formation {
                    dice: count(),
                    middle: count(),
                    adjacent: count(),
                    clumped: count(),
                };
                let clumps = (0.005 + above / 4.0) * f64::from(difference.clumped);
                Formations {
                    difference,
                    to_move: Player::BOTH[index % 2],
                    score: Some(0.5 + clumps + 0.01 * f64::from(difference.dice) + fortune + noise(0.1)),
                }
            });
            DiceFacts {
                player: 0,
                block,
                score: Some(f64::from(u8::from(white_wins))),
                entry: Some(entry),
                ordinary_moves: 5,
                ordinary_lost,
                leads: [Some(lead); 3],
                captures,
                shapes: shapes.collect(),
                mobility,
                entries,
            }
        }

        fn findings(&self, seed: u64) -> Vec<Finding> {
            let facts = self.facts(&mut generator(seed, &[0]));
            of_study(&study(&facts, seed))
        }
    }

    fn study(facts: &[DiceFacts], seed: u64) -> DiceStudy<'_> {
        DiceStudy {
            facts,
            seed,
            error: 0.05,
            shared_by: 1,
            enlarged: 0,
        }
    }

    #[test]
    fn looks_and_agents_share_the_error() {
        let once = study(&[], 1);
        let level = |shared_by, enlarged| {
            DiceStudy {
                shared_by,
                enlarged,
                ..once
            }
            .level()
        };
        assert!((level(1, 0) - 0.95).abs() < 1e-12 && (level(2, 0) - 0.975).abs() < 1e-12);
        // However often it is enlarged, all looks together have an error of at most 10 %.
        let all: f64 = (0..50).map(|times| 1.0 - level(1, times)).sum();
        assert!((all - 0.1).abs() < 1e-9, "{all}");
    }

    #[test]
    fn false_verdicts_are_as_rare_as_promised() {
        // Every effect lies exactly at a claim's threshold, so that every verdict is false.
        let worlds = 60;
        let at_the_threshold = World { above: 0.0 };
        let fails = |world: &u64| {
            let findings = at_the_threshold.findings(*world).into_iter();
            let deciding: Vec<_> = findings.filter(|finding| finding.role == Role::Deciding).collect();
            assert_eq!(deciding.len(), BY_GAMES);
            deciding.iter().any(|finding| finding.verdict != Verdict::Inconclusive)
        };
        let failed = (0..worlds).filter(fails).count() as f64;
        let promised = 0.05 * BY_GAMES as f64 * worlds as f64;
        assert!(failed <= promised + 4.0 * promised.sqrt(), "{failed} of {worlds}");
    }

    #[test]
    fn what_is_true_is_found() {
        for (above, expected, tests) in [(0.2, Verdict::Supported, 4), (-0.06, Verdict::Refuted, 3)] {
            // In so few games shares near 0 are far from certain: refuted is required where effects are means.
            let findings = World { above }.findings(1).into_iter();
            let asked = findings.filter(|finding| match expected {
                Verdict::Supported => finding.role == Role::Deciding || finding.part.contains("entries"),
                _ => finding.part.contains(" take ") || finding.claim == ClaimId::C6,
            });
            let mut count = 0;
            for finding in asked {
                assert_eq!(finding.verdict, expected, "{}, {above}", finding.part);
                count += 1;
            }
            assert_eq!(count, tests);
        }
    }

    #[test]
    fn without_games_nothing_is_said() {
        for finding in of_study(&study(&[], 1)) {
            assert_eq!(
                (finding.verdict, finding.n),
                (Verdict::Inconclusive, 0),
                "{}",
                finding.part
            );
            assert!(finding.effect.is_none() && !finding.summary.is_empty());
        }
    }
}
