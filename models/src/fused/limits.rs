//! Which networks the kernel can evaluate, and where.

use tch::Device;

use super::arithmetic::Arithmetic;
#[cfg(target_arch = "x86_64")]
use super::instructions::Instructions;
use crate::architecture::Architecture;
use crate::precision::Precision;
use crate::processor::{Bf16Units, bf16_units};

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

/// The kernel's faster precision for networks of an architecture on a device of this machine, where a single search does
/// best with it; `None` if it cannot evaluate them, or has registers of 256 bits only: then libtorch is faster in batches
/// of 32 leaves of a tree (study 0055).
pub fn fastest(architecture: &Architecture, device: Device) -> Option<Precision> {
    let precisions = match bf16_units() {
        Bf16Units::FastVectors => [Precision::Fused, Precision::FusedF32],
        _ => [Precision::FusedF32, Precision::Fused],
    };
    let can = |precision: &Precision| can_fuse(*precision, architecture, device).is_ok();
    precisions.into_iter().find(can).filter(|_| is_wide())
}

/// As [`fastest`], for the large batches of self-play: `None` also with units for matrices (AMX), which libtorch uses and
/// the kernel does not. (Which is faster there was not measured.)
pub fn fastest_in_batches(architecture: &Architecture, device: Device) -> Option<Precision> {
    fastest(architecture, device).filter(|_| bf16_units() != Bf16Units::Matrices)
}

/// True if this processor has the kernel's instructions in registers of 512 bits.
fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return Instructions::available(Arithmetic::F32).any(Instructions::is_wide);
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// True if this processor has the kernel's instructions.
fn is_available(arithmetic: Arithmetic) -> bool {
    #[cfg(target_arch = "x86_64")]
    return Instructions::available(arithmetic).next().is_some();
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = arithmetic;
        false
    }
}
