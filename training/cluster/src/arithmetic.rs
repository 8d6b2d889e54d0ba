//! The arithmetic of a machine, which decides the last digits of a network's output.

use std::error::Error;
use std::fmt;

use chase_models::device::Device;
use chase_models::processor::processor;
use chase_models::{Architecture, InferenceNetwork, LIBTORCH_VERSION, Network, Precision, Shape};
use chase_training::sources;
use ndarray::Array4;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Sizes of the batches of the test: libtorch chooses its kernels by size.
const BATCHES: [usize; 4] = [1, 3, 16, 64];
/// A board like that of Chase.
const SHAPE: Shape = Shape {
    planes: 16,
    height: 9,
    width: 9,
    policy_planes: 4,
};
/// The program, the library and the hardware that compute. Machines that agree in it play the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arithmetic {
    /// Version of this program, and the commit that it was built from.
    pub program: String,
    /// Version of libtorch.
    pub libtorch: String,
    /// Kind of the device: `cpu` or `cuda`.
    pub device: String,
    /// Maker and sets of instructions of the CPU.
    pub cpu: String,
    /// The precision of inference.
    pub precision: Precision,
    /// Hash of the outputs of a network whose weights and inputs are the same everywhere.
    pub outputs: String,
}

impl Arithmetic {
    /// The arithmetic of this machine.
    ///
    /// # Errors
    /// If the device cannot compute.
    pub fn here(device: Device, precision: Precision) -> Result<Self, String> {
        Ok(Self {
            program: program(),
            libtorch: LIBTORCH_VERSION.to_owned(),
            device: match device {
                Device::Cpu => "cpu".to_owned(),
                _ => "cuda".to_owned(),
            },
            cpu: processor(),
            precision,
            outputs: outputs(device, precision).map_err(|error| format!("the device cannot compute: {error}"))?,
        })
    }

    /// The differences from another one, as text; empty if there are none.
    pub fn differences(&self, other: &Self) -> String {
        let parts = |of: &Self| {
            [
                ("program", of.program.clone()),
                ("libtorch", of.libtorch.clone()),
                ("device", of.device.clone()),
                ("CPU", of.cpu.clone()),
                ("precision", of.precision.to_string()),
                ("outputs", of.outputs.clone()),
            ]
        };
        let differing = parts(self)
            .into_iter()
            .zip(parts(other))
            .filter(|(own, other)| own != other);
        let texts = differing.map(|((name, own), (_, other))| format!("{name} is `{own}`, expected `{other}`"));
        texts.collect::<Vec<_>>().join("; ")
    }
}

/// The differences of machines in all the arithmetic that a unit needs, as text; empty if there are none.
pub(crate) fn differences(found: &[Arithmetic], expected: &[Arithmetic]) -> String {
    if found.len() != expected.len() {
        return format!("{} kinds of arithmetic, expected {}", found.len(), expected.len());
    }
    let pairs = found.iter().zip(expected);
    let texts = pairs.map(|(found, expected)| found.differences(expected));
    let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    texts.join("; ")
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            device,
            precision,
            outputs,
            ..
        } = self;
        write!(f, "{device}, {precision}, outputs {outputs}")
    }
}

/// Version of this program, and the commit that it was built from.
pub(crate) fn program() -> String {
    let commit = sources::stated().map_or(String::new(), |sources| format!(" {sources}"));
    format!("{}{commit}", env!("CARGO_PKG_VERSION"))
}

/// Outputs of a small network on random planes.
fn outputs(device: Device, precision: Precision) -> Result<String, Box<dyn Error>> {
    let mut rng = chase_engine::seed::named("arithmetic", &[]);
    let architecture = Architecture {
        blocks: 2,
        ..Architecture::default()
    };
    let network = Network::new(&architecture, SHAPE, device, &mut rng)?;
    let mut network = InferenceNetwork::new(&network, device, precision)?;
    let mut sum = Sha256::new();
    for batch in BATCHES {
        let planes = Array4::from_shape_simple_fn(SHAPE.batch(batch), || rng.random::<f32>());
        let wanted: Vec<i64> = (0..(batch * SHAPE.policy_size()) as i64).step_by(7).collect();
        let logits = network.forward(planes.view(), &wanted)?;
        for number in logits.policy.iter().chain(logits.value.iter()) {
            sum.update(number.to_bits().to_le_bytes());
        }
    }
    Ok(sum
        .finalize()
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_machine_agrees_with_itself_and_says_what_differs() {
        let [one, same] = [(); 2].map(|()| Arithmetic::here(Device::Cpu, Precision::F32).unwrap());
        assert_eq!((&one, one.differences(&same)), (&same, String::new()));
        let other = Arithmetic::here(Device::Cpu, Precision::Bf16).unwrap();
        let text = other.differences(&one);
        assert!(
            text.starts_with("precision is `bf16`, expected `f32`; outputs is "),
            "{text}"
        );
    }
}
