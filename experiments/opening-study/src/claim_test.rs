//! The tests of the claims. Their content is data: `claims.toml`.

use std::fmt::Display;

use serde::Deserialize;

use super::claims::dice::DiceMeasure;
use super::claims::exact::{ExactFact, Fact};
use super::claims::forks::ForkContrast;
use super::claims::games::GamesContrast;
use super::claims::searches::SearchStatement;
use super::evidence::games::GamesConfig;
use super::finding::Statement;
use super::{Basis, ClaimId, ClaimedSide, Effect, EffectUnit, Finding, Role, Subject};
use chase_report::number;
use chase_statistics::clusters::ClusterEstimate;
use chase_statistics::{Interval, MeanEstimate, Verdict};

/// A test of one part of a claim.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ClaimTest {
    /// The part of the claim.
    pub part: String,
    /// The moves that it concerns, where these are not all moves of the claim.
    about: Option<Subject>,
    /// The quantity; that of forks follows from what they compare.
    effect: Option<Quantity>,
    /// The unit of the sample.
    #[serde(default)]
    sample: String,
    /// The measured quantity and the method; the statistic adds to it.
    #[serde(default)]
    method: String,
    /// The side of the threshold on which the claim holds.
    #[serde(default)]
    claimed: ClaimedSide,
    threshold: Option<Threshold>,
    /// The reason for the threshold.
    why: Option<String>,
    /// Comparisons that share the error of the claim.
    #[serde(default = "one")]
    pub comparisons: usize,
    /// The part of the claim that this is one of several measures of: most of them decide.
    measure_of: Option<String>,
    /// True for what decides only if no other empirical test of the claim was played.
    #[serde(default)]
    stand_in: bool,
    /// True for what is shown only.
    #[serde(default)]
    pub context: bool,
    /// A finding of its own for each of several populations.
    pub each: Option<Each>,
    // The statistic: one of these.
    pub exact: Option<ExactFact>,
    pub games: Option<GamesContrast>,
    pub forks: Option<ForkContrast>,
    pub dice: Option<DiceMeasure>,
    pub search: Option<SearchStatement>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quantity {
    name: String,
    unit: EffectUnit,
}

/// Populations that have findings of their own.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Each {
    /// Every player, those of the curve too.
    Player,
    /// Every other convention, under which the first player plays.
    Convention,
}

/// A number, or a setting of the study that it follows from.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum Threshold {
    Number(f64),
    Setting(Setting),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Setting {
    Margin,
    #[serde(rename = "-margin")]
    MinusMargin,
    DiceMargin,
    #[serde(rename = "-dice-margin")]
    MinusDiceMargin,
    /// One half and the margin.
    Advantage,
    /// One half less the margin.
    Even,
    NotDrawn,
}

const fn one() -> usize {
    1
}

/// An estimate of an effect, by whatever statistic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    pub value: f64,
    /// `None` for too small samples, and for what has no sampling error.
    pub interval: Option<Interval>,
    pub level: f64,
    pub error: Option<f64>,
    /// The sample size.
    pub n: u64,
}

impl From<&MeanEstimate> for Estimate {
    fn from(mean: &MeanEstimate) -> Self {
        // Numbers that are all alike do not show how they vary: as if half a number had been at the other end.
        let (begin, end) = mean.range;
        let error = mean
            .error()
            .max((end - begin) / (2 * mean.n.max(1)) as f64 * f64::from(u8::from(mean.deviation == 0.0)));
        Self {
            value: mean.mean,
            interval: Some(mean.interval),
            level: mean.level,
            error: Some(error),
            n: mean.n,
        }
    }
}

impl Estimate {
    /// An estimate from observations in blocks.
    pub fn of_clusters(clusters: &ClusterEstimate, level: f64) -> Self {
        let error = match clusters.error > 0.0 {
            true => clusters.error,
            // Blocks that are all alike do not show how they vary: as if half a block had differed by one.
            false => 0.5 / clusters.blocks.max(1) as f64,
        };
        Self {
            value: clusters.value,
            interval: clusters.interval,
            level,
            error: Some(error),
            n: clusters.observations,
        }
    }
}

impl ClaimTest {
    /// Replaces the quantity and the unit of the sample by those that follow from what is measured.
    #[must_use]
    pub fn measuring(mut self, name: String, unit: EffectUnit, sample: &str) -> Self {
        self.effect = Some(Quantity { name, unit });
        self.sampling(sample)
    }

    /// Sets the unit of the sample.
    #[must_use]
    pub fn sampling(mut self, sample: &str) -> Self {
        sample.clone_into(&mut self.sample);
        self
    }

    /// Adds to the description of the method.
    #[must_use]
    pub fn by(mut self, method: &str) -> Self {
        let separator = if self.method.is_empty() { "" } else { "; " };
        self.method += &format!("{separator}{method}");
        self
    }

