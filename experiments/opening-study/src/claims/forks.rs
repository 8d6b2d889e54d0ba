//! Tests on forks: the mean difference of results between an action and what it is compared with.
//!
//! **What decides is fixed in `claims.toml`, before any data.** An action that is the best of few scores less than the best of all
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

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::games::Pool;
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::forks::{Fork, ForkKind};
use crate::evidence::games::GamesConfig;
use crate::{ClaimId, EffectUnit, Finding, Role};
use chase_statistics::Interval;
use chase_statistics::clusters::quantile;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ForkResult {
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

/// The action whose score an action's score is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Against {
    /// The best action of the other side.
    Rival,
    /// The control of the same fork.
    Control,
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

/// Forks of some players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForkStudy<'a> {
    /// The forks, in any order.
    pub results: &'a [ForkResult],
    /// The settings, with the largest difference of score that is too small to matter.
    pub config: &'a GamesConfig,
}

/// The two sides that a test of forks compares.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForkContrast {
    pub kind: ForkKind,
    /// The action that its own is compared with.
    pub against: Against,
    /// The kind whose mean is subtracted, if any.
    pub less: Option<ForkKind>,
}

impl ForkStudy<'_> {
    /// The players that have forks.
    pub fn players(&self) -> BTreeSet<usize> {
        self.results.iter().map(|result| result.player).collect()
    }

    /// The mean over the forks of a kind, minus that over another kind's, with equal weight for each player. `None` if a
    /// player has none with a result of one of them, or there is no player.
    ///
    /// The error is by linearisation over blocks, robust to any dependence within them. The variance of one more fork each
    /// way is added to that of each mean, which hardly matters unless nearly all forks have the same result: then little is
    /// known of their variation.
    pub fn estimate(&self, contrast: ForkContrast, pool: &Pool, comparisons: usize) -> Option<Estimate> {
        let ForkContrast { kind, against, less } = contrast;
        let of_interest = |result: &&ForkResult| {
            pool.players.contains(&result.player) && (result.kind == kind || Some(result.kind) == less)
        };
        let results: Vec<_> = self.results.iter().filter(of_interest).collect();
        let players: BTreeSet<usize> = results.iter().map(|result| result.player).collect();
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
        let level = 1.0 - self.config.error / pool.sharing(comparisons) as f64;
        let most = if less.is_some() { 2.0 } else { 1.0 };
        Some(Estimate {
            value,
            interval: quantile(by_block.len() as u64, level).map(|t| Interval {
                low: Some((value - t * error).max(-most)),
                high: Some((value + t * error).min(most)),
            }),
            level,
            error: Some(error),
            n: known.len() as u64,
        })
    }

    /// The finding of a test of forks; `None` for other tests. Where the action is compared with the control, it decides
    /// if the placebo has no effect.
    pub fn ask(&self, claim: ClaimId, test: &ClaimTest, pool: &Pool) -> Option<Finding> {
        let contrast = test.forks?;
        let finding = self.finding(claim, test, contrast, pool);
        Some(match (finding.role, contrast.against) {
            (Role::Deciding, Against::Control) => self.unless_placebo_has_effect(finding, pool),
            _ => finding,
        })
    }

    /// Makes the finding context if the placebo has an effect beyond the margin: then the construction is at fault.
    fn unless_placebo_has_effect(&self, mut finding: Finding, pool: &Pool) -> Finding {
        finding.test +=
            "; no verdict if the placebo, quiet moves against such a control, has an effect beyond the margin";
        let placebo = ForkContrast {
            kind: ForkKind::Quiet,
            against: Against::Control,
            less: None,
        };
        let interval = self.estimate(placebo, pool, 1).and_then(|placebo| placebo.interval);
        let margin = self.config.margin;
        let excludes_0 = |interval: Interval| {
            interval.low.is_some_and(|low| low > margin) || interval.high.is_some_and(|high| high < -margin)
        };
        if interval.is_some_and(excludes_0) {
            return finding
                .saying("The placebo has an effect, so this decides nothing.")
                .as_context();
        }
        finding
    }

    fn finding(&self, claim: ClaimId, test: &ClaimTest, contrast: ForkContrast, pool: &Pool) -> Finding {
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
        let test = test.clone().measuring(effect, EffectUnit::score(), "forks").by(&format!(
            "difference of the mover's score between two games from the same position with the same chance, after the action and \
             after {other}, by forks of kind {kind}{minus}; each player counts alike; errors robust within blocks, Student's interval \
             for one look",
        ));
        let estimate = self.estimate(contrast, pool, test.comparisons);
        let finding = test.estimated(claim, estimate, test.statement(self.config));
        finding.saying(if self.results.is_empty() {
            "There are no forks."
        } else {
            ""
        })
    }
}
