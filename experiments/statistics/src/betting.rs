//! The gamblers of [`BoundedMean`](crate::bounded_mean::BoundedMean): their stakes on each number, and their capital.

/// Largest share of a gambler's capital that a number can cost, so that no gambler is ever ruined. (Waudby-Smith and
/// Ramdas name 0.5 and 0.75. Differences hardly vary within a range that is mostly never reached, and allow more.)
const GREATEST_LOSS: f64 = 0.9;
/// Moments for which stakes are optimized, as shares of the horizon.
// With these three an interval for scores reaches 3.12 standard errors at 256 blocks, and 95 % intervals miss in at
// most 4.2 % of runs (study 0018). Other moments were not measured.
pub const MOMENTS: [f64; 3] = [1.0, 0.25, 0.0625];

/// The largest stake on a number in [0, 1] being greater than `mean`: the smallest number, 0, then costs the largest
/// loss.
fn greatest_stake(mean: f64) -> f64 {
    // The same stake for all means made intervals of differences two to three times as wide.
    GREATEST_LOSS / mean.max(f64::MIN_POSITIVE)
}

/// A number, scaled to [0, 1], and the gamblers' stakes on it before the limit against ruin.
pub struct Round {
    /// The number.
    pub number: f64,
    /// The stakes.
    pub stakes: [f64; MOMENTS.len()],
}

impl Round {
    /// The same round seen from the other end of the range.
    pub fn mirrored(&self) -> Self {
        Self {
            number: 1.0 - self.number,
            stakes: self.stakes,
        }
    }
}

/// The capital of the gamblers who bet that the mean is higher.
pub struct Purse([f64; MOMENTS.len()]);

impl Default for Purse {
    fn default() -> Self {
        Self([1.0 / MOMENTS.len() as f64; MOMENTS.len()])
    }
}

impl Purse {
    /// Bets on one number, under the hypothesis that the mean is `mean`.
    pub fn bet(&mut self, round: &Round, mean: f64) {
        let greatest = greatest_stake(mean);
        for (capital, stake) in self.0.iter_mut().zip(round.stakes) {
            let stake = stake.min(greatest);
            // Kept finite: no error is as small as this.
            *capital = (*capital * (1.0 + stake * (round.number - mean))).min(1e300);
        }
    }

    /// Total capital of all gamblers, initially 1.
    pub fn capital(&self) -> f64 {
        self.0.iter().sum()
    }
}
