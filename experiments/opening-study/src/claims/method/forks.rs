//! Tests on forks: the mean difference of results between an action and what it is compared with.
//!
//! **What decides is fixed here, before any data.** An action that is the best of few scores less than the best of all
//! others, whatever it is. So the difference from the best other action says little of the *kind* of an action. Each
//! fork has a control: the best, by the same searches of the same position, of equally many quiet moves, drawn at
//! random. If the kind does not matter, action and control are exchangeable, and the mean of their difference is 0 for
//! any player. The difference from the control decides. Where both ways are chosen alike, as with exchanges that make
//! and that break pairs, there is no control and the difference itself decides.
//!
//! The best other action is no fair rival: it is the best of thirty or forty, where the action is often the only one of
//! its kind, and even a quiet move drawn at random scores 15 points less. That difference is context.
//!
//! A placebo, quiet moves with such a control, shows that the construction has no effect of its own. If its interval
//! excludes 0 by more than the margin, no control decides anything.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::dice::points;
use crate::claim_test::{ClaimTest, Estimate, Statement};
use crate::evidence::forks::{Fork, ForkKind};
use crate::evidence::games::GamesConfig;
use crate::{Against, ComparedWith, EffectUnit, Finding, Role, TestEvidence};
use chase_statistics::clusters::quantile;
use chase_statistics::{Interval, Verdict};

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
    /// The settings, with the largest difference of score that is too small to matter.
    pub config: &'a GamesConfig,
    /// Studies with the same tests that share the error, one for each of several agents: 1 for the one that decides.
    pub shared_by: usize,
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

/// What a test of forks compares.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForkContrast {
    kind: ForkKind,
    /// The action that its own is compared with.
    against: Against,
    /// The kind whose mean is subtracted, if any.
    less: Option<ForkKind>,
}

impl ForkStudy<'_> {
    /// The level of each interval: a claim has one deciding test.
    fn level(&self) -> f64 {
        1.0 - self.config.error / self.shared_by.max(1) as f64
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

    /// The finding of a test whose contrast is in `tests.toml`; `None` for other tests. Where the action is compared with
    /// the control, it decides if the placebo has no effect.
    pub fn ask(&self, test: &ClaimTest) -> Option<Finding> {
        let contrast = test.forks?;
        let finding = self.finding(test, contrast, self.statement(test));
        Some(match (finding.role, contrast.against) {
            (Role::Deciding, Against::Control) => self.unless_placebo_has_effect(finding),
            _ => finding,
        })
    }

    fn statement(&self, test: &ClaimTest) -> Statement {
        test.statement(self.config).expect("a test of forks has a threshold")
    }

    /// Makes the finding context if the placebo has an effect beyond the margin: then the construction is at fault.
    fn unless_placebo_has_effect(&self, mut finding: Finding) -> Finding {
        finding.test +=
            "; no verdict if the placebo, quiet moves against such a control, has an effect beyond the margin";
        let Some(placebo) = self.placebo() else {
            return finding;
        };
        let margin = self.config.margin;
        let excludes_0 = |interval: Interval| {
            interval.low.is_some_and(|low| low > margin) || interval.high.is_some_and(|high| high < -margin)
        };
        let has_effect = placebo.interval.is_some_and(excludes_0);
        let consequence = if has_effect { ", so this decides nothing" } else { "" };
        let placebo = points(placebo.value, placebo.interval);
        let finding = finding.saying(format!(
            "The placebo, quiet moves against such a control: {placebo} points{consequence}."
        ));
        if has_effect { finding.as_context() } else { finding }
    }

    /// Quiet moves against their control.
    fn placebo(&self) -> Option<ForkEstimate> {
        self.estimate(ForkKind::Quiet, Against::Control, None)
    }

    /// The finding on a contrast.
    fn finding(&self, test: &ClaimTest, contrast: ForkContrast, statement: Statement) -> Finding {
        let ForkContrast { kind, against, less } = contrast;
        let (words, other) = match against {
            Against::Rival => (kind.in_words(), "the best action of the other side"),
            Against::Control => (
                format!("{} against its control", kind.action()),
                "the best of equally many quiet moves drawn at random (the control)",
            ),
        };
        let (effect, minus) = match less {
            None => (format!("score, {words}"), String::new()),
            Some(less) => (
                format!("score, {words}, minus the same of {}", less.action()),
                format!(", mean minus that of kind {less}"),
            ),
        };
        let test = test.clone().measuring(effect, EffectUnit::Score, "forks").by(&format!(
            "difference of the mover's score between two games from the same position with the same chance, after the action and \
             after {other}, by forks of kind {kind}{minus}; each player counts alike; errors robust within blocks, Student's interval \
             for one look, level {:.2} %",
            100.0 * self.level(),
        ));
        let estimate = self.estimate(kind, against, less);
        let found = estimate.map(|estimate| Estimate {
            value: estimate.value,
            interval: estimate.interval,
            level: estimate.level,
            error: Some(estimate.error),
            n: estimate.forks,
        });
        let finding = test.estimated(found, Some(statement));
        let more = match estimate {
            None if self.results.is_empty() => "There are no forks.".to_owned(),
            None => format!("A player has no forks of kind {kind} with a result."),
            Some(estimate) => match estimate.times_to_decide(statement.threshold) {
                Some(times) if finding.verdict == Verdict::Inconclusive => {
                    format!("If the truth is as estimated, about {times} times as many forks decide it.")
                }
                _ => String::new(),
            },
        };
        finding.saying(more).with_test_evidence(TestEvidence {
            kind: Some(kind),
            against: Some(ComparedWith::Fork(against)),
            ..TestEvidence::default()
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
