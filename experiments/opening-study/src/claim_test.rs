//! The tests of the claims. Their content is data: `tests.toml`.

use std::fmt::Display;
use std::sync::LazyLock;

use serde::Deserialize;

use super::claims::method::dice::DiceMeasure;
use super::claims::method::forks::ForkContrast;
use super::claims::method::games::GamesContrast;
use super::evidence::games::GamesConfig;
use super::{Basis, ClaimId, ClaimedSide, Effect, EffectUnit, Finding, Role, TestEvidence};
use chase_report::number;
use chase_statistics::clusters::ClusterEstimate;
use chase_statistics::{Interval, MeanEstimate, Verdict};

/// A test of one part of a claim.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ClaimTest {
    pub claim: ClaimId,
    /// Its name among the tests of the claim.
    name: String,
    /// The part of the claim.
    pub part: String,
    /// The quantity; `None` for what is no single number.
    effect: Option<Quantity>,
    /// The unit of the sample.
    #[serde(default)]
    sample: String,
    /// What is measured, and how.
    #[serde(default)]
    method: String,
    /// True for what is shown only.
    #[serde(default)]
    context: bool,
    /// True for what decides only if no other empirical test of the claim was played.
    #[serde(default)]
    stand_in: bool,
    /// The part of the claim that this is one of several measures of: most of them decide.
    measure_of: Option<String>,
    /// The side of the threshold on which the claim holds.
    #[serde(default)]
    claimed: ClaimedSide,
    threshold: Option<Threshold>,
    /// Comparisons that share the error of the claim.
    #[serde(default = "one")]
    pub comparisons: usize,
    pub games: Option<GamesContrast>,
    pub forks: Option<ForkContrast>,
    pub dice: Option<DiceMeasure>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quantity {
    name: String,
    unit: EffectUnit,
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
    Several,
}

const fn one() -> usize {
    1
}

/// Content of `tests.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestFile {
    test: Vec<ClaimTest>,
}

/// All tests, in the order of their claims.
pub(crate) fn tests() -> &'static [ClaimTest] {
    static TESTS: LazyLock<Vec<ClaimTest>> = LazyLock::new(|| {
        let file: TestFile = toml::from_str(include_str!("../tests.toml"))
            .unwrap_or_else(|error| panic!("tests.toml, which is compiled in and tested: {error}"));
        file.test
    });
    &TESTS
}

/// The statement that an effect lies on one side of a threshold, which was set before any data were seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Statement {
    pub claimed: ClaimedSide,
    pub threshold: f64,
}

impl Statement {
    /// Supported if the whole interval lies on the side of the claim, refuted if it lies on the other.
    pub fn verdict(self, interval: &Interval) -> Verdict {
        match self.claimed {
            ClaimedSide::Above => Verdict::greater_than(interval, self.threshold),
            ClaimedSide::Below => {
                let mirrored = Interval {
                    low: interval.high.map(|end| -end),
                    high: interval.low.map(|end| -end),
                };
                Verdict::greater_than(&mirrored, -self.threshold)
            }
        }
    }

    /// `more than 52.0 %`.
    pub fn in_words(self, unit: EffectUnit) -> String {
        let side = match self.claimed {
            ClaimedSide::Above => "more than",
            ClaimedSide::Below => "less than",
        };
        format!("{side} {}", unit.in_words(self.threshold))
    }
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
    pub const fn of_clusters(clusters: &ClusterEstimate, level: f64) -> Self {
        Self {
            value: clusters.value,
            interval: clusters.interval,
            level,
            error: Some(clusters.error),
            n: clusters.observations,
        }
    }
}

impl ClaimTest {
    /// The test of a claim with this name.
    pub fn named(claim: ClaimId, name: &str) -> Self {
        let found = tests().iter().find(|test| test.claim == claim && test.name == name);
        found
            .unwrap_or_else(|| panic!("tests.toml has no test `{name}` of {claim}"))
            .clone()
    }

