//! What the findings about dice have in common.

use rand::rngs::Xoshiro256PlusPlus;

use super::facts::DiceFacts;
use super::{captures, chamber, material, mobility, shapes};
use crate::rating::Interval;
use crate::seed::generator;
use crate::study::statistics::clusters::{Estimate, Sums};
use crate::study::{ClaimId, Effect, Finding, Verdict};

/// Intervals that decide a claim: for C1, three plies of C2, two parts of C3, C4, C5 and C6.
const DECIDING: f64 = 9.0;

/// Claims C1 to C6, from what happened in finished games of equal players.
#[derive(Clone, Copy, Debug)]
pub struct DiceStudy<'a> {
    /// The games, in any order.
    pub facts: &'a [DiceFacts],
    /// Everything random in the statistics follows from this number.
    pub seed: u64,
}

impl DiceStudy<'_> {
    /// The findings. Who played and what command gives them again is for the caller to add.
    ///
    /// All deciding intervals hold together with a probability of 95 % (Bonferroni).
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = chamber::findings(self);
        findings.extend(material::findings(self));
        findings.extend(captures::findings(self));
        findings.extend(shapes::findings(self));
        findings.extend(mobility::findings(self));
        findings
    }

    /// The level of each interval.
    pub(super) fn level(&self) -> f64 {
        1.0 - 0.05 / DECIDING
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
        format!(
            "{construction}, level {:.2} %, so that the {DECIDING} deciding intervals of claims C1 to C6 hold together with 95 %",
            100.0 * self.level()
        )
    }

    #[allow(clippy::too_many_arguments, reason = "each is a field of the finding")]
    pub(super) fn finding(
        &self,
        claim: ClaimId,
        part: &str,
        verdict: Verdict,
        summary: String,
        estimate: Option<Estimate>,
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
            unit: "share".to_owned(),
            value: estimate.value,
            interval: estimate.interval,
            level: estimate.interval.map(|_| self.level()),
        };
        let test = format!("{test}; {} blocks of games", estimate.blocks);
        finding.with_effect(effect).with_test(estimate.observations, unit, test)
    }
}

/// The verdict on the statement that what is estimated is greater than a threshold.
pub(super) fn verdict(estimate: Option<Estimate>, threshold: f64) -> Verdict {
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
pub(super) fn percent(estimate: &Estimate) -> String {
    format!("{:.1} %{}", 100.0 * estimate.value, range(estimate.interval, 100.0, 1))
}

/// A difference of shares or scores with its interval, in percentage points, with a sign.
pub(super) fn points(estimate: &Estimate) -> String {
    format!("{:+.1}{}", 100.0 * estimate.value, range(estimate.interval, 100.0, 1))
}

/// ` (1.0 to 2.0)`, each end times `factor`; empty without an interval.
pub(super) fn range(interval: Option<Interval>, factor: f64, digits: usize) -> String {
    let end = |end: Option<f64>| end.map_or("no bound".to_owned(), |end| format!("{:.digits$}", factor * end));
    interval.map_or(String::new(), |Interval { low, high }| {
        format!(" ({} to {})", end(low), end(high))
    })
}
