//! A planned finding about a class of units among all, by an exact test.

use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

use crate::Verdict;
use crate::cannot_decide::{CannotDecide, positive};
use crate::power::{Power, verdict_shares};
use crate::ranking::lowest_by_chance;

/// The claim that the mean of a class of units is lower than that of the others by more than a margin, by Fisher's
/// exact test over all choices of equally many units. It is supported if the class, raised by the margin, is as low as
/// it is by chance with a probability of at most the error; and refuted if it is as high.
///
/// Units that are certain to be lower than the class do not belong among the units: a choice may have each of them
/// instead of one of the class, and the smallest p-value is no longer 1 / C(N, k). With two of 22 units in the class
/// and two others below them, six choices of 231 are as low at best, which is above 0.025: no possible result supports
/// the claim.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PermutationPlan {
    /// Number of units.
    pub units: usize,
    /// Number of units in the class.
    pub class: usize,
    /// Units outside the class that are known to be no higher than it, because they are poor by another claim or tied
    /// with it.
    pub never_above: usize,
    /// Standard deviation of units, from their true differences and measurement errors, in the unit of the effect.
    pub deviation: f64,
    /// The claim: the class is lower by more than this.
    pub margin: f64,
}

/// Most choices of units that are enumerated.
const MOST_CHOICES: f64 = 200_000.0;
/// Approximate number of choices that are enumerated in all findings of a world.
const CHOICES_IN_ALL: f64 = 2e7;

impl PermutationPlan {
    /// Number of choices of as many units as are in the class.
    pub fn choices(&self) -> f64 {
        choose(self.units, self.class)
    }

    /// The smallest possible p-value: all choices from the class and the units that are never above it are as low, and
    /// the others are not.
    pub fn attainable_p(&self) -> f64 {
        choose(self.class + self.never_above, self.class) / self.choices()
    }

    /// The power where the class is lower by `holds` (as a negative effect), and where it differs by `fails`, at this
    /// error.
    pub(crate) fn power(
        &self,
        error: f64,
        (holds, fails): (f64, f64),
        rng_holds: &mut Xoshiro256PlusPlus,
        rng_fails: &mut Xoshiro256PlusPlus,
    ) -> Result<Power, CannotDecide> {
        self.check((holds, fails))?;
        let attainable = self.attainable_p();
        if attainable > error {
            return Err(CannotDecide::TooCoarse {
                attainable,
                error,
                ways: choose(self.class + self.never_above, self.class),
                choices: self.choices(),
            });
        }
        let simulations = (CHOICES_IN_ALL / self.choices()).clamp(100.0, 1000.0) as u32;
        let share = |effect, rng: &mut Xoshiro256PlusPlus| {
            verdict_shares(simulations, || self.verdict(&self.draw(effect, rng), error))
        };
        let [supported, wrongly_refuted] = share(holds, rng_holds);
        let [wrongly_supported, refuted] = share(fails, rng_fails);
        Ok(Power {
            attainable_p: Some(attainable),
            half_width: None,
            blocks_if_it_holds: None,
            blocks_if_it_fails: None,
            supported,
            refuted,
            wrongly_refuted,
            wrongly_supported,
            simulations,
        })
    }

    /// The verdict on units, of which the first are the class.
    pub fn verdict(&self, units: &[f64], error: f64) -> Verdict {
        let raised = |sign: f64| -> Vec<f64> {
            let raise = |(index, &unit): (usize, &f64)| {
                let margin = if index < self.class { self.margin } else { 0.0 };
                sign * (unit + margin)
            };
            units.iter().enumerate().map(raise).collect()
        };
        if lowest_by_chance(&raised(1.0), self.class) <= error {
            Verdict::Supported
        } else if lowest_by_chance(&raised(-1.0), self.class) <= error {
            Verdict::Refuted
        } else {
            Verdict::Inconclusive
        }
    }

    fn check(&self, (holds, fails): (f64, f64)) -> Result<(), CannotDecide> {
        let outside = self.units.saturating_sub(self.class);
        CannotDecide::check_numbers([
            (
                "the class",
                self.class as f64,
                "at least one unit, and less than all",
                self.class > 0 && outside > 0,
            ),
            (
                "the number of units that are never above the class",
                self.never_above as f64,
                "less than there are outside of it",
                self.never_above < outside,
            ),
            positive("the deviation", self.deviation),
            (
                "the margin",
                self.margin,
                "a number from 0 on",
                self.margin >= 0.0 && self.margin.is_finite(),
            ),
        ])?;
        CannotDecide::check_sides(false, -self.margin, (holds, fails))?;
        if self.choices() > MOST_CHOICES {
            return Err(CannotDecide::TooMany {
                choices: self.choices(),
                most: MOST_CHOICES,
            });
        }
        Ok(())
    }

    /// Simulated units of a world, the class first: normal, with the class at this effect from the others, and the
    /// units that are never above it far below.
    fn draw(&self, effect: f64, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
        let far = 10.0 * self.deviation + effect.abs();
        let unit = |index: usize| {
            let standard: f64 = StandardNormal.sample(rng);
            let place = match index {
                index if index < self.class => effect,
                index if index < self.class + self.never_above => -far,
                _ => 0.0,
            };
            place + self.deviation * standard
        };
        (0..self.units).map(unit).collect()
    }
}

/// The binomial coefficient n over k; 0 if k is more than n.
fn choose(n: usize, k: usize) -> f64 {
    if k > n {
        return 0.0;
    }
    (0..k)
        .map(|index| (n - index) as f64 / (k - index) as f64)
        .product::<f64>()
        .round()
}
