//! What the findings about dice have in common.

use rand::rngs::Xoshiro256PlusPlus;

use super::facts::DiceFacts;
use crate::{ClaimId, Effect, Finding, Unit};
use chase_statistics::Interval;
use chase_statistics::Verdict;
use chase_statistics::clusters::{ClusterEstimate, Sums};
use chase_statistics::generator;

/// Intervals that decide a claim: for C1, three plies of C2, two parts of C3, C4, C5, C6 and D3.
const DECIDING: f64 = 10.0;

/// Claims C1 to C6 and D3, from what happened in finished games of equal players.
#[derive(Clone, Copy, Debug)]
pub struct DiceStudy<'a> {
    /// The games, in any order.
    pub facts: &'a [DiceFacts],
    /// Everything random in the statistics follows from this number.
    pub seed: u64,
    /// Studies that are asked the same, one for each of several agents, and share the error: 1 for that which decides.
    pub shared_by: usize,
    /// How often the study was enlarged after its verdicts had been seen. Each time the error is halved, for these intervals
    /// are for one look: all looks together err at most twice as often as the first.
    pub enlarged: usize,
}

impl DiceStudy<'_> {
    /// The level at which all deciding intervals hold together.
    fn level_together(&self) -> f64 {
        1.0 - 0.05 / 2_f64.powi(self.enlarged as i32)
    }

    /// The level of each interval.
    pub(super) fn level(&self) -> f64 {
        1.0 - (1.0 - self.level_together()) / (DECIDING * self.shared_by.max(1) as f64)
    }

    /// A generator for one of the bootstraps.
    pub(super) fn rng(&self, number: u64) -> Xoshiro256PlusPlus {
        generator(self.seed, &[number])
    }

    /// Sums over the games of each block.
    pub(super) fn by_block<const N: usize>(&self, add: impl Fn(&DiceFacts, &mut [Sums; N])) -> Vec<[Sums; N]> {
        let mut blocks = std::collections::BTreeMap::new();
        for facts in self.facts {
            add(facts, blocks.entry(facts.block).or_insert([Sums::default(); N]));
        }
        blocks.into_values().collect()
    }

    /// The interval's construction, for the description of a test.
    pub(super) fn method(&self, construction: &str) -> String {
        let again = match self.enlarged {
            0 => String::new(),
            times => format!("; the study was enlarged {times} times after a look, and the error halved each time"),
        };
        format!(
            "{construction}, level {:.2} %, so that the {DECIDING} deciding intervals of claims C1 to C6 and D3 hold together with \
             {} %{again}",
            100.0 * self.level(),
            100.0 * self.level_together()
        )
    }

    #[allow(clippy::too_many_arguments, reason = "each is a field of the finding")]
    pub(super) fn finding(
        &self,
        claim: ClaimId,
        part: &str,
        verdict: Verdict,
        summary: String,
        estimate: Option<ClusterEstimate>,
        effect: &str,
        unit: &str,
        test: String,
    ) -> Finding {
        let finding = Finding::empirical(claim, part, verdict, summary);
        let Some(estimate) = estimate else {
            return finding.with_test(0, unit, test);
        };
        let effect = Effect {
            name: effect.to_owned(),
            unit: Unit::Share,
            value: estimate.value,
            interval: estimate.interval,
            level: estimate.interval.map(|_| self.level()),
            error: Some(estimate.error),
        };
        let test = format!("{test}; {} blocks of games", estimate.blocks);
        finding.with_effect(effect).with_test(estimate.observations, unit, test)
    }
}

/// The verdict on the statement that what is estimated is greater than a threshold.
pub(super) fn verdict(estimate: Option<ClusterEstimate>, threshold: f64) -> Verdict {
    let interval = estimate.and_then(|estimate| estimate.interval);
    interval.map_or(Verdict::Inconclusive, |interval| {
        Verdict::greater_than(&interval, threshold)
    })
}

/// The opposite verdict: on the statement that it is not so.
pub(super) const fn opposite(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Supported => Verdict::Refuted,
        Verdict::Refuted => Verdict::Supported,
        Verdict::Inconclusive => Verdict::Inconclusive,
    }
}

