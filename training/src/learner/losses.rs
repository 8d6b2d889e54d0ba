//! The losses of a step.

use std::iter::Sum;
use std::ops::{Add, Div};

/// Losses of a batch: means over its rows, in nats if they are cross-entropies. Unweighted except for the total; NaN for
/// what the kind of network does not learn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Weighted sum of all.
    pub total: f64,
    /// Cross-entropy of the policy over the legal actions.
    pub policy: f64,
    /// Entropy of the policy targets: the lower bound of the policy's cross-entropy.
    pub target_entropy: f64,
    /// Cross-entropy of win, draw and loss, over the rows with a target.
    pub value: f64,
    /// Cross-entropy per cell of the occupancy at the horizon.
    pub occupancy: f64,
    /// Squared error of ln(1 + plies left).
    pub plies_left: f64,
    /// Squared error of the material at the horizon.
    pub material: f64,
}

impl Losses {
    /// Those of a network that judges positions and nothing else.
    pub const fn of_value(value: f64) -> Self {
        Self {
            total: value,
            policy: f64::NAN,
            target_entropy: f64::NAN,
            value,
            occupancy: f64::NAN,
            plies_left: f64::NAN,
            material: f64::NAN,
        }
    }

    fn map2(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            total: of(self.total, other.total),
            policy: of(self.policy, other.policy),
            target_entropy: of(self.target_entropy, other.target_entropy),
            value: of(self.value, other.value),
            occupancy: of(self.occupancy, other.occupancy),
            plies_left: of(self.plies_left, other.plies_left),
            material: of(self.material, other.material),
        }
    }

    /// The losses that the kind of network has, by their names in the metrics.
    pub fn figures(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let all = [
            ("loss/total", self.total),
            ("loss/policy", self.policy),
            ("loss/value", self.value),
            ("loss/occupancy", self.occupancy),
            ("loss/plies_left", self.plies_left),
            ("loss/dice_difference", self.material),
            ("policy/target_entropy", self.target_entropy),
            ("policy/kl_to_target", self.policy - self.target_entropy),
        ];
        all.into_iter().filter(|(_, loss)| loss.is_finite())
    }
}

impl Add for Losses {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.map2(other, Add::add)
    }
}

impl Sum for Losses {
    fn sum<I: Iterator<Item = Self>>(losses: I) -> Self {
        losses.fold(Self::default(), Add::add)
    }
}

impl Div<f64> for Losses {
    type Output = Self;

    fn div(self, divisor: f64) -> Self {
        self.map2(self, |loss, _| loss / divisor)
    }
}