    /// The statement about the effect; `None` for a test that states nothing.
    pub fn statement(&self, config: &GamesConfig) -> Option<Statement> {
        let threshold = match self.threshold? {
            Threshold::Number(number) => number,
            Threshold::Setting(Setting::Margin) => config.margin,
            Threshold::Setting(Setting::MinusMargin) => -config.margin,
            Threshold::Setting(Setting::DiceMargin) => config.dice_margin,
            Threshold::Setting(Setting::MinusDiceMargin) => -config.dice_margin,
            Threshold::Setting(Setting::Advantage) => 0.5 + config.margin,
            Threshold::Setting(Setting::Even) => 0.5 - config.margin,
            Threshold::Setting(Setting::NotDrawn) => 1.0 - config.few_draws,
        };
        let claimed = self.claimed;
        Some(Statement { claimed, threshold })
    }

    /// The finding of a test by the rules.
    pub fn exact(&self, claim: ClaimId, fact: Fact) -> Finding {
        let found = Estimate {
            value: fact.value,
            interval: None,
            level: 0.0,
            error: None,
            n: fact.n as u64,
        };
        Finding {
            boards: fact.boards,
            ..self
                .finding(claim, Basis::Exact, Verdict::of(fact.holds), Some(found))
                .saying(fact.details)
        }
    }

    /// The finding of a test by games or searches, with the verdict on a statement; without one, and without an estimate,
    /// it is inconclusive.
    pub fn estimated(&self, claim: ClaimId, found: Option<Estimate>, statement: Option<Statement>) -> Finding {
        let interval = found.and_then(|found| found.interval);
        let verdict = statement
            .zip(interval)
            .map_or(Verdict::Inconclusive, |(stated, interval)| stated.verdict(&interval));
        let finding = self.finding(claim, Basis::Empirical, verdict, found);
        let stated = statement.zip(self.effect.as_ref());
        let stated = stated.map(|(stated, of)| format!("The claim: {}.", stated.in_words(&of.unit)));
        Finding { statement, ..finding }.saying(stated.unwrap_or_default())
    }

    fn finding(&self, claim: ClaimId, basis: Basis, verdict: Verdict, found: Option<Estimate>) -> Finding {
        let n = found.map_or(0, |found| found.n);
        let effect = self.effect.as_ref().zip(found).map(|(of, found)| Effect {
            name: of.name.clone(),
            unit: of.unit.clone(),
            difference: self.is_difference(),
            value: found.value,
            interval: found.interval,
            level: found.error.map(|_| found.level),
            error: found.error,
        });
        let summary = match &effect {
            Some(effect) => format!("{effect} (n = {} {}).", number::count(n), self.sample),
            None => format!("No number: {}.", self.part),
        };
        let why = self.why.iter().map(|why| format!("the threshold: {why}"));
        Finding {
            about: self.about.clone(),
            role: if self.context { Role::Context } else { Role::Deciding },
            stand_in: self.stand_in,
            measure_of: self.measure_of.clone(),
            summary,
            effect,
            n,
            n_unit: self.sample.clone(),
            test: std::iter::once(self.method.clone())
                .chain(why)
                .collect::<Vec<_>>()
                .join("; "),
            ..Finding::new(claim, self.part.clone(), basis, verdict)
        }
    }

    /// True if the effect is a difference of two numbers of its unit.
    fn is_difference(&self) -> bool {
        self.forks.is_some()
            || self.search.is_some()
            || self.games.as_ref().is_some_and(GamesContrast::is_difference)
            || self.dice.is_some_and(DiceMeasure::is_difference)
    }

    /// The test of one of several populations, which is context.
    #[must_use]
    pub fn of_one(&self, name: impl Display) -> Self {
        Self {
            context: true,
            ..self.of(name)
        }
    }

    /// The test with a name in place of the word in braces in its part.
    #[must_use]
    pub fn of(&self, name: impl Display) -> Self {
        let mut test = self.clone();
        if let Some((before, (_, after))) =
            (self.part.split_once('{')).and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            test.part = format!("{before}{name}{after}");
        }
        test
    }
}

#[cfg(test)]
mod tests {
    use crate::claim::tests;

    #[test]
    fn every_test_has_one_statistic_and_a_part_of_its_own() {
        for (index, (claim, test)) in tests().enumerate() {
            let statistics = [
                test.exact.is_some(),
                test.games.is_some(),
                test.forks.is_some(),
                test.dice.is_some(),
                test.search.is_some(),
            ];
            let named = statistics.into_iter().filter(|named| *named).count();
            assert_eq!(named, 1, "{claim}: {}", test.part);
            let same = |&(other, before): &(_, &super::ClaimTest)| {
                other == claim && before.part == test.part && before.each.is_none()
            };
            assert!(
                test.each.is_some() || !tests().take(index).any(|before| same(&before)),
                "{claim}: {}",
                test.part
            );
        }
    }
}
