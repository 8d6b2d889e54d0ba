//! The gamblers of [`BoundedMean`](crate::bounded_mean::BoundedMean): what they stake on each number, and what they own.

/// No number costs a gambler more of the capital than this share, so that none is ever ruined. (Waudby-Smith and Ramdas
/// name 0.5 and 0.75. Differences hardly vary within a range of which the most part is never seen, and are worth more.)
const GREATEST_LOSS: f64 = 0.9;
/// Moments for which stakes are chosen, as shares of the horizon.
pub const MOMENTS: [f64; 3] = [1.0, 0.25, 0.0625];
/// Gamblers on both sides together.
const GAMBLERS: f64 = 2.0 * MOMENTS.len() as f64;

/// The greatest stake on a number in [0, 1] being greater than `mean`: the least number, 0, then costs the greatest loss.
fn greatest_stake(mean: f64) -> f64 {
    GREATEST_LOSS / mean.max(f64::MIN_POSITIVE)
}

/// Numbers needed until gamblers exclude a mean that is `gap` off, at this error, if one of them has the stakes that are best
/// for these numbers; infinite if no number does.
///
/// All is in units of the range: `supposed` is the mean that is to be excluded, seen from the side from which the bets come.
pub fn needed(gap: f64, supposed: f64, deviation: f64, error: f64) -> f64 {
    let square = deviation.powi(2) + gap * gap;
    let stake = (gap / square).min(greatest_stake(supposed));
    // Of the logarithm of the capital, for every number, to second order.
    let growth = stake * gap - stake * stake * square / 2.0;
    (GAMBLERS / error).ln() / growth
}

/// A number, scaled to [0, 1], and what the gamblers would stake on it, did they not fear to be ruined.
pub struct Round {
    /// The number.
    pub number: f64,
    /// The stakes.
    pub stakes: [f64; MOMENTS.len()],
}

impl Round {
    /// The same seen from the other end of the range.
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
    /// One number, if the mean is supposed to be `mean`.
    pub fn bet(&mut self, round: &Round, mean: f64) {
        let greatest = greatest_stake(mean);
        for (capital, stake) in self.0.iter_mut().zip(round.stakes) {
            let stake = stake.min(greatest);
            // Never infinite: a p-value needs no more than this.
            *capital = (*capital * (1.0 + stake * (round.number - mean))).min(1e300);
        }
    }

    /// What all of them own together, 1 at first.
    pub fn capital(&self) -> f64 {
        self.0.iter().sum()
    }
}
