//! Tests on forks: the mean difference of results between an action and what it is compared with.
//!
//! **What decides is fixed here, before any data.** An action that is the best of few scores less than the best of all
//! others, whatever it is. So the difference from the best other action says little of the *kind* of an action. Each
//! fork has a control: the best, by the same searches of the same position, of equally many quiet moves, drawn at
//! random. If the kind does not matter, action and control are exchangeable, and the mean of their difference is 0 for
//! any player. The difference from the control decides. Where both ways are chosen alike, as with exchanges that make
//! and that break pairs, there is no control and the difference itself decides.
//!
//! The control is a low bar: an action that scores more is better than an arbitrary move, not than a good one. The best
//! other action is a high bar. So where the control decides, a verdict needs both: the difference from the best other
//! action must give the same verdict against −margin, at which the action is as good, up to the margin.
//!
//! A placebo, quiet moves with such a control, shows that the construction has no effect of its own. If its interval
//! excludes 0 by more than the margin, no control decides anything.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::dice::DECIDING;
use super::plan::{LEAST_POWER, assumed};
use crate::evidence::forks::{Fork, ForkKind};
use crate::{Against, ClaimId, ClaimedSide, ComparedWith, Effect, EffectUnit, Finding, TestEvidence};
use chase_report::number;
use chase_statistics::clusters::quantile;
use chase_statistics::{FindingPlan, Interval, LookPlan, PlannedStatistic, Verdict};

/// The result of a fork.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForkResult {
    /// Its kind.
    pub kind: ForkKind,
    /// Index of the player.
    pub player: usize,
    /// The block of its game.
    pub block: u64,
    /// The mover's score after the action minus that after the rival, from −1 to 1; `None` if games were truncated.
    pub difference: Option<f64>,
    /// The mover's score after the action minus that after the control; `None` if games were truncated, or there is
    /// none.
    pub over_control: Option<f64>,
}

impl Against {
    /// The difference of a fork; `None` without a result.
    const fn of(self, result: &ForkResult) -> Option<f64> {
        match self {
            Self::Rival => result.difference,
            Self::Control => result.over_control,
        }
    }
}

impl From<&Fork> for ForkResult {
    fn from(fork: &Fork) -> Self {
        Self {
            kind: fork.turn.kind,
            player: fork.turn.player,
            block: fork.turn.block.into(),
            difference: fork.difference(),
            over_control: fork.over_control(),
        }
    }
}

/// Claims C1 to C4, from forks of some players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForkStudy<'a> {
    /// The forks, in any order.
    pub results: &'a [ForkResult],
    /// Largest difference of score that is too small to matter.
    pub margin: f64,
    /// Studies with the same tests that share the error, one for each of several agents: 1 for the one that decides.
    pub shared_by: usize,
    /// Seed of all randomness in the plans.
    pub seed: u64,
}

/// The mean over some forks, with equal weight for each player, and its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForkEstimate {
    /// The mean, or the difference of two.
    pub value: f64,
    /// Its standard error, robust to any dependence within blocks.
    pub error: f64,
    /// Confidence interval of the true number; `None` for too few blocks.
    pub interval: Option<Interval>,
    /// Level of the interval.
    pub level: f64,
    /// Forks with a result.
    pub forks: u64,
    /// Blocks of these forks.
    pub blocks: u64,
}

/// A claim about an effect, which is a difference of scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Statement {
    /// It is greater than this.
    Above(f64),
    /// It is not greater than this.
    NotAbove(f64),
    /// It is less than this.
    Below(f64),
}

impl Statement {
    fn verdict(self, interval: &Interval) -> Verdict {
        match self {
            Self::Above(threshold) => Verdict::greater_than(interval, threshold),
            Self::NotAbove(threshold) | Self::Below(threshold) => {
                let mirrored = Interval {
                    low: interval.high.map(|end| -end),
                    high: interval.low.map(|end| -end),
                };
                Verdict::greater_than(&mirrored, -threshold)
            }
        }
    }

    const fn threshold(self) -> f64 {
        match self {
            Self::Above(threshold) | Self::NotAbove(threshold) | Self::Below(threshold) => threshold,
        }
    }

    /// The same statement with another threshold.
    const fn at(self, threshold: f64) -> Self {
        match self {
            Self::Above(_) => Self::Above(threshold),
            Self::NotAbove(_) => Self::NotAbove(threshold),
            Self::Below(_) => Self::Below(threshold),
        }
    }