    /// Fills in what varies in the texts: `value` in place of `{name}`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        let (place, value) = (format!("{{{name}}}"), value.to_string());
        let effect = self.effect.iter_mut().map(|effect| &mut effect.name);
        for text in [&mut self.part, &mut self.method].into_iter().chain(effect) {
            *text = text.replace(&place, &value);
        }
        self
    }

    /// Replaces a text that follows from what is measured.
    #[must_use]
    pub fn measuring(mut self, name: impl Into<String>, unit: EffectUnit, sample: &str) -> Self {
        let name = name.into();
        self.effect = Some(Quantity { name, unit });
        sample.clone_into(&mut self.sample);
        self
    }

    /// Sets the unit of the sample of a test by games: blocks of them.
    #[must_use]
    pub fn measuring_blocks(mut self) -> Self {
        self.sample = "blocks".into();
        self
    }

    /// Sets the unit of the sample of a test by searches: trained agents.
    #[must_use]
    pub fn measuring_agents(mut self) -> Self {
        self.sample = "trained agents".into();
        self
    }

    /// Adds to the description of the method.
    #[must_use]
    pub fn by(mut self, method: &str) -> Self {
        let separator = if self.method.is_empty() { "" } else { "; " };
        self.method += &format!("{separator}{method}");
        self
    }

    /// The statement about the effect; `None` for what states nothing.
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
            Threshold::Setting(Setting::Several) => f64::from(config.several) - 0.5,
        };
        let claimed = self.claimed;
        Some(Statement { claimed, threshold })
    }

    /// The statement, if it depends on no setting.
    pub fn constant_statement(&self) -> Option<Statement> {
        let claimed = self.claimed;
        match self.threshold? {
            Threshold::Number(threshold) => Some(Statement { claimed, threshold }),
            Threshold::Setting(_) => None,
        }
    }

    /// A finding from the rules: whether the claim holds, the number that shows it, the size of what was looked at, and
    /// details in words.
    pub fn exact(&self, holds: bool, value: f64, n: usize, details: impl Display) -> Finding {
        let quantity = self.effect.as_ref();
        let effect = quantity.map(|of| Effect::exact(&of.name, of.unit, value));
        let finding = self.finding(Basis::Exact, Verdict::of(holds), effect, n as u64);
        finding.saying(details)
    }

    /// A finding from games or searches, with the verdict on a statement; without one, and without an estimate, it is
    /// inconclusive.
    pub fn estimated(&self, found: Option<Estimate>, statement: Option<Statement>) -> Finding {
        let quantity = self.effect.as_ref();
        let effect = quantity.zip(found).map(|(of, found)| Effect {
            name: of.name.clone(),
            unit: of.unit,
            value: found.value,
            interval: found.interval,
            level: found.interval.map(|_| found.level),
            error: found.error,
        });
        let interval = found.and_then(|found| found.interval);
        let verdict = statement
            .zip(interval)
            .map(|(claimed, interval)| claimed.verdict(&interval));
        let verdict = verdict.unwrap_or(Verdict::Inconclusive);
        let nothing = found.is_none() && quantity.is_some();
        let mut finding = self.finding(Basis::Empirical, verdict, effect, found.map_or(0, |found| found.n));
        if nothing {
            finding.summary = format!("Nothing is known of the {}.", finding.part);
        }
        match (statement, quantity) {
            (Some(statement), Some(of)) => finding
                .saying(format!("The claim: {}.", statement.in_words(of.unit)))
                .with_test_evidence(TestEvidence {
                    threshold: Some(statement.threshold),
                    claimed: Some(statement.claimed),
                    error: found.map(|found| 1.0 - found.level),
                    ..TestEvidence::default()
                }),
            _ => finding,
        }
    }

    /// A finding that is no single number: what it says, and the size of the sample.
    pub fn told(&self, n: u64, summary: impl Display) -> Finding {
        self.finding(Basis::Empirical, Verdict::Inconclusive, None, n)
            .saying(summary)
    }

    fn finding(&self, basis: Basis, verdict: Verdict, effect: Option<Effect>, n: u64) -> Finding {
        let sample = format!("n = {} {}", number::count(n), self.sample);
        let summary = effect.as_ref().map(|effect| format!("{effect} ({sample})."));
        Finding {
            role: if self.context { Role::Context } else { Role::Deciding },
            stand_in: self.stand_in,
            measure_of: self.measure_of.clone(),
            effect,
            n,
            n_unit: self.sample.clone(),
            test: self.method.clone(),
            ..Finding::new(self.claim, &self.part, basis, verdict, summary.unwrap_or_default())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_has_a_name_of_its_own_and_the_claims_are_in_order() {
        assert!(tests().is_sorted_by_key(|test| test.claim));
        for (index, test) in tests().iter().enumerate() {
            let same = |other: &&ClaimTest| (other.claim, &other.name) == (test.claim, &test.name);
            assert_eq!(tests()[..index].iter().find(same).map(|other| &other.name), None);
        }
    }
}
