//! The plan of a finding, before any game is played.
//!
//! A test that cannot come out both ways decides nothing, however many games are played for it. So a plan describes the
//! test and the worlds in which the claim would hold and fail. The result is the probability of each verdict there, or
//! the reason that the finding cannot decide.

use serde::{Deserialize, Serialize};

use crate::best_plan::BestPlan;
use crate::cannot_decide::CannotDecide;
use crate::look_plan::LookPlan;
use crate::mean_plan::MeanPlan;
use crate::power::Power;
use crate::{Verdict, generator};

/// The plan of a deciding finding.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingPlan {
    /// The statistic, and its threshold.
    pub statistic: PlannedStatistic,
    /// Error probability of the finding: its share of the total.
    pub error: f64,
    /// The true effect in a world where the claim holds, in the unit of the statistic.
    pub holds: f64,
    /// The true effect in a world where it does not.
    pub fails: f64,
    /// Required probability of the right verdict in each world, at the planned size.
    pub least_power: f64,
}

/// The kinds of statistics that decide claims.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PlannedStatistic {
    /// The mean over blocks, of numbers or of differences, is greater than a threshold.
    Mean(MeanPlan),
    /// At least a given number of series are near the best of them: the effect is the number of equally good ones.
    Best(BestPlan),
    /// The mean of observations, or the difference of two, is greater than a threshold, at one look.
    Look(LookPlan),
}