    /// 1 if a larger effect speaks for it, −1 if a smaller one does.
    const fn sign(self) -> f64 {
        match self {
            Self::Above(_) => 1.0,
            Self::NotAbove(_) | Self::Below(_) => -1.0,
        }
    }

    /// The side of the threshold on which the claim holds.
    const fn side(self) -> ClaimedSide {
        if self.sign() > 0.0 {
            ClaimedSide::Above
        } else {
            ClaimedSide::Below
        }
    }

    fn in_words(self) -> String {
        let points = match self.threshold() {
            0.0 => "0".to_owned(),
            threshold => format!("{} points", number::difference(100.0 * threshold, 1)),
        };
        match self {
            Self::Above(_) => format!("more than {points}"),
            Self::NotAbove(_) => format!("{points} or less"),
            Self::Below(_) => format!("less than {points}"),
        }
    }
}

/// Standard deviation of a fork assumed in plans: that of two independent games, each won or lost.
const DEVIATION: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// A question about forks.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub claim: ClaimId,
    pub part: &'a str,
    pub kind: ForkKind,
    /// The action that its own is compared with.
    pub against: Against,
    /// The kind whose mean is subtracted, if any.
    pub less: Option<ForkKind>,
    /// The claim about the mean, in scores.
    pub statement: Statement,
}

/// The remark if there are no forks.
const NO_FORKS: &str = "no forks were played";

