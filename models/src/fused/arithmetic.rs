//! The numbers that the kernel multiplies.

use crate::precision::Precision;

/// The numbers that are multiplied. Sums are in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// bfloat16, of which a unit of 32 bits has two.
    Bf16,
    /// 32-bit floats.
    F32,
}

impl Arithmetic {
    /// The arithmetic of a precision; `None` for a precision of libtorch.
    pub const fn of(precision: Precision) -> Option<Self> {
        match precision {
            Precision::Fused => Some(Self::Bf16),
            Precision::FusedF32 => Some(Self::F32),
            Precision::F32 | Precision::Bf16 => None,
        }
    }

    /// Channels in a unit of 32 bits.
    #[cfg(target_arch = "x86_64")]
    pub const fn channels_of_unit(self) -> usize {
        match self {
            Self::Bf16 => 2,
            Self::F32 => 1,
        }
    }

    /// A unit, by its channels.
    #[cfg(target_arch = "x86_64")]
    pub fn unit(self, channel: impl Fn(usize) -> f32) -> u32 {
        match self {
            Self::Bf16 => rounded(channel(0)) | (rounded(channel(1)) << 16),
            Self::F32 => channel(0).to_bits(),
        }
    }
}

/// The bits of a number in bfloat16, rounded to the nearest, and to even between two.
#[cfg(target_arch = "x86_64")]
const fn rounded(number: f32) -> u32 {
    if number.is_nan() {
        // A quiet NaN: rounding could make it infinite or zero.
        return 0x7fc0;
    }
    let bits = number.to_bits();
    // Half of the last kept bit, less one if that bit is even: as the processor and libtorch round.
    (bits + 0x7fff + ((bits >> 16) & 1)) >> 16
}
