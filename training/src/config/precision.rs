//! The choice of a precision.

use std::fmt;

use chase_models::fused::{self, FusedError, can_fuse};
use chase_models::{Architecture, Precision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tch::Device;

/// Arithmetic of networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PrecisionChoice {
    /// bfloat16 where the hardware is faster in it, else 32 bits.
    Auto,
    /// The program's own kernel where it evaluates the network and is faster than libtorch, else as `auto`.
    Fastest,
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
            Self::Fastest => "fastest",
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Fused => "fused",
            Self::FusedF32 => "fused-f32",
        })
    }
}

impl PrecisionChoice {
    /// The precision that it stands for with a network on a device of this machine.
    pub fn on(self, network: &Architecture, device: Device) -> Precision {
        match self {
            Self::Auto => Precision::fastest(device),
            Self::Fastest => fused::fastest_in_batches(network, device).unwrap_or_else(|| Precision::fastest(device)),
            Self::F32 => Precision::F32,
            Self::Bf16 => Precision::Bf16,
            Self::Fused => Precision::Fused,
            Self::FusedF32 => Precision::FusedF32,
        }
    }

    /// True if the program's own kernel may stand for it.
    pub(crate) const fn may_be_fused(self) -> bool {
        matches!(self, Self::Fastest | Self::Fused | Self::FusedF32)
    }

    /// The same choice, without `auto` and `fastest`.
    ///
    /// # Errors
    /// The reason that the kernel of this program cannot evaluate such networks.
    pub(crate) fn resolved(self, network: &Architecture, device: Device) -> Result<Self, FusedError> {
        let precision = self.on(network, device);
        can_fuse(precision, network, device)?;
        Ok(match precision {
            Precision::F32 => Self::F32,
            Precision::Bf16 => Self::Bf16,
            Precision::Fused => Self::Fused,
            Precision::FusedF32 => Self::FusedF32,
        })
    }
}
