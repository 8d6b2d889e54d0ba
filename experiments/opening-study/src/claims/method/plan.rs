//! The plan of a test: its expected results, before its games are played.
//!
//! A test that comes out one way only, whatever is true, decides nothing. So every deciding test states a world in
//! which the claim holds and one in which it does not, and is refused if the right verdict is not the likely one in
//! both, with the planned number of games. It then becomes context, and says why.

use super::games::{Answer, GamesAnalysis, Sides};
use super::measure::Measure;
use crate::{ClaimId, EffectUnit, Finding, PlannedTest, Role, TestEvidence};
use chase_statistics::{CannotDecide, FindingPlan, MeanPlan, PlannedStatistic, Power};

/// Smallest probability of the right verdict in either world.
pub(crate) const LEAST_POWER: f64 = 0.5;

/// The distance of the worlds from the threshold, and the standard deviation of one game: ten points of a score or a
/// share, half a die or ply. Deviations are the largest possible ones for scores and shares, and for dice and plies
/// those of studies 0012 and 0015, rounded up.
pub(crate) const fn assumed(unit: EffectUnit) -> (f64, f64) {
    match unit {
        EffectUnit::Score | EffectUnit::Share => (0.1, 0.5),
        EffectUnit::Dice => (0.5, 1.5),
        _ => (0.5, 3.0),
    }
}

impl GamesAnalysis<'_> {
    /// The plan of a test on the mean over some series, minus that over others.
    pub fn plan(&self, measure: Measure, sides: &[Sides], comparisons: usize, threshold: f64) -> FindingPlan {
        let (range, method) = self.way(measure, sides);
        let games = |series: usize| if series == 0 { 0.0 } else { 1.0 / series as f64 };
        let of_player = |sides: &Sides| games(sides.plus.len()) + games(sides.minus.len());
        let variance = sides.iter().map(of_player).sum::<f64>() / (sides.len().max(1) as f64).powi(2);
        let mean = MeanPlan {
            method,
            range,
            deviation: assumed(measure.unit()).1 * variance.sqrt(),
            threshold,
            // Games added later count: they may be what makes a test able to decide.
            blocks: self.planned(sides, self.design.most()).into(),
        };
        self.plan_of(mean, measure.unit(), comparisons)
    }

    /// The plan of a test on a mean in this unit. The deviation of its blocks is limited to what their range allows.
    pub fn plan_of(&self, mean: MeanPlan, unit: EffectUnit, comparisons: usize) -> FindingPlan {
        let ((begin, end), threshold) = (mean.range, mean.threshold);
        let distance = assumed(unit).0;
        let holds = threshold + distance.min((end - threshold) / 2.0);
        let fails = threshold - distance.min((threshold - begin) / 2.0);
        // No block varies more than one that is always at either end of the range.
        let most = |mean: f64| ((mean - begin) * (end - mean)).sqrt();
        let deviation = mean.deviation.min(0.95 * most(holds).min(most(fails)));
        FindingPlan {
            statistic: PlannedStatistic::Mean(MeanPlan { deviation, ..mean }),
            error: self.design.config.error / comparisons.max(1) as f64,
            holds,
            fails,
            least_power: LEAST_POWER,
        }
    }
}

impl Finding {
    /// Keeps the finding if `needed` of its tests can come out either way; else makes it context, with the reason. Adds
    /// the plans to the evidence. Everything is determined by the seed.
    pub(crate) fn with_plans(mut self, plans: &[FindingPlan], needed: usize, seed: u64) -> Self {
        let powers: Vec<Result<Power, CannotDecide>> = plans.iter().map(|plan| plan.power(seed)).collect();
        let planned = plans.iter().zip(&powers).map(|(&plan, power)| PlannedTest {
            plan,
            power: power.as_ref().ok().copied(),
            refused: power.as_ref().err().map(ToString::to_string),
        });
        self = self.with_test_evidence(TestEvidence {
            planned: Some(planned.collect()),
            ..TestEvidence::default()
        });
        let refusals = powers.iter().filter_map(|power| power.as_ref().err());
        if powers.len() - refusals.clone().count() >= needed {
            return self;
        }
        let reason = refusals.map(ToString::to_string).next().unwrap_or_default();
        self.summary += &format!(
            " This test decides nothing: with the games that were planned it cannot come out either way ({reason})."
        );
        self.as_context()
    }
}

impl Answer {
    /// Keeps the answer if its test can come out either way; else makes it context, with the reason. Of several
    /// measures, most must.
    pub fn unless_it_cannot_decide(self, seed: u64) -> Self {
        if self.plans.is_empty() {
            return self;
        }
        let finding = self.finding.with_plans(&self.plans, self.plans.len() / 2 + 1, seed);
        match (finding.role, finding.claim) {
            // Tables and boards show the score of each first move, whatever is decided: that needs more games.
            (Role::Deciding, _) | (_, ClaimId::A2) => Self { finding, ..self },
            (Role::Context, _) => Self::context(finding),
        }
    }
}
