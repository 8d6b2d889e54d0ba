//! A planned finding about a mean at one look.

use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{ChiSquared, Distribution, StandardNormal};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::cannot_decide::{CannotDecide, positive};
use crate::clusters::{LEAST_BLOCKS, quantile};
use crate::power::{Power, verdict_shares};
use crate::{Interval, Verdict};

/// The claim that a mean, or the difference of two, is greater than a threshold, by Student's interval for one look:
/// the number of observations is fixed in advance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookPlan {
    /// The largest possible effect.
    pub most: f64,
    /// Standard deviation of an observation, or of a block if a block counts once.
    pub deviation: f64,
    /// Number of observations of the mean, and of the mean that is subtracted: 0 if there is none.
    pub observations: [u64; 2],
    /// The standard error that is reported if all observations are equal.
    pub least_error: f64,
    /// The claim: the effect is greater than this.
    pub threshold: f64,
}

/// Findings simulated in each world.
const SIMULATIONS: u32 = 1000;

impl LookPlan {
    /// The power where the effect is `holds` and where it is `fails`, at this error.
    pub(crate) fn power(
        &self,
        error: f64,
        (holds, fails): (f64, f64),
        rng_holds: &mut Xoshiro256PlusPlus,
        rng_fails: &mut Xoshiro256PlusPlus,
    ) -> Result<Power, CannotDecide> {
        let groups: Vec<u64> = self.observations.into_iter().filter(|&count| count > 0).collect();
        let counts = std::iter::once(self.observations[0]).chain(groups.iter().copied());
        CannotDecide::check_numbers(counts.map(|count| {
            let enough = count >= LEAST_BLOCKS;
            ("the number of observations", count as f64, "at least 10", enough)
        }))?;
        CannotDecide::check_numbers([positive("the deviation", self.deviation)])?;
        let threshold = self.threshold;
        CannotDecide::check_sides(threshold, (holds, fails))?;
        let all: u64 = groups.iter().sum();
        let Some(reach) = quantile(all, 1.0 - error) else {
            return Err(CannotDecide::Senseless {
                what: "the error",
                found: error,
                expected: "between 0 and 1",
            });
        };
        let variance = groups.iter().map(|&count| self.deviation.powi(2) / count as f64);
        let expected = (variance.sum::<f64>() + self.least_error.powi(2)).sqrt();
        let shares = |effect: f64, rng: &mut Xoshiro256PlusPlus| {
            verdict_shares(SIMULATIONS, || self.simulated(&groups, effect, reach, rng))
        };
        let [supported, wrongly_refuted] = shares(holds, rng_holds);
        let [wrongly_supported, refuted] = shares(fails, rng_fails);
        // Half of the findings are decided where the half width equals the distance.
        let needed = |effect: f64| {
            let times = (reach * expected / (effect - threshold)).powi(2);
            (times < 1e9).then_some((times * self.observations[0] as f64).ceil() as u64)
        };
        let clearest = (self.most - threshold) / self.least_error;
        let student = StudentsT::new(0.0, 1.0, all as f64 - 1.0).expect("there are at least ten observations");
        let attainable = (self.least_error > 0.0).then_some(student);
        Ok(Power {
            attainable_p: attainable.map(|student| 2.0 * student.sf(clearest)),
            half_width: Some(reach * expected),
            blocks_if_it_holds: needed(holds),
            blocks_if_it_fails: needed(fails),
            supported,
            refuted,
            wrongly_refuted,
            wrongly_supported,
            simulations: SIMULATIONS,
        })
    }

    /// The verdict on simulated means, which are nearly normal, with errors estimated from as many observations.
    fn simulated(&self, groups: &[u64], effect: f64, reach: f64, rng: &mut Xoshiro256PlusPlus) -> Verdict {
        let (mut value, mut variance) = (effect, self.least_error.powi(2));
        for &count in groups {
            let standard: f64 = StandardNormal.sample(rng);
            value += self.deviation / (count as f64).sqrt() * standard;
            let freedom = count as f64 - 1.0;
            let squares = ChiSquared::new(freedom).expect("a group has at least ten observations");
            variance += self.deviation.powi(2) * (squares.sample(rng) / freedom) / count as f64;
        }
        let half = reach * variance.sqrt();
        let interval = Interval {
            low: Some(value - half),
            high: Some(value + half),
        };
        Verdict::greater_than(&interval, self.threshold)
    }
}
