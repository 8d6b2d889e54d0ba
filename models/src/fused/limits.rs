//! The networks that the kernel can evaluate, and the processors on which it can.

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
    #[error("precision {precision} needs {needs}: expected f32 or bf16 here (in training also auto)")]
    Processor { precision: Precision, needs: &'static str },
    /// Channels do not fill whole registers.
    #[error(
        "precision {precision} needs multiples of 32 channels, and {key} is {channels}: expected f32 or bf16 (in training \
         also auto)"
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

/// The kernel's faster precision for networks of an architecture on a device of this machine; `None` where it cannot evaluate
/// them. This is the one rule of `auto` in training, of players with a time limit and of analyses: the kernel is faster than
/// libtorch with AVX2, with AVX-512 and with units for matrices (AMX), in every batch. (Rates are in `networks.md`.)
pub fn fastest(architecture: &Architecture, device: Device) -> Option<Precision> {
    choice(bf16_units(), |precision| {
        can_fuse(precision, architecture, device).is_ok()
    })
}

/// [`fastest`] on a processor with these units, where the kernel can evaluate networks in some precisions.
fn choice(units: Bf16Units, can: impl Fn(Precision) -> bool) -> Option<Precision> {
    let precisions = match units {
        // 38.3 k instead of 22.3 k evaluations per second on AMD's (study 0055), 7.9 k instead of 13.7 k on Intel's without
        // units for matrices (study 0058). With them bfloat16 is 3.2 times as fast as 32 bits (study 0066).
        Bf16Units::FastVectors | Bf16Units::Matrices => [Precision::Fused, Precision::FusedF32],
        Bf16Units::None | Bf16Units::SlowVectors => [Precision::FusedF32, Precision::Fused],
    };
    precisions.into_iter().find(|&precision| can(precision))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_chosen_wherever_it_is_faster() {
        const F32: &[Precision] = &[Precision::FusedF32];
        const BOTH: &[Precision] = &[Precision::Fused, Precision::FusedF32];
        let (bf16, f32) = (Some(Precision::Fused), Some(Precision::FusedF32));
        for (processor, units, has, expected) in [
            (
                "without AVX2, or for a network that does not fit",
                Bf16Units::None,
                &[][..],
                None,
            ),
            ("with AVX2", Bf16Units::None, F32, f32),
            ("of Intel", Bf16Units::SlowVectors, BOTH, f32),
            ("of AMD", Bf16Units::FastVectors, BOTH, bf16),
            ("of AMD, limited to AVX2", Bf16Units::FastVectors, F32, f32),
            ("with AMX", Bf16Units::Matrices, BOTH, bf16),
        ] {
            let choice = choice(units, |precision| has.contains(&precision));
            assert_eq!(choice, expected, "on a processor {processor}");
        }
    }
}
