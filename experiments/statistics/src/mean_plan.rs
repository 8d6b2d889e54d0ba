//! A planned finding about a mean.

use rand::rngs::Xoshiro256PlusPlus;
use rand_distr::{Beta, Distribution};
use serde::{Deserialize, Serialize};

use crate::cannot_decide::{CannotDecide, blocks, positive};
use crate::power::Power;
use crate::{AnytimeMean, Exclusion, MeanMethod};

/// The claim that the mean over blocks is greater than a threshold. For a difference, the numbers are differences, and
/// their range is that of differences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanPlan {
    /// Method of estimating the mean.
    pub method: MeanMethod,
    /// The smallest and the largest possible number of a block.
    pub range: (f64, f64),
    /// Standard deviation of a block.
    pub deviation: f64,
    /// The claim: the mean is greater than this.
    pub threshold: f64,
    /// Planned number of blocks.
    pub blocks: u64,
}

/// Findings simulated in each world.
const SIMULATIONS: u32 = 500;
/// Decisions are searched in up to this many times the planned number of blocks.
const BEYOND: usize = 4;
/// Number of intervals whose mean width is reported.
const WIDTHS: usize = 50;

impl MeanPlan {
    /// The power where the mean is `holds` and where it is `fails`, at this error.
    pub(crate) fn power(
        &self,
        error: f64,
        (holds, fails): (f64, f64),
        rng_holds: &mut Xoshiro256PlusPlus,
        rng_fails: &mut Xoshiro256PlusPlus,
    ) -> Result<Power, CannotDecide> {
        let (begin, end) = self.range;
        let measured = |what, number| {
            let within = begin < number && number < end;
            (what, number, "within the range of what is measured", within)
        };
        CannotDecide::check_numbers([
            positive("the width of the range", end - begin),
            measured("the threshold", self.threshold),
            measured("the mean if it holds", holds),
            measured("the mean if it fails", fails),
            blocks(self.blocks),
        ])?;
        CannotDecide::check_sides(self.threshold, (holds, fails))?;
        let mean = AnytimeMean::new(self.method, self.range, error, self.blocks);
        let (holds, widths) = self.world(mean, holds, rng_holds)?;
        let (fails, _) = self.world(mean, fails, rng_fails)?;
        let clearest = vec![end; self.blocks as usize];
        let attainable = mean.p_value(&clearest, self.threshold);
        Ok(Power {
            attainable_p: (attainable < 1.0).then_some(attainable),
            half_width: Some(widths),
            blocks_if_it_holds: self.half_decided(&holds),
            blocks_if_it_fails: self.half_decided(&fails),
            supported: self.share(&holds, true),
            refuted: self.share(&fails, false),
            wrongly_refuted: self.share(&holds, false),
            wrongly_supported: self.share(&fails, true),
            simulations: SIMULATIONS,
        })
    }

    /// The moments of decision of simulated findings, and the mean half width of intervals at the planned number of
    /// blocks.
    fn world(
        &self,
        mean: AnytimeMean,
        truth: f64,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<(Vec<Option<Exclusion>>, f64), CannotDecide> {
        let (begin, end) = self.range;
        let scaled = |number: f64| number / (end - begin);
        let (share, variance) = (scaled(truth - begin), scaled(self.deviation).powi(2));
        // A beta distribution with this mean and variance: nearly normal if it is narrow, all at both ends if it is as
        // wide as possible.
        let precision = share * (1.0 - share) / variance - 1.0;
        let beta = Beta::new(share * precision, (1.0 - share) * precision);
        let beta = beta
            .ok()
            .filter(|_| self.deviation > 0.0)
            .ok_or(CannotDecide::TooVaried {
                deviation: self.deviation,
                mean: truth,
                most: ((truth - begin) * (end - truth)).sqrt(),
            })?;
        let planned = self.blocks as usize;
        let (mut decided, mut widths) = (Vec::new(), 0.0);
        for finding in 0..SIMULATIONS as usize {
            let number = |_| begin + (end - begin) * beta.sample(rng);
            let numbers: Vec<f64> = (0..BEYOND * planned).map(number).collect();
            decided.push(mean.first_exclusion(&numbers, self.threshold));
            if finding < WIDTHS {
                let estimate = mean.estimate(&numbers[..planned]);
                let half_width = estimate.and_then(|estimate| estimate.current.half_width());
                widths += half_width.unwrap_or(end - begin) / WIDTHS as f64;
            }
        }
        Ok((decided, widths))
    }

    /// The share of findings with this decision at the planned number of blocks.
    fn share(&self, findings: &[Option<Exclusion>], supported: bool) -> f64 {
        let so = |exclusion: &&Exclusion| exclusion.above == supported && exclusion.after <= self.blocks;
        findings.iter().flatten().filter(so).count() as f64 / findings.len() as f64
    }

    /// The number of blocks after which half of the findings are decided.
    fn half_decided(&self, findings: &[Option<Exclusion>]) -> Option<u64> {
        let mut after: Vec<u64> = findings.iter().flatten().map(|exclusion| exclusion.after).collect();
        after.sort_unstable();
        after.get(findings.len() / 2).copied()
    }
}
