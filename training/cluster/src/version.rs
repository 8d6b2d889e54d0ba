//! The version of what computes: machines of one version get the same bytes from the same unit.

use std::error::Error;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use chase_engine::Shape;
use chase_models::device::Device;
use chase_models::manifest::FileFacts;
use chase_models::processor::processor;
use chase_models::{Architecture, InferenceNetwork, LIBTORCH_VERSION, Network, Precision};
use chase_training::sources;
use ndarray::Array4;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// Sizes of the batches of the test: libtorch chooses its kernels by size.
const BATCHES: [usize; 4] = [1, 3, 16, 64];
/// A board like that of Chase.
const SHAPE: Shape = Shape {
    planes: 16,
    height: 9,
    width: 9,
    policy_planes: 4,
};
/// Versions of this machine's devices that are known already.
static KNOWN: Mutex<Vec<(Device, Version)>> = Mutex::new(Vec::new());

/// The program with its commit, libtorch, the kind of device, the processor, and what a small network computes there.
///
/// Units are offered under the version of the machine that offers them, and workers take those of their own alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(String);

impl Version {
    /// The version of this machine's device.
    ///
    /// # Errors
    /// If the device cannot compute.
    pub fn here(device: Device) -> Result<Self, String> {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, version)) = known.iter().find(|(of, _)| *of == device) {
            return Ok(version.clone());
        }
        let fault = |error: Box<dyn Error>| format!("the device cannot compute: {error}");
        let outputs =
            outputs(device, Precision::F32).map_err(fault)? + &outputs(device, Precision::Bf16).map_err(fault)?;
        let kind = if device == Device::Cpu { "cpu" } else { "cuda" };
        let commit = sources::stated().map_or(String::new(), |sources| format!(" {sources}"));
        let (program, processor) = (env!("CARGO_PKG_VERSION"), processor());
        let outputs = &FileFacts::of(outputs.as_bytes()).sha256[..8];
        let version = format!("{program}{commit}, libtorch {LIBTORCH_VERSION}, {kind}, {processor}, outputs {outputs}");
        let version = Self(version);
        known.push((device, version.clone()));
        Ok(version)
    }

    /// A word that stands for it in subjects.
    pub(crate) fn id(&self) -> String {
        FileFacts::of(self.0.as_bytes()).sha256[..16].to_owned()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Outputs of a small network on random planes, as text.
fn outputs(device: Device, precision: Precision) -> Result<String, Box<dyn Error>> {
    let mut rng = chase_engine::seed::named("arithmetic", &[]);
    let architecture = Architecture {
        blocks: 2,
        ..Architecture::default()
    };
    let network = Network::new(&architecture, SHAPE, device, &mut rng)?;
    let mut network = InferenceNetwork::new(&network, device, precision)?;
    let mut text = String::new();
    for batch in BATCHES {
        let planes = Array4::from_shape_simple_fn(SHAPE.batch(batch), || rng.random::<f32>());
        let wanted: Vec<i64> = (0..(batch * SHAPE.policy_size()) as i64).step_by(7).collect();
        let logits = network.forward(planes.view(), &wanted)?;
        for number in logits.policy.iter().chain(logits.value.iter()) {
            text += &format!("{:08x}", number.to_bits());
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_machine_agrees_with_itself_and_what_it_computes_depends_on_the_arithmetic() {
        let [one, same] = [(); 2].map(|()| outputs(Device::Cpu, Precision::F32).unwrap());
        assert_eq!(one, same);
        assert_ne!(one, outputs(Device::Cpu, Precision::Bf16).unwrap());
    }
}
