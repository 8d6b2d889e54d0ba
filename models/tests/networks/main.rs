//! Networks, inference and checkpoints. One program for all of them, since loading libtorch takes a while.

// A failed test may panic.
#![allow(clippy::unwrap_used)]

mod agreement;
mod checkpoints;
mod shipped_agent;
mod training;

use chase_engine::Shape;
use chase_models::architecture::Auxiliary;
use chase_models::{Architecture, Network, device};
use ndarray::Array4;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tch::{Device, Tensor};

/// The size of Chase with attack maps.
const SHAPE: Shape = Shape {
    planes: 26,
    height: 9,
    width: 9,
    policy_planes: 37,
};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Small, with every part that a network can have.
fn architecture() -> Architecture {
    Architecture {
        blocks: 3,
        channels: 32,
        pooling: 2,
        auxiliary: Auxiliary {
            occupancy: true,
            plies_left: true,
            material: true,
        },
        ..Architecture::default()
    }
}

/// A network as after some training: with opinions, and with running statistics that are not those at the start.
fn network(architecture: &Architecture, shape: Shape, seed: u64) -> Network {
    device::single_threaded();
    let mut rng = rng(seed);
    let network = Network::new(architecture, shape, Device::Cpu, &mut rng).unwrap();
    for (name, tensor) in network.tensors() {
        let range = match name.rsplit('.').next().unwrap() {
            "scale" | "variance" => 0.5..1.5,
            "shift" | "mean" | "bias" => -0.3..0.3,
            // Heads begin with a tenth of the usual weight.
            "weight" if name.contains("output") => -0.5..0.5,
            _ => continue,
        };
        let values: Vec<f32> = (0..tensor.numel()).map(|_| rng.random_range(range.clone())).collect();
        let values = Tensor::from_slice(&values).view(tensor.size().as_slice());
        tch::no_grad(|| tensor.shallow_clone().copy_(&values));
    }
    network
}

/// Random input `[B, C, H, W]`, half of it zero as real planes are.
fn planes(batch: usize, shape: Shape, seed: u64) -> Array4<f32> {
    let mut rng = rng(seed);
    let number = || if rng.random() { rng.random_range(0.0..1.0) } else { 0.0 };
    Array4::from_shape_simple_fn(shape.batch(batch), number)
}

/// The indices of all policy logits of a batch.
fn everything(batch: usize, shape: Shape) -> Vec<i64> {
    (0..(batch * shape.policy_size()) as i64).collect()
}

fn tensor(planes: &Array4<f32>) -> Tensor {
    Tensor::try_from(planes).unwrap()
}

fn numbers(tensor: &Tensor) -> Vec<f32> {
    Vec::<f32>::try_from(tensor.flatten(0, -1)).unwrap()
}

/// The largest difference between two lists of equal length.
fn largest_difference(left: &[f32], right: &[f32]) -> f32 {
    assert_eq!(left.len(), right.len());
    left.iter()
        .zip(right)
        .map(|(left, right)| (left - right).abs())
        .fold(0.0, f32::max)
}

/// Root of the mean square.
fn size(numbers: impl ExactSizeIterator<Item = f32>) -> f32 {
    let count = numbers.len() as f32;
    (numbers.map(|number| number * number).sum::<f32>() / count).sqrt()
}
