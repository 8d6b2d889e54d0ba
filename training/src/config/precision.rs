//! The choice of a precision.

use std::fmt;

use chase_models::fused;
use chase_models::{Architecture, Precision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tch::Device;

/// Arithmetic of networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PrecisionChoice {
    /// What is fastest on the machine: the program's own kernel where it evaluates the network and is faster than libtorch
    /// ([`fused::fastest`]), else libtorch in bfloat16 where the hardware is faster in it, else in 32 bits.
    Auto,
    /// 32-bit floats.
    F32,
    /// bfloat16.
    Bf16,
    /// bfloat16 by the program's own kernel ([`chase_models::fused`]).
    Fused,
    /// 32-bit floats by the program's own kernel.
    #[serde(rename = "fused-f32")]
    FusedF32,
}

impl fmt::Display for PrecisionChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Fused => "fused",
            Self::FusedF32 => "fused-f32",
        })
    }
}

impl PrecisionChoice {
    /// The precision of self-play that it stands for with a network on a device of this machine.
    pub fn on(self, network: &Architecture, device: Device) -> Precision {
        let fastest = || fused::fastest(network, device).unwrap_or_else(|| Precision::fastest(device));
        self.named().unwrap_or_else(fastest)
    }

    /// The precision of a learner on a device of this machine: always libtorch's, since the kernel of this program does not
    /// learn.
    pub(crate) fn of_learner(self, device: Device) -> Precision {
        self.named().unwrap_or_else(|| Precision::fastest(device))
    }

    /// The precision that it names; `None` if it leaves the choice to the machine.
    pub const fn named(self) -> Option<Precision> {
        match self {
            Self::Auto => None,
            Self::F32 => Some(Precision::F32),
            Self::Bf16 => Some(Precision::Bf16),
            Self::Fused => Some(Precision::Fused),
            Self::FusedF32 => Some(Precision::FusedF32),
        }
    }

    /// True for the program's own kernel.
    pub(crate) const fn is_fused(self) -> bool {
        matches!(self, Self::Fused | Self::FusedF32)
    }
}

impl From<Precision> for PrecisionChoice {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::F32 => Self::F32,
            Precision::Bf16 => Self::Bf16,
            Precision::Fused => Self::Fused,
            Precision::FusedF32 => Self::FusedF32,
        }
    }
}
