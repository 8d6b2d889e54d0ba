//! Networks evaluated by a kernel of this program, one position at a time, on one core.
//!
//! libtorch calls one kernel for each operation, and each reads its input from memory and writes its output there. Here
//! the numbers of a position never leave the caches, the two corners that a hexagonal kernel lacks are not multiplied,
//! and of the policy only the wanted logits are computed. A batch gains nothing and costs nothing: a position's result
//! does not depend on the others.
//!
//! libtorch stays the reference that results are compared with, and the default.

#[cfg(target_arch = "x86_64")]
mod board;
#[cfg(target_arch = "x86_64")]
mod kernel;
#[cfg(target_arch = "x86_64")]
mod layers;
#[cfg(target_arch = "x86_64")]
mod network;
#[cfg(target_arch = "x86_64")]
mod vector;

use tch::Device;

use crate::{Architecture, Precision};

#[cfg(target_arch = "x86_64")]
pub(crate) use network::FusedNetwork;

/// No network can be evaluated so on other processors.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) enum FusedNetwork {}

#[cfg(not(target_arch = "x86_64"))]
impl FusedNetwork {
    pub const fn new(
        _: &crate::network::Layers,
        _: &Architecture,
        _: crate::Shape,
        _: Arithmetic,
    ) -> Result<Option<Self>, tch::TchError> {
        Ok(None)
    }

    pub const fn forward(&mut self, _: ndarray::ArrayView4<'_, f32>, _: &[i64], _: &mut [f32]) {
        match *self {}
    }
}

/// The numbers that are multiplied. Sums are in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    /// bfloat16, of which a unit of 32 bits has two.
    Bf16,
    /// 32-bit floats.
    F32,
}

impl Arithmetic {
    /// That of a precision; `None` for those of libtorch.
    pub const fn of(precision: Precision) -> Option<Self> {
        match precision {
            Precision::Fused => Some(Self::Bf16),
            Precision::FusedF32 => Some(Self::F32),
            Precision::F32 | Precision::Bf16 => None,
        }
    }

    /// Channels in a unit of 32 bits.
    #[cfg(target_arch = "x86_64")]
    const fn channels_of_unit(self) -> usize {
        match self {
            Self::Bf16 => 2,
            Self::F32 => 1,
        }
    }

    /// A unit, by its channels.
    #[cfg(target_arch = "x86_64")]
    fn unit(self, channel: impl Fn(usize) -> f32) -> u32 {
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
        return 0x7fc0;
    }
    let bits = number.to_bits();
    (bits + 0x7fff + ((bits >> 16) & 1)) >> 16
}

/// Reason that the kernel cannot evaluate a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum FusedError {
    /// The device is a GPU.
    #[error("precision {0} computes on the CPU, expected device cpu")]
    Device(Precision),
    /// The processor lacks the instructions.
    #[error("precision {precision} needs {needs}: expected f32 or bf16 here (in training also auto or fastest)")]
    Processor { precision: Precision, needs: &'static str },
    /// Channels do not fill whole registers.
    #[error(
        "precision {precision} needs multiples of 32 channels, and {key} is {channels}: expected f32 or bf16 (in training \
         also auto or fastest)"
    )]
    Channels {
        precision: Precision,
        key: &'static str,
        channels: usize,
    },
}

/// Checks that networks of an architecture can be evaluated in a precision on a device of this machine. libtorch can
/// always.
///
/// # Errors
/// The reason that the kernel cannot.
pub fn can_fuse(precision: Precision, architecture: &Architecture, device: Device) -> Result<(), FusedError> {
    let Some(arithmetic) = Arithmetic::of(precision) else {
        return Ok(());
    };
    if device != Device::Cpu {
        return Err(FusedError::Device(precision));
    }
    if !is_available(arithmetic) {
        return Err(lacking(precision, arithmetic));
    }
    let all = [
        ("network.channels", architecture.channels),
        ("network.policy_channels", architecture.policy_channels),
        ("network.value_channels", architecture.value_channels),
    ];
    match all.into_iter().find(|(_, channels)| !channels.is_multiple_of(32)) {
        Some((key, channels)) => Err(FusedError::Channels {
            precision,
            key,
            channels,
        }),
        None => Ok(()),
    }
}

/// The error where instructions are lacking.
pub(crate) const fn lacking(precision: Precision, arithmetic: Arithmetic) -> FusedError {
    let needs = match arithmetic {
        Arithmetic::Bf16 => {
            "a processor with units for bfloat16 (AVX512_BF16), and no ATEN_CPU_CAPABILITY that forbids 512 bits"
        }
        Arithmetic::F32 => "a processor with AVX2 and FMA",
    };
    FusedError::Processor { precision, needs }
}

/// The kernel's fastest precision for networks of an architecture on a device of this machine; `None` if it cannot
/// evaluate them.
pub fn fastest(architecture: &Architecture, device: Device) -> Option<Precision> {
    let precisions = [Precision::Fused, Precision::FusedF32];
    let can = |precision: &Precision| can_fuse(*precision, architecture, device).is_ok();
    precisions.into_iter().find(can)
}

/// True if this processor has the kernel's instructions.
fn is_available(arithmetic: Arithmetic) -> bool {
    #[cfg(target_arch = "x86_64")]
    return kernel::Instructions::available(arithmetic).next().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = arithmetic;
        false
    }
}