impl ForkStudy<'_> {
    /// The level of each interval.
    fn level(&self) -> f64 {
        1.0 - 0.05 / (DECIDING * self.shared_by.max(1) as f64)
    }

    /// The mean over the forks of a kind, minus that over another kind's. `None` if a player has none with a result of
    /// one of them, or there is no player.
    ///
    /// The error is by linearisation over blocks. The variance of one more fork each way is added to that of each mean,
    /// which hardly matters unless nearly all forks have the same result: then little is known of their variation.
    pub fn estimate(&self, kind: ForkKind, against: Against, less: Option<ForkKind>) -> Option<ForkEstimate> {
        let of_interest = |result: &&ForkResult| result.kind == kind || Some(result.kind) == less;
        let results: Vec<_> = self.results.iter().filter(of_interest).collect();
        let mut players: Vec<usize> = results.iter().map(|result| result.player).collect();
        players.sort_unstable();
        players.dedup();
        let known = results.iter().filter_map(|result| Some((result, against.of(result)?)));
        let known: Vec<_> = known.collect();
        let (mut value, mut variance) = (0.0, 0.0);
        let mut by_block: BTreeMap<u64, f64> = BTreeMap::new();
        for &player in &players {
            for (kind, sign) in std::iter::once((kind, 1.0)).chain(less.map(|less| (less, -1.0))) {
                let of_mean = || {
                    let mut known = known.iter();
                    std::iter::from_fn(move || known.find(|(result, _)| (result.player, result.kind) == (player, kind)))
                };
                let count = of_mean().count() as f64;
                if count == 0.0 {
                    return None;
                }
                let mean = of_mean().map(|(_, difference)| difference).sum::<f64>() / count;
                let weight = sign / players.len() as f64;
                value += weight * mean;
                for (result, difference) in of_mean() {
                    *by_block.entry(result.block).or_default() += weight * (difference - mean) / count;
                }
                variance += 2.0 * (weight / count).powi(2);
            }
        }
        let blocks = by_block.len() as f64;
        if blocks == 0.0 {
            return None;
        }
        let spread: f64 = by_block.values().map(|influence| influence * influence).sum();
        let error = (variance + spread * blocks / (blocks - 1.0).max(1.0)).sqrt();
        let level = self.level();
        let most = if less.is_some() { 2.0 } else { 1.0 };
        Some(ForkEstimate {
            value,
            error,
            interval: quantile(by_block.len() as u64, level).map(|t| Interval {
                low: Some((value - t * error).max(-most)),
                high: Some((value + t * error).min(most)),
            }),
            level,
            forks: known.len() as u64,
            blocks: by_block.len() as u64,
        })
    }

    /// The finding on a question that decides, if the test can come out either way. Where the action is compared with
    /// the control, a verdict needs the same verdict of the difference from the best other action against −margin, and
    /// a placebo without effect.
    pub fn deciding(&self, question: &Question<'_>) -> Finding {
        let mut finding = self.finding(question);
        let mut plans = vec![self.plan(question)];
        if question.against == Against::Control && question.less.is_none() {
            let high_bar = Question {
                against: Against::Rival,
                statement: question.statement.at(-self.margin),
                ..*question
            };
            plans.push(self.plan(&high_bar));
            let best = self.estimate(question.kind, Against::Rival, None);
            let interval = best.and_then(|best| best.interval);
            let verdict = interval.map_or(Verdict::Inconclusive, |interval| high_bar.statement.verdict(&interval));
            if let Some(best) = best.filter(|_| verdict != finding.verdict) {
                finding.summary += &format!(
                    " Compared with the control this is {}, compared with the best other action ({}; the claim: {}) {}, so no \
                     verdict is given.",
                    finding.verdict.name(),
                    points(&best),
                    high_bar.statement.in_words(),
                    verdict.name()
                );
                finding.verdict = Verdict::Inconclusive;
            }
            finding.test += &format!(
                "; a verdict needs that the difference from the best other action says the same ({})",
                high_bar.statement.in_words()
            );
        }
        if question.against == Against::Control {
            if let Some(placebo) = self.placebo().filter(|placebo| self.has_effect(placebo)) {
                finding.verdict = Verdict::Inconclusive;
                finding.summary += &format!(
                    " The placebo has an effect, {}, so no verdict is given.",
                    points(&placebo)
                );
            }
            finding.test +=
                "; no verdict if the placebo, quiet moves against such a control, has an effect beyond the margin";
        }
        if finding.n == 0 {
            return finding;
        }
        finding.with_plans(&plans, plans.len(), self.seed)
    }

    /// Quiet moves against their control.
    fn placebo(&self) -> Option<ForkEstimate> {
        self.estimate(ForkKind::Quiet, Against::Control, None)
    }

    /// True if an estimate excludes 0 by more than the margin.
    fn has_effect(&self, estimate: &ForkEstimate) -> bool {
        estimate.interval.is_some_and(|interval| {
            interval.low.is_some_and(|low| low > self.margin) || interval.high.is_some_and(|high| high < -self.margin)
        })
    }

    /// The plan of a question, seen from the side on which the claim holds: for the existing number of forks, whatever
    /// their results.
    fn plan(&self, question: &Question<'_>) -> FindingPlan {
        let count = |kind: ForkKind| self.results.iter().filter(|result| result.kind == kind).count() as u64;
        let observations = [count(question.kind), question.less.map_or(0, count)];
        let players: BTreeSet<usize> = self.results.iter().map(|result| result.player).collect();
        // As in `estimate`: each mean has the variance of one more fork each way, of each player.
        let groups = observations.iter().filter(|&&count| count > 0);
        let least = groups.map(|&count| 2.0 * players.len() as f64 / (count as f64).powi(2));
        let threshold = question.statement.sign() * question.statement.threshold();
        let (distance, _) = assumed(EffectUnit::Score);
        FindingPlan {
            statistic: PlannedStatistic::Look(LookPlan {
                most: if question.less.is_some() { 2.0 } else { 1.0 },
                deviation: DEVIATION,
                observations,
                least_error: least.sum::<f64>().sqrt(),
                threshold,
            }),
            error: 1.0 - self.level(),
            holds: threshold + distance,
            fails: threshold - distance,
            least_power: LEAST_POWER,
        }
    }

    /// The finding on a question, without regard to its plan. It decides, unless the caller makes it context.
    pub fn finding(&self, question: &Question<'_>) -> Finding {
        let Question {
            claim,
            part,
            kind,
            against,
            less,
            statement,
        } = *question;
        let words = match against {
            Against::Rival => kind.in_words().to_owned(),
            Against::Control => format!("{} against its control", short(kind)),
        };
        let effect = match less {
            None => format!("score, {words}"),
            Some(less) => format!("score, {words}, minus the same of {}", short(less)),
        };
        let test = format!(
            "difference of the mover's score between two games from the same position with the same chance, after the action and \
             after {}, by forks of kind {kind}{}; each player counts alike; the claim: {}; errors robust within blocks, Student's interval for one look, level {:.2} %, \
             so that the {DECIDING} deciding intervals of claims C1 to C6 hold together with 95 %",
            match against {
                Against::Rival => "the best action of the other side",
                Against::Control => "the best of equally many quiet moves drawn at random (the control)",
            },
            less.map_or(String::new(), |less| format!(", mean minus that of kind {less}")),
            statement.in_words(),
            100.0 * self.level(),
        );
        let estimate = self.estimate(kind, against, less);
        let Some(estimate) = estimate else {
            let summary = format!("Nothing can be said: {}.", self.why_nothing(kind, against, less));
            return Finding::empirical(claim, part, Verdict::Inconclusive, summary).with_test(0, "forks", test);
        };
        let verdict = estimate
            .interval
            .map_or(Verdict::Inconclusive, |interval| statement.verdict(&interval));
        let placebo = self.placebo().filter(|_| against == Against::Control);
        let mut summary = match less {
            None => format!("Difference of score, {words}: {} percentage points", points(&estimate)),
            Some(less) => {
                let mean = |kind| {
                    self.estimate(kind, against, None)
                        .map_or("?".to_owned(), |mean| figure(mean.value))
                };
                format!(
                    "Difference of score, {words}: {} percentage points; {}: {}; the first minus the second: {}",
                    mean(kind),
                    short(less),
                    mean(less),
                    points(&estimate)
                )
            }
        };
        summary += &format!(", in {} forks. The claim: {}.", estimate.forks, statement.in_words());
        if let Some(placebo) = placebo {
            summary += &format!(
                " The placebo, quiet moves against such a control: {}.",
                points(&placebo)
            );
        }
        if let (Verdict::Inconclusive, Some(times)) = (verdict, estimate.times_to_decide(statement.threshold())) {
            summary += &format!(" If the truth is as estimated, about {times} times as many forks decide it.");
        }
        let shown = Effect {
            name: effect,
            unit: EffectUnit::Score,
            value: estimate.value,
            interval: estimate.interval,
            level: estimate.interval.map(|_| estimate.level),
            error: Some(estimate.error),
        };
        let test = format!("{test}; {} blocks of games", estimate.blocks);
        Finding::empirical(claim, part, verdict, summary)
            .with_effect(shown)
            .with_test(estimate.forks, "forks", test)
            .with_evidence(json!({ "less": less, "estimate": estimate, "placebo": placebo }))
            .with_test_evidence(TestEvidence {
                threshold: Some(statement.threshold()),
                claimed: Some(statement.side()),
                kind: Some(kind),
                against: Some(ComparedWith::Fork(against)),
                ..TestEvidence::default()
            })
    }

    fn why_nothing(&self, kind: ForkKind, against: Against, less: Option<ForkKind>) -> String {
        if self.results.is_empty() {
            return NO_FORKS.to_owned();
        }
        let without = std::iter::once(kind)
            .chain(less)
            .find(|&kind| self.estimate(kind, against, None).is_none());
        without.map_or(NO_FORKS.to_owned(), |kind| {
            let controlled = match against {
                Against::Rival => "",
                Against::Control => " and a control",
            };
            format!("a player has no forks of kind {kind} with a result{controlled}")
        })
    }
}