/// A share with its interval, in percent.
pub(super) fn percent(estimate: &ClusterEstimate) -> String {
    format!("{:.1} %{}", 100.0 * estimate.value, range(estimate.interval, 100.0, 1))
}

/// A difference of shares or scores with its interval, in percentage points, with a sign.
pub(super) fn points(estimate: &ClusterEstimate) -> String {
    format!("{:+.1}{}", 100.0 * estimate.value, range(estimate.interval, 100.0, 1))
}

/// ` (1.0 to 2.0)`, each end times `factor`; empty without an interval.
pub(super) fn range(interval: Option<Interval>, factor: f64, digits: usize) -> String {
    let end = |end: Option<f64>| end.map_or("no bound".to_owned(), |end| format!("{:.digits$}", factor * end));
    interval.map_or(String::new(), |Interval { low, high }| {
        format!(" ({} to {})", end(low), end(high))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::Player;
    use chase_engine::chase::Speed;
    use rand::RngExt;

    use super::*;
    use crate::Role;
    use crate::dice::{Capture, ChamberEntry, EntryTable, Formation, MobilityTable, Shape};
    use chase_statistics::regression::expected_score;

    /// By how much everything in a world lies above what the claims ask for; C3's second part below it.
    struct World {
        above: f64,
    }

    impl World {
        /// Games in blocks that have a fortune of their own, but for results of games.
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
            let mut mobility = MobilityTable::default();
            for _ in 0..4 {
                mobility.add_die(6, 6, happens(0.1 + above + fortune), false);
                mobility.add_die(6, 1, happens(0.08 + fortune), false);
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
                Shape {
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

        /// Verdicts on what decides, without C2 at two of its three plies, which say the same here.
        fn verdicts(&self, seed: u64) -> Vec<(String, Verdict)> {
            let facts = self.facts(&mut generator(seed, &[0]));
            let study = study(&facts, seed);
            let findings = study.findings().into_iter();
            let deciding = findings.filter(|finding| finding.role == Role::Deciding);
            deciding.map(|finding| (finding.part, finding.verdict)).collect()
        }
    }

    fn study(facts: &[DiceFacts], seed: u64) -> DiceStudy<'_> {
        DiceStudy {
            facts,
            seed,
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
        assert!((level(1, 0) - 0.995).abs() < 1e-12 && (level(2, 0) - 0.9975).abs() < 1e-12);
        // However often it is enlarged, all looks together err with 10 % at most.
        let all: f64 = (0..50).map(|times| DECIDING * (1.0 - level(1, times))).sum();
        assert!((all - 0.1).abs() < 1e-9, "{all}");
    }

    #[test]
    fn false_verdicts_are_as_rare_as_promised() {
        // Everything lies exactly where a claim would begin to hold, so that every verdict is false.
        let worlds = 60;
        let at_the_threshold = World { above: 0.0 };
        let fails = |world: &u64| {
            let verdicts = at_the_threshold.verdicts(*world);
            assert_eq!(verdicts.len(), DECIDING as usize);
            verdicts.iter().any(|(_, verdict)| *verdict != Verdict::Inconclusive)
        };
        let failed = (0..worlds).filter(fails).count() as f64;
        let promised = 0.05 * worlds as f64;
        assert!(failed <= promised + 4.0 * promised.sqrt(), "{failed} of {worlds}");
    }

    #[test]
    fn what_is_true_is_found() {
        for (above, expected) in [(0.2, Verdict::Supported), (-0.06, Verdict::Refuted)] {
            let verdicts = World { above }.verdicts(1);
            // Shares near 0 are far from certain in so few games: refuted is asked for where effects are means.
            let asked = verdicts
                .iter()
                .filter(|(part, _)| expected == Verdict::Supported || part.contains("take"));
            for (part, verdict) in asked {
                assert_eq!(*verdict, expected, "{part}, {above}");
            }
        }
    }

    #[test]
    fn without_games_nothing_is_said() {
        for finding in study(&[], 1).findings() {
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
