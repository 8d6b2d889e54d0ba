//! Devices of tensors, and the abilities of the machine.

use std::cell::Cell;
use std::error::Error;
use std::sync::OnceLock;

use tch::Cuda;

pub use tch::Device;

use crate::processor::{Bf16Units, bf16_units};

/// Error returned for a device that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum DeviceError {
    /// Not a device name.
    #[error("unknown device `{0}`: expected {NAMES}")]
    Unknown(String),
    /// There is no such GPU.
    #[error("device `{name}`: {reason}")]
    Absent {
        name: String,
        /// The reason that it cannot be used.
        reason: String,
    },
}

/// Parses a device name: `cpu`, `cuda:N`, `cuda` (the first GPU), or `auto` (the first GPU, if any).
///
/// # Errors
/// If the text is not a device name, or names a GPU that does not exist.
pub fn parse(text: &str) -> Result<Device, DeviceError> {
    match text {
        "cpu" => return Ok(Device::Cpu),
        "auto" => return Ok(if gpus() > 0 { Device::Cuda(0) } else { Device::Cpu }),
        _ => {}
    }
    let gpu = gpu(text).ok_or_else(|| DeviceError::Unknown(text.to_owned()))?;
    if gpu < gpus() {
        return Ok(Device::Cuda(gpu));
    }
    let reason = match cuda_library() {
        Err(reason) => format!(
            "libtorch for CUDA was not found; install it with `cargo xtask setup --cuda`, or add the \
             folder of a PyTorch installation to LD_LIBRARY_PATH ({reason})"
        ),
        Ok(()) => format!("libtorch finds {} GPUs", gpus()),
    };
    Err(DeviceError::Absent {
        name: text.to_owned(),
        reason,
    })
}

/// The names of devices, for messages.
pub const NAMES: &str = "auto, cpu, cuda or cuda:N";

/// True if a text is the name of a device, which this machine may not have.
pub fn is_name(text: &str) -> bool {
    matches!(text, "auto" | "cpu") || gpu(text).is_some()
}

/// The index in the name of a GPU.
fn gpu(text: &str) -> Option<usize> {
    match text.strip_prefix("cuda")? {
        "" => Some(0),
        // No sign, which `parse` would accept.
        number => {
            let number = number.strip_prefix(':')?;
            let digits = number.bytes().all(|byte| byte.is_ascii_digit());
            number.parse().ok().filter(|_| digits)
        }
    }
}

/// Number of GPUs that libtorch can use.
pub fn gpus() -> usize {
    match cuda_library() {
        Ok(()) if Cuda::is_available() => Cuda::device_count().try_into().unwrap_or(0),
        _ => 0,
    }
}

/// Loads the CUDA half of libtorch, once, if the loader finds it.
///
/// Programs are not linked to it, so that one binary runs with and without it. This must happen before libtorch is
/// first asked about CUDA; every function of this module ensures that.
///
/// # Errors
/// The loader's reason, if the library is not found.
#[allow(unsafe_code, reason = "a library can be loaded in no other way")]
pub fn cuda_library() -> Result<(), String> {
    static LOADED: OnceLock<Result<(), String>> = OnceLock::new();
    let load = || {
        use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
        // SAFETY: libtorch_cuda belongs to the libtorch that is already loaded, and its initialisers only register its
        // kernels there.
        let library = unsafe { Library::open(Some("libtorch_cuda.so"), RTLD_NOW | RTLD_GLOBAL) };
        // Never unloaded: its kernels stay registered.
        library
            .map(std::mem::forget)
            .map_err(|error| error.source().map_or_else(|| error.to_string(), ToString::to_string))
    };
    LOADED.get_or_init(load).clone()
}

/// True if a device has units for bfloat16. They may be slower than those for 32 bits.
///
/// GPUs before compute capability 8.0 have no such units but are assumed to: tch does not report the capability.
pub fn has_bf16_units(device: Device) -> bool {
    device != Device::Cpu || bf16_units() != Bf16Units::None
}

/// True if libtorch is faster in bfloat16 than in 32 bits on a device, in large batches. Assumed of every GPU: on those
/// before compute capability 8.0 `precision = "f32"` is faster.
pub fn is_faster_in_bf16(device: Device) -> bool {
    device != Device::Cpu || matches!(bf16_units(), Bf16Units::FastVectors | Bf16Units::Matrices)
}

/// Makes libtorch run each operation of the calling thread on this thread alone.
///
/// The program's own threads use the cores; libtorch's threads on busy cores wait for each other at every operation,
/// with a measured slowdown of up to 16 times. libtorch keeps the setting per thread, so every thread that calls
/// libtorch needs it; [`crate::InferenceNetwork`] sets it itself.
pub fn single_threaded() {
    thread_local!(static DONE: Cell<bool> = const { Cell::new(false) });
    if !DONE.replace(true) {
        tch::set_num_threads(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_names_are_read_or_explained() {
        assert_eq!(parse("cpu"), Ok(Device::Cpu));
        assert!(parse("auto").is_ok());
        for text in ["", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:+1", "CPU"] {
            assert_eq!(parse(text), Err(DeviceError::Unknown(text.to_owned())));
            assert!(!is_name(text), "{text}");
        }
        assert!(["auto", "cpu", "cuda", "cuda:12"].into_iter().all(is_name));
        let message = parse("cuda:4096")
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(message.starts_with("device `cuda:4096`: "), "{message}");
        assert!(
            message.contains("setup --cuda") || message.contains("GPUs"),
            "{message}"
        );
    }
}
