//! Common parts of the findings about dice.

use std::collections::BTreeSet;

use rand::rngs::Xoshiro256PlusPlus;

use super::plan::LEAST_POWER;
use crate::evidence::dice::DiceFacts;
use crate::{ClaimId, Effect, EffectUnit, Finding, TestEvidence};
use chase_report::number;
use chase_statistics::clusters::{BlockSums, ClusterEstimate};
use chase_statistics::{FindingPlan, Interval, LookPlan, PlannedStatistic, Verdict, generator};

/// Intervals that decide a claim: by forks one each for C1, C2 and C4 and three for C3, by facts of games one each for
/// C5 and C6.
pub const DECIDING: f64 = 8.0;

/// Standard deviation of a block's share assumed in plans: in study 0015 it was a quarter of that.
const DEVIATION: f64 = 0.05;
/// Distance of shares from the threshold in the worlds of a plan.
const DISTANCE: f64 = 0.05;

/// Claims C5 and C6, and context of C1 to C4 and D3, from facts of finished games of equal players.
#[derive(Clone, Copy, Debug)]
pub struct DiceStudy<'a> {
    /// The games, in any order.
    pub facts: &'a [DiceFacts],
    /// Seed of all randomness in the statistics.
    pub seed: u64,
    /// Studies with the same tests that share the error, one for each of several agents: 1 for the one that decides.
    pub shared_by: usize,
    /// Number of times that the study was enlarged after its verdicts had been seen. Each time the error is halved,
    /// since these intervals are for one look: all looks together have at most twice the error of the first.
    pub enlarged: usize,
}

impl DiceStudy<'_> {
    /// The simultaneous level of all deciding intervals.
    fn level_together(&self) -> f64 {
        1.0 - 0.05 / 2_f64.powi(self.enlarged as i32)
    }

    /// The level of each interval.
    pub(crate) fn level(&self) -> f64 {
        1.0 - (1.0 - self.level_together()) / (DECIDING * self.shared_by.max(1) as f64)
    }

    /// A generator for one of the bootstraps.
    pub(crate) fn rng(&self, number: u64) -> Xoshiro256PlusPlus {
        generator(self.seed, &[number])
    }

    /// Sums over the games of each block.
    pub(crate) fn by_block<const N: usize>(
        &self,
        add: impl Fn(&DiceFacts, &mut [BlockSums; N]),
    ) -> Vec<[BlockSums; N]> {
        let mut blocks = std::collections::BTreeMap::new();
        for facts in self.facts {
            add(facts, blocks.entry(facts.block).or_insert([BlockSums::default(); N]));
        }
        blocks.into_values().collect()
    }

    /// A finding on a share or a difference of shares. It decides if the test can come out either way: greater or less
    /// than a threshold by five points, with the given number of blocks.
    pub(crate) fn deciding(&self, finding: Finding, threshold: f64) -> Finding {
        let finding = finding.with_test_evidence(TestEvidence {
            threshold: Some(threshold),
            ..TestEvidence::default()
        });
        let blocks: BTreeSet<u64> = self.facts.iter().map(|facts| facts.block).collect();
        let plan = FindingPlan {
            statistic: PlannedStatistic::Look(LookPlan {
                most: 1.0,
                deviation: DEVIATION,
                observations: [blocks.len() as u64, 0],
                least_error: 0.0,
                threshold,
            }),
            error: 1.0 - self.level(),
            holds: threshold + DISTANCE,
            fails: threshold - DISTANCE,
            least_power: LEAST_POWER,
        };
        if finding.n == 0 {
            return finding;
        }
        finding.with_plans(&[plan], 1, self.seed)
    }

    /// The interval's construction, for the description of a test.
    pub(crate) fn method(&self, construction: &str) -> String {
        let again = match self.enlarged {
            0 => String::new(),
            times => format!("; the study was enlarged {times} times after a look, and the error halved each time"),
        };
        format!(
            "{construction}, level {:.2} %, so that the {DECIDING} deciding intervals of claims C1 to C6 hold together with {} %{again}",
            100.0 * self.level(),
            100.0 * self.level_together()
        )
    }

    #[allow(clippy::too_many_arguments, reason = "each is a field of the finding")]
    pub(crate) fn finding(
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
            unit: EffectUnit::Share,
            value: estimate.value,
            interval: estimate.interval,
            level: estimate.interval.map(|_| self.level()),
            error: Some(estimate.error),
        };
        let test = format!("{test}; {} blocks of games", estimate.blocks);
        finding.with_effect(effect).with_test(estimate.observations, unit, test)
    }
}

/// The verdict on the statement that the estimated quantity is greater than a threshold.
pub(crate) fn verdict(estimate: Option<ClusterEstimate>, threshold: f64) -> Verdict {
    let interval = estimate.and_then(|estimate| estimate.interval);
    interval.map_or(Verdict::Inconclusive, |interval| {
        Verdict::greater_than(&interval, threshold)
    })
}

/// The opposite verdict: on the negated statement.
pub(crate) const fn opposite(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Supported => Verdict::Refuted,
        Verdict::Refuted => Verdict::Supported,
        Verdict::Inconclusive => Verdict::Inconclusive,
    }
}

/// A share with its interval, in per cent.
pub(crate) fn percent(estimate: &ClusterEstimate) -> String {
    format!("{:.1} %{}", 100.0 * estimate.value, range(estimate.interval, 100.0, 1))
}

/// A difference of shares or scores with its interval, in percentage points, with a sign.
pub(crate) fn points(estimate: &ClusterEstimate) -> String {
    number::difference(100.0 * estimate.value, 1) + &range(estimate.interval, 100.0, 1)
}

/// ` [1.0, 2.0]`, each end times `factor`; empty without an interval.
pub(crate) fn range(interval: Option<Interval>, factor: f64, digits: usize) -> String {
    let write = |end: f64| number::decimal(factor * end, digits);
    interval.map_or(String::new(), |interval| {
        format!(" {}", number::interval(&interval, write))
    })
}
