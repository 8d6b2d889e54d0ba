//! Precisions of inference.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tch::{Device, Kind};

use crate::device::is_faster_in_bf16;

/// The arithmetic of the convolutions. Dense layers, means and outputs are always in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// 32-bit floats.
    F32,
    /// bfloat16: eight bits of precision, twice as fast where there are fast units for it.
    Bf16,
    /// bfloat16 by the kernel of this program ([`crate::fused`]), on processors with units for it: 1.4 to 1.9 times as fast as
    /// libtorch in batches of 128, and up to 17 times as fast for one position (study 0055); with AMX 2.3 and 22 times (study
    /// 0066). Sums are in 32 bits; each layer's
    /// output is rounded.
    Fused,
    /// 32-bit floats by the kernel of this program, on x86-64 processors with AVX2 or AVX-512: the same to the last bit on
    /// all of them.
    #[serde(rename = "fused-f32")]
    FusedF32,
}

impl Precision {
    /// The smallest batch for which bfloat16 is faster on a CPU. In a smaller batch the fixed cost of each layer, such
    /// as laying out the weights anew, exceeds that of the arithmetic, and is higher in bfloat16.
    // At batch 1 libtorch makes 2.7 k evaluations per second in f32 and 2.3 k in bf16, at batch 32 11.2 k and 17.3 k
    // (b4c32, study 0055). Sizes between were not measured there.
    const BF16_BATCH: usize = 8;

    /// The faster precision of libtorch on a device for large batches, by the hardware's units; the same on every run.
    pub fn fastest(device: Device) -> Self {
        if is_faster_in_bf16(device) {
            Self::Bf16
        } else {
            Self::F32
        }
    }

    /// The faster precision of libtorch on a device for batches of one size.
    pub fn fastest_for(device: Device, batch: usize) -> Self {
        if device == Device::Cpu && batch < Self::BF16_BATCH {
            Self::F32
        } else {
            Self::fastest(device)
        }
    }

    /// True for the precisions of this program's kernel.
    pub const fn is_fused(self) -> bool {
        matches!(self, Self::Fused | Self::FusedF32)
    }

    /// The precision of libtorch that multiplies the same numbers.
    #[must_use]
    pub const fn of_libtorch(self) -> Self {
        match self {
            Self::F32 | Self::FusedF32 => Self::F32,
            Self::Bf16 | Self::Fused => Self::Bf16,
        }
    }

    /// The element type of tensors.
    pub const fn kind(self) -> Kind {
        match self {
            // The kernel rounds by itself.
            Self::F32 | Self::Fused | Self::FusedF32 => Kind::Float,
            Self::Bf16 => Kind::BFloat16,
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Fused => "fused",
            Self::FusedF32 => "fused-f32",
        })
    }
}

/// Error returned for a text that is not the name of a precision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown precision `{0}`: expected `f32`, `bf16`, `fused` or `fused-f32`")]
pub struct PrecisionError(String);

impl FromStr for Precision {
    type Err = PrecisionError;

    fn from_str(text: &str) -> Result<Self, PrecisionError> {
        match text {
            "f32" => Ok(Self::F32),
            "bf16" => Ok(Self::Bf16),
            "fused" => Ok(Self::Fused),
            "fused-f32" => Ok(Self::FusedF32),
            _ => Err(PrecisionError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn precisions_have_names() {
        for precision in [Precision::F32, Precision::Bf16, Precision::Fused, Precision::FusedF32] {
            assert_eq!(precision.to_string().parse(), Ok(precision));
        }
        assert!("fp16".parse::<Precision>().is_err());
    }
}
