//! Tests on forks: the mean difference of results between the two ways of a kind of fork, minus that of another kind.
//!
//! **The difference that decides is fixed here, before any data.** An action that is the best of few scores less than
//! the best of all others, whatever it is: forks of every kind of "this against anything else" lie below 0 for that
//! reason alone, like those of the control, which are about nothing in particular. So for such kinds the difference
//! *minus that of the control* decides, and the difference itself is shown too. Where both ways are chosen alike, as
//! with exchanges that make and that break pairs, or where two kinds that are chosen alike are compared, nothing is
//! subtracted.
//!
//! The control is a low bar: an action that scores more is better than an arbitrary move, not than a good one. The best
//! other action is a high bar. So where the control is subtracted, a verdict needs both: the difference itself must
//! give the same verdict against −margin, at which an action is as good as the best other one, up to the margin.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::dice::DECIDING;
use super::plan::{LEAST_POWER, assumed};
use crate::evidence::forks::{Fork, ForkKind};
use crate::{ClaimId, Effect, Finding, Unit};
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
}

impl From<&Fork> for ForkResult {
    fn from(fork: &Fork) -> Self {
        Self {
            kind: fork.turn.kind,
            player: fork.turn.player,
            block: fork.turn.block.into(),
            difference: fork.difference(),
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
    const fn side(self) -> &'static str {
        if self.sign() > 0.0 { "above" } else { "below" }
    }

    fn in_words(self) -> String {
        let points = match self.threshold() {
            0.0 => "0".to_owned(),
            threshold => format!("{:+.1} points", 100.0 * threshold),
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
    /// The kind, and the one whose mean is subtracted, if any.
    pub kind: ForkKind,
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
    pub fn estimate(&self, kind: ForkKind, less: Option<ForkKind>) -> Option<ForkEstimate> {
        let of_interest = |result: &&ForkResult| result.kind == kind || Some(result.kind) == less;
        let results: Vec<_> = self.results.iter().filter(of_interest).collect();
        let mut players: Vec<usize> = results.iter().map(|result| result.player).collect();
        players.sort_unstable();
        players.dedup();
        let known = results.iter().filter_map(|result| Some((result, result.difference?)));
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

    /// The finding on a question that decides, if the test can come out either way. Where the control is subtracted, a
    /// verdict needs the same verdict of the difference itself against −margin.
    pub fn deciding(&self, question: &Question<'_>) -> Finding {
        let mut finding = self.finding(question);
        let mut plans = vec![self.plan(question)];
        if question.less == Some(ForkKind::Quiet) {
            let itself = Question {
                less: None,
                statement: question.statement.at(-self.margin),
                ..*question
            };
            plans.push(self.plan(&itself));
            let beside = self.estimate(question.kind, None);
            let interval = beside.and_then(|beside| beside.interval);
            let verdict = interval.map_or(Verdict::Inconclusive, |interval| itself.statement.verdict(&interval));
            if let Some(beside) = beside.filter(|_| verdict != finding.verdict) {
                finding.summary += &format!(
                    " Minus the control this is {}, against the best other action ({}; the claim: {}) {}, so no verdict is given.",
                    finding.verdict.name(),
                    points(&beside),
                    itself.statement.in_words(),
                    verdict.name()
                );
                finding.verdict = Verdict::Inconclusive;
            }
            finding.test += &format!(
                "; a verdict needs that the difference itself, with nothing taken away, says the same ({})",
                itself.statement.in_words()
            );
        }
        if finding.n == 0 {
            return finding;
        }
        finding.with_plans(&plans, plans.len(), self.seed)
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
        let (distance, _) = assumed(Unit::Score);
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
            less,
            statement,
        } = *question;
        let words = kind.in_words();
        let effect = match less {
            None => format!("score, {words}"),
            Some(less) => format!("score, {words}, minus the same of {}", short(less)),
        };
        let test = format!(
            "difference of the mover's score between two games from the same position with the same chance, by forks of kind {kind}{}; \
             each player counts alike; the claim: {}; errors robust within blocks, Student's interval for one look, level {:.2} %, \
             so that the {DECIDING} deciding intervals of claims C1 to C6 hold together with 95 %",
            less.map_or(String::new(), |less| format!(", mean minus that of kind {less}")),
            statement.in_words(),
            100.0 * self.level(),
        );
        let estimate = self.estimate(kind, less);
        let Some(estimate) = estimate else {
            let summary = format!("Nothing can be said: {}.", self.why_nothing(kind, less));
            return Finding::empirical(claim, part, Verdict::Inconclusive, summary).with_test(0, "forks", test);
        };
        let verdict = estimate
            .interval
            .map_or(Verdict::Inconclusive, |interval| statement.verdict(&interval));
        let control = match (kind, less) {
            (_, Some(ForkKind::Quiet)) | (ForkKind::Quiet, _) => None,
            _ => self.estimate(ForkKind::Quiet, None),
        };
        let mut summary = match less {
            None => format!("Difference of score, {words}: {} percentage points", points(&estimate)),
            Some(less) => {
                let mean = |kind| {
                    self.estimate(kind, None)
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
        if let Some(control) = control {
            summary += &format!(" The control of quiet moves: {}.", points(&control));
        }
        if let (Verdict::Inconclusive, Some(times)) = (verdict, estimate.times_to_decide(statement.threshold())) {
            summary += &format!(" If the truth is as estimated, about {times} times as many forks decide it.");
        }
        let shown = Effect {
            name: effect,
            unit: Unit::Score,
            value: estimate.value,
            interval: estimate.interval,
            level: estimate.interval.map(|_| estimate.level),
            error: Some(estimate.error),
        };
        let test = format!("{test}; {} blocks of games", estimate.blocks);
        Finding::empirical(claim, part, verdict, summary)
            .with_effect(shown)
            .with_test(estimate.forks, "forks", test)
            .with_evidence(json!({
                "kind": kind, "less": less, "threshold": statement.threshold(), "claimed": statement.side(),
                "estimate": estimate, "control": control,
            }))
    }

    fn why_nothing(&self, kind: ForkKind, less: Option<ForkKind>) -> String {
        if self.results.is_empty() {
            return NO_FORKS.to_owned();
        }
        let without = std::iter::once(kind)
            .chain(less)
            .find(|&kind| self.estimate(kind, None).is_none());
        without.map_or(NO_FORKS.to_owned(), |kind| {
            format!("a player has no forks of kind {kind} with a result")
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

/// A kind in few words, to follow "less" or "by".
const fn short(kind: ForkKind) -> &'static str {
    match kind {
        ForkKind::Quiet => "quiet moves (the control)",
        ForkKind::LargeTakesSmall => "large dice that take small ones",
        _ => kind.in_words(),
    }
}

/// A difference of scores in percentage points, with a sign.
fn figure(value: f64) -> String {
    // Avoids `-0.0`.
    let points = if value.abs() < 5e-4 { 0.0 } else { 100.0 * value };
    format!("{points:+.1}")
}

/// The same with its interval.
fn points(estimate: &ForkEstimate) -> String {
    let end = |end: Option<f64>| end.map_or("no bound".to_owned(), figure);
    let interval = estimate.interval.map_or(String::new(), |Interval { low, high }| {
        format!(" ({} to {})", end(low), end(high))
    });
    format!("{}{interval}", figure(estimate.value))
}