impl FindingPlan {
    /// Power of the finding, from simulations that are determined by a seed.
    ///
    /// # Errors
    /// If it cannot come out both ways, each with the required probability in the world where it is right; or if the
    /// plan is invalid.
    pub fn power(&self, seed: u64) -> Result<Power, CannotDecide> {
        let (error, least) = (self.error, self.least_power);
        CannotDecide::check_numbers([
            ("the error", error, "between 0 and 1", 0.0 < error && error < 1.0),
            (
                "the least power",
                least,
                "more than 0 and less than 1",
                0.0 < least && least < 1.0,
            ),
        ])?;
        let (holds, fails) = (&mut generator(seed, &[0]), &mut generator(seed, &[1]));
        let power = match &self.statistic {
            PlannedStatistic::Mean(plan) => plan.power(self.error, (self.holds, self.fails), holds, fails)?,
            PlannedStatistic::Best(plan) => plan.power(self.error, (self.holds, self.fails), holds, fails)?,
            PlannedStatistic::Look(plan) => plan.power(self.error, (self.holds, self.fails), holds, fails)?,
        };
        for (verdict, effect, probability) in [
            (Verdict::Supported, self.holds, power.supported),
            (Verdict::Refuted, self.fails, power.refuted),
        ] {
            if probability < least {
                return Err(CannotDecide::Weak {
                    verdict,
                    effect,
                    probability,
                    least,
                });
            }
        }
        Ok(power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MeanMethod;

    fn plan(statistic: PlannedStatistic, error: f64, holds: f64, fails: f64) -> FindingPlan {
        FindingPlan {
            statistic,
            error,
            holds,
            fails,
            least_power: 0.5,
        }
    }

    const SCORE: MeanPlan = MeanPlan {
        method: MeanMethod::Betting,
        range: (0.0, 1.0),
        deviation: 0.285,
        threshold: 0.52,
        blocks: 256,
    };

    #[test]
    fn a_finding_that_can_come_out_both_ways_says_how_often() {
        // A1: 6 points are 3.4 standard errors of 1.8 points, slightly more than the half width of either method.
        let power = plan(PlannedStatistic::Mean(SCORE), 0.05, 0.60, 0.44)
            .power(1)
            .expect("a plan that decides");
        assert!(
            (0.8..=1.0).contains(&power.supported) && (0.8..=1.0).contains(&power.refuted),
            "{power:?}"
        );
        // Half of them sooner than planned; errors as rare as stated, within three standard errors.
        let sooner = |blocks: Option<u64>| blocks.is_some_and(|blocks| (30..256).contains(&blocks));
        assert!(
            sooner(power.blocks_if_it_holds) && sooner(power.blocks_if_it_fails),
            "{power:?}"
        );
        assert!(
            power.wrongly_refuted < 0.05 && power.wrongly_supported < 0.05,
            "{power:?}"
        );
        let half = power.half_width.expect("an interval") / (0.285 / 16.0);
        assert!((2.5..4.0).contains(&half), "{half}");
        // The same seed gives the same numbers.
        let again = |seed| plan(PlannedStatistic::Mean(SCORE), 0.05, 0.60, 0.44).power(seed).ok();
        assert_eq!(again(1), Some(power));
        assert_ne!(again(2), Some(power));
        let text = serde_json::to_string(&power).expect("plain data");
        assert_eq!(serde_json::from_str::<Power>(&text).ok(), Some(power));
    }

    /// B4's main clause in study 0015: dice in a range of ±12. Either verdict is out of reach by betting, but not by
    /// the t-martingale.
    #[test]
    fn a_method_that_is_too_wide_is_refused() {
        let dice = |method| {
            let mean = MeanPlan {
                method,
                range: (-12.0, 12.0),
                deviation: 0.333,
                threshold: 0.1,
                blocks: 256,
            };
            plan(PlannedStatistic::Mean(mean), 0.05 / 3.0, 0.25, -0.05).power(1)
        };
        let refusal = dice(MeanMethod::Betting).expect_err("too wide");
        assert!(
            matches!(refusal, CannotDecide::Weak { verdict: Verdict::Supported, probability, .. } if probability < 0.05),
            "{refusal}"
        );
        let power = dice(MeanMethod::Student).expect("narrow enough");
        assert!(power.supported > 0.95 && power.refuted > 0.95, "{power:?}");
    }

    /// A2 in study 0015: 22 pairs of mirror images, from three agents' games. Three equally good ones cannot be shown
    /// to be within two points, but a single one can; with wider margins or more games either result is possible.
    #[test]
    fn near_the_best_takes_more_games_than_far_from_it() {
        let of = |margin, blocks| {
            let best = BestPlan {
                range: (0.0, 1.0),
                deviation: 0.204,
                series: 22,
                margin,
                distance: 0.3,
                blocks,
            };
            plan(PlannedStatistic::Best(best), 0.05, 3.0, 1.0).power(1)
        };
        let refusal = of(0.02, 256).expect_err("too few");
        assert!(
            matches!(refusal, CannotDecide::Weak { verdict: Verdict::Supported, probability, .. } if probability < 0.1),
            "{refusal}"
        );
        let power = of(0.12, 256).expect("enough for that");
        assert!(power.supported > 0.5 && power.refuted > 0.5, "{power:?}");
        assert!(
            power.wrongly_refuted <= 0.1 && power.wrongly_supported <= 0.1,
            "{power:?}"
        );
        assert_eq!(
            (power.blocks_if_it_holds, power.blocks_if_it_fails),
            (Some(256), Some(256))
        );
    }

    /// C1 by forks: 256 of each of three players against the same number of the control, and 64.
    #[test]
    fn a_mean_at_one_look_needs_enough_observations() {
        let of = |each: u64| {
            let look = LookPlan {
                most: 2.0,
                deviation: 0.62,
                observations: [each, each],
                least_error: (4.0 * 3.0_f64).sqrt() / each as f64,
                threshold: 0.02,
            };
            plan(PlannedStatistic::Look(look), 0.05 / 8.0, 0.12, -0.08).power(1)
        };
        let power = of(3 * 256).expect("enough");
        // 2.74 standard errors of 0.62 √(2 / 768) = 0.032, and a tenth is 3.2 of them.
        assert!((power.half_width.expect("a width") - 0.088).abs() < 0.002, "{power:?}");
        assert!(
            (0.55..0.75).contains(&power.supported) && (0.55..0.75).contains(&power.refuted),
            "{power:?}"
        );
        assert!(
            power.wrongly_supported < 0.01 && power.wrongly_refuted < 0.01,
            "{power:?}"
        );
        assert!(
            power
                .blocks_if_it_holds
                .is_some_and(|forks| (500..768).contains(&forks)),
            "{power:?}"
        );
        assert!(power.attainable_p.is_some_and(|p| p < 1e-9), "{power:?}");
        assert!(matches!(of(64), Err(CannotDecide::Weak { .. })), "{:?}", of(64));
        assert!(
            of(9)
                .expect_err("none")
                .to_string()
                .starts_with("the number of observations is 9: ")
        );
    }

    #[test]
    fn plans_that_make_no_sense_are_refused() {
        let refusal = |statistic, holds, fails| {
            let refused = plan(statistic, 0.05, holds, fails).power(1);
            refused.expect_err("senseless").to_string()
        };
        let mean = PlannedStatistic::Mean;
        assert_eq!(
            refusal(mean(SCORE), 0.51, 0.44),
            "the claim is to hold at 0.51, which is on the wrong side of its threshold 0.52"
        );
        assert_eq!(
            refusal(mean(SCORE), 0.60, 0.55),
            "the claim is to fail at 0.55, which is on the wrong side of its threshold 0.52"
        );
        let above = MeanPlan {
            threshold: 1.0,
            ..SCORE
        };
        assert_eq!(
            refusal(mean(above), 0.6, 0.44),
            "the threshold is 1: expected within the range of what is measured"
        );
        let wild = MeanPlan {
            deviation: 0.5,
            ..SCORE
        };
        assert!(
            refusal(mean(wild), 0.6, 0.44)
                .starts_with("a block cannot have a standard deviation of 0.5 at a mean of 0.6: ")
        );
        let still = MeanPlan {
            deviation: 0.0,
            ..SCORE
        };
        assert!(refusal(mean(still), 0.6, 0.44).contains("standard deviation of 0 "));
        let unsure = FindingPlan {
            error: 1.5,
            ..plan(mean(SCORE), 0.05, 0.6, 0.44)
        };
        assert_eq!(
            unsure.power(1).expect_err("no error").to_string(),
            "the error is 1.5: expected between 0 and 1"
        );
    }
}