impl ForkEstimate {
    /// The factor by which forks must increase to exclude a threshold, if the truth is as estimated; `None` for a
    /// factor of a hundred or more: then it is hardly known on which side the truth lies.
    fn times_to_decide(self, threshold: f64) -> Option<u64> {
        let reach = self.interval?.half_width()?;
        let times = (reach / (self.value - threshold)).powi(2);
        (1.0..100.0).contains(&times).then_some(times.ceil() as u64)
    }
}

/// The action of a kind in few words.
const fn short(kind: ForkKind) -> &'static str {
    match kind {
        ForkKind::FirstEntry => "first entry into the Chamber",
        ForkKind::GainingEntry => "entry that gains a die without a capture",
        ForkKind::SmallTakesLarge => "small die takes large one",
        ForkKind::LargeTakesSmall => "large die takes small one",
        ForkKind::Clumping => "exchange that makes pairs of 3s and 4s",
        ForkKind::Quiet => "quiet move drawn at random",
    }
}

/// A difference of scores in percentage points, with a sign.
fn figure(value: f64) -> String {
    number::difference(100.0 * value, 1)
}

/// The same with its interval.
fn points(estimate: &ForkEstimate) -> String {
    match &estimate.interval {
        Some(interval) => format!("{} {}", figure(estimate.value), number::interval(interval, figure)),
        None => figure(estimate.value),
    }
}
