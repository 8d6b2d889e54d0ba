//! What a test can be expected to say, before its games are played.
//!
//! A test that comes out one way only, whatever is true, decides nothing. So every deciding test states a world in which the claim
//! holds and one in which it does not, and is refused if the right verdict is not the likely one in both, with the games that are
//! planned. It then stands beside, and says why.

use serde_json::json;

use super::games::{Analysis, Answer, Counted, Sides};
use crate::Unit;
use chase_statistics::{CannotDecide, FindingPlan, MeanMethod, MeanPlan, PlannedStatistic, Power};

/// How probable the right verdict must be in either world.
const LEAST_POWER: f64 = 0.5;

/// How far the worlds lie from the threshold, and the standard deviation of one game: ten points of a score or a share, half a die or
/// ply. Deviations are the greatest that there can be for scores and shares, and for dice and plies those of studies 0012 and 0015,
/// rounded up.
const fn assumed(unit: Unit) -> (f64, f64) {
    match unit {
        Unit::Score | Unit::Share => (0.1, 0.5),
        Unit::Dice => (0.5, 1.5),
        _ => (0.5, 3.0),
    }
}

impl Analysis<'_> {
    /// The plan of a test on the mean over some series, less that over others.
    pub fn plan(&self, counted: Counted, sides: &[Sides], comparisons: usize, threshold: f64) -> FindingPlan {
        let (range, method) = Self::way(counted, sides);
        let games = |series: usize| if series == 0 { 0.0 } else { 1.0 / series as f64 };
        let of_player = |sides: &Sides| games(sides.plus.len()) + games(sides.minus.len());
        let variance = sides.iter().map(of_player).sum::<f64>() / (sides.len().max(1) as f64).powi(2);
        let deviation = assumed(counted.unit).1 * variance.sqrt();
        // What was added later counts: it may be what makes a test able to decide.
        let blocks = self.planned(sides).max(self.design.most());
        self.plan_of(counted, range, method, comparisons, threshold, deviation, blocks.into())
    }

    /// The plan of a test on a mean of blocks of this deviation.
    #[allow(clippy::too_many_arguments, reason = "each is a field of the plan")]
    pub fn plan_of(
        &self,
        counted: Counted,
        range: (f64, f64),
        method: MeanMethod,
        comparisons: usize,
        threshold: f64,
        deviation: f64,
        blocks: u64,
    ) -> FindingPlan {
        let (begin, end) = range;
        let distance = assumed(counted.unit).0;
        let holds = threshold + distance.min((end - threshold) / 2.0);
        let fails = threshold - distance.min((threshold - begin) / 2.0);
        // No block varies more than one that is always at one of both ends.
        let most = |mean: f64| ((mean - begin) * (end - mean)).sqrt();
        let deviation = deviation.min(0.95 * most(holds).min(most(fails)));
        FindingPlan {
            statistic: PlannedStatistic::Mean(MeanPlan {
                method,
                range,
                deviation,
                threshold,
                blocks,
            }),
            error: self.design.config.error / comparisons.max(1) as f64,
            holds,
            fails,
            least_power: LEAST_POWER,
        }
    }
}

impl Answer {
    /// The same if its test can come out either way; else beside, with the reason. Everything follows from the seed.
    pub fn unless_it_cannot_decide(mut self, seed: u64) -> Self {
        if self.plans.is_empty() {
            return self;
        }
        let powers: Vec<Result<Power, CannotDecide>> = self.plans.iter().map(|plan| plan.power(seed)).collect();
        let planned = self.plans.iter().zip(&powers).map(|(plan, power)| {
            let refused = power.as_ref().err().map(ToString::to_string);
            json!({ "plan": plan, "power": power.as_ref().ok(), "refused": refused })
        });
        let planned: Vec<_> = planned.collect();
        let able = powers.iter().filter(|power| power.is_ok()).count();
        let reason = powers
            .iter()
            .find_map(|power| power.as_ref().err().map(ToString::to_string));
        match self.finding.evidence.as_object_mut() {
            Some(evidence) => {
                evidence.insert("planned".into(), json!(planned));
            }
            None => self.finding.evidence = json!({ "measures": self.finding.evidence, "planned": planned }),
        }
        // Of several measures most decide.
        if 2 * able > powers.len() {
            return self;
        }
        let mut answer = Self::context(self.finding);
        answer.finding.summary += &format!(
            " This test decides nothing: with the games that were planned it cannot come out either way ({}).",
            reason.unwrap_or_default()
        );
        answer
    }
}
