//! Networks evaluated by a kernel of this program, one position at a time, in bfloat16 on one core.
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

use tch::Device;

use crate::Architecture;

#[cfg(target_arch = "x86_64")]
pub(crate) use network::FusedNetwork;

/// Reason that the kernel cannot evaluate a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum FusedError {
    /// The device is a GPU.
    #[error("precision fused computes on the CPU, expected device cpu")]
    Device,
    /// The processor lacks the instructions.
    #[error("precision fused needs a processor with units for bfloat16 (AVX512_BF16): expected precision auto here")]
    Processor,
    /// Channels do not fill whole lines.
    #[error("precision fused needs multiples of 32 channels, and {key} is {channels}: expected precision auto")]
    Channels { key: &'static str, channels: usize },
}

/// Checks that the kernel can evaluate networks of an architecture on a device of this machine.
///
/// # Errors
/// The reason that it cannot.
pub fn can_fuse(architecture: &Architecture, device: Device) -> Result<(), FusedError> {
    if device != Device::Cpu {
        return Err(FusedError::Device);
    }
    if !is_available() {
        return Err(FusedError::Processor);
    }
    let all = [
        ("network.channels", architecture.channels),
        ("network.policy_channels", architecture.policy_channels),
        ("network.value_channels", architecture.value_channels),
    ];
    match all.into_iter().find(|(_, channels)| !channels.is_multiple_of(32)) {
        Some((key, channels)) => Err(FusedError::Channels { key, channels }),
        None => Ok(()),
    }
}

/// True if this processor has the kernel's instructions.
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    return kernel::is_available();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
