//! The speed of network evaluation on this machine, and its limits.

mod bare_tower;
mod matrix_product;
mod training_step;

use std::time::{Duration, Instant};

use chase_engine::{Chase, Encode};
use ndarray::Array4;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use tch::Device;

pub use bare_tower::BareTower;
pub use matrix_product::MatrixProduct;
pub use training_step::TrainingStep;

use crate::error::InferenceError;
use crate::fused;
use crate::network::NetworkError;
use crate::{Architecture, InferenceNetwork, Network, Precision, device};

/// Positions in a batch for [`facts`]: on a CPU a larger batch gains little.
const BATCH: usize = 128;
/// Approximate number of legal actions of a position.
const ACTIONS: usize = 40;

/// Facts about this machine for its user.
#[derive(Clone, Debug)]
pub struct MachineFacts {
    /// Version of libtorch.
    pub libtorch: &'static str,
    /// Number of usable GPUs, or the reason that there are none.
    pub gpus: Result<usize, String>,
    /// True if the measured device has units for bfloat16.
    pub bf16_units: bool,
    /// The network that was measured, such as `b4c32`.
    pub network: String,
    /// Positions in a batch.
    pub batch: usize,
    /// Evaluations per second by precision, on one core or one GPU.
    pub speeds: Vec<(Precision, f64)>,
}

/// Measures the default network for Chase on a device, for `duration` in each precision.
///
/// # Errors
/// If the network does not fit on the device.
pub fn facts(device: Device, duration: Duration) -> Result<MachineFacts, NetworkError> {
    let architecture = Architecture::default();
    let shape = Chase::shape(&<Chase as Encode>::Encoding::default());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let network = Network::new(&architecture, shape, device, &mut rng)?;
    let speed = |precision| -> Result<_, InferenceError> {
        let mut network = InferenceNetwork::new(&network, device, precision)?;
        Ok((precision, evaluations_per_second(&mut network, BATCH, duration)?))
    };
    let fused = fused::fastest(&architecture, device);
    let speeds = [Precision::F32, Precision::Bf16]
        .into_iter()
        .chain(fused)
        .map(speed)
        .collect::<Result<_, _>>();
    Ok(MachineFacts {
        libtorch: crate::LIBTORCH_VERSION,
        gpus: device::cuda_library().map(|()| device::gpus()),
        bf16_units: device::has_bf16_units(device),
        network: architecture.name(),
        batch: BATCH,
        speeds: speeds?,
    })
}

/// Evaluations per second in batches of one size, from input in memory to output in memory.
///
/// It is the median over the batches that fit into `duration`, at least five, after warming up, so that a pause of the
/// machine does not show.
///
/// # Errors
/// If a batch cannot be evaluated.
pub fn evaluations_per_second(
    network: &mut InferenceNetwork,
    batch: usize,
    duration: Duration,
) -> Result<f64, InferenceError> {
    // Some zeros and some others, as in real planes; the values do not affect the time.
    let planes = Array4::from_shape_fn(network.shape().batch(batch), |(position, plane, row, column)| {
        f32::from(u8::from((position + plane + row + column) % 7 == 0))
    });
    // As many as the positions have legal actions, at equal distances.
    let size = network.shape().policy_size();
    let wanted: Vec<i64> = (0..batch * ACTIONS)
        .map(|index| (index * size / ACTIONS) as i64)
        .collect();
    // The first few calls prepare kernels and memory for this size.
    for _ in 0..3 {
        network.forward(planes.view(), &wanted)?;
    }
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < 5 || start.elapsed() < duration {
        let start = Instant::now();
        network.forward(planes.view(), &wanted)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(batch as f64 / times[times.len() / 2].as_secs_f64())
}
