//! A planned finding about the number of series near the best one.

use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{Distribution, StandardNormal};
use serde::{Deserialize, Serialize};

use crate::cannot_decide::{CannotDecide, blocks, positive};
use crate::power::{Power, verdict_shares};
use crate::{Best, Interval, MeanMethod, Verdict};

/// The claim that at least a given number of series are within a margin of the best of them, by [`Best`] and the
/// t-martingale. In the world where it holds exactly this many are equally good, where it fails only one is the best;
/// all others are `distance` behind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BestPlan {
    /// The smallest and the largest possible number of a block.
    pub range: (f64, f64),
    /// Standard deviation of a block of one series.
    pub deviation: f64,
    /// Number of series.
    pub series: usize,
    /// Largest distance from the best that still counts as near.
    pub margin: f64,
    /// Distance of the other series from the best.
    pub distance: f64,
    /// Planned blocks of each series.
    pub blocks: u64,
}

/// Findings simulated in each world: each compares all series with each other.
const SIMULATIONS: u32 = 60;
/// Findings simulated, and blocks of each, in the search for the number of blocks needed.
const IN_SEARCH: u32 = 20;
const BLOCKS_IN_SEARCH: u64 = 64;
/// Number of times that the blocks are doubled.
const DOUBLINGS: u32 = 10;

impl BestPlan {
    /// The power where `holds` series are equally good, and where `fails` are, if `holds` are claimed.
    pub(crate) fn power(
        &self,
        error: f64,
        (holds, fails): (f64, f64),
        rng_holds: &mut Xoshiro256PlusPlus,
        rng_fails: &mut Xoshiro256PlusPlus,
    ) -> Result<Power, CannotDecide> {
        let threshold = holds - 0.5;
        CannotDecide::check_numbers([
            (
                "the number of series that are claimed to be near the best",
                holds,
                "a number from 2 to that of all series",
                holds >= 2.0 && holds <= self.series as f64,
            ),
            (
                "the number of best series where it fails",
                fails,
                "from 1 to less than are claimed",
                fails >= 1.0 && fails < holds,
            ),
            positive("the deviation", self.deviation),
            (
                "the distance",
                self.distance,
                "more than the margin",
                self.distance > self.margin,
            ),
            blocks(self.blocks),
        ])?;
        let ([supported, wrongly_refuted], half_width) = self.shares(error, threshold, holds, SIMULATIONS, rng_holds);
        let ([wrongly_supported, refuted], _) = self.shares(error, threshold, fails, SIMULATIONS, rng_fails);
        Ok(Power {
            attainable_p: None,
            half_width: Some(half_width),
            blocks_if_it_holds: self.needed(rng_holds, |plan, rng| {
                plan.shares(error, threshold, holds, IN_SEARCH, rng).0[0]
            }),
            blocks_if_it_fails: self.needed(rng_fails, |plan, rng| {
                plan.shares(error, threshold, fails, IN_SEARCH, rng).0[1]
            }),
            supported,
            refuted,
            wrongly_refuted,
            wrongly_supported,
            simulations: SIMULATIONS,
        })
    }

    /// The shares of findings that are *supported* and *refuted* if this many series are equally good, and half of the
    /// mean number of series for which it is open if they are near the best.
    fn shares(
        &self,
        error: f64,
        threshold: f64,
        equals: f64,
        findings: u32,
        rng: &mut Xoshiro256PlusPlus,
    ) -> ([f64; 2], f64) {
        let best = Best::new(MeanMethod::Student, self.range, error, self.blocks);
        let mut width = 0.0;
        let verdicts = verdict_shares(findings, || {
            let series = |index: usize| {
                let mean = if (index as f64) < equals { 0.0 } else { -self.distance };
                let mut number = || {
                    let standard: f64 = StandardNormal.sample(rng);
                    Some(mean + self.deviation * standard)
                };
                (0..self.blocks).map(|_| number()).collect()
            };
            let series: Vec<Vec<Option<f64>>> = (0..self.series).map(series).collect();
            let compared = best.compare(&series).expect("a plan has at least two series");
            let near = compared.near(self.margin);
            width += (near.most - near.least) as f64 / 2.0;
            let [low, high] = [near.least, near.most].map(|count| Some(count as f64));
            Verdict::greater_than(&Interval { low, high }, threshold)
        });
        (verdicts, width / f64::from(findings))
    }

    /// Number of blocks at which half of the findings are decided: the planned number, twice as many, and so on. For
    /// speed only a few blocks are simulated, with accordingly less variation: the interval is as many standard errors
    /// wide.
    fn needed(
        &self,
        rng: &mut Xoshiro256PlusPlus,
        decided: impl Fn(&Self, &mut Xoshiro256PlusPlus) -> f64,
    ) -> Option<u64> {
        let few = self.blocks.min(BLOCKS_IN_SEARCH);
        let enough = |blocks: &u64| {
            let plan = Self {
                deviation: self.deviation * (few as f64 / *blocks as f64).sqrt(),
                blocks: few,
                ..*self
            };
            decided(&plan, rng) >= 0.5
        };
        (0..DOUBLINGS).map(|times| self.blocks << times).find(enough)
    }
}
