//! Helpers for the unit tests of this crate.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ndarray::Array4;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tch::Device;

use crate::{Architecture, Network};
use chase_engine::Shape;

/// A board of Chase with few planes.
pub const SHAPE: Shape = Shape {
    planes: 3,
    height: 9,
    width: 9,
    policy_planes: 5,
};

/// A network that is fast to evaluate.
pub fn network(shape: Shape) -> Network {
    let architecture = Architecture {
        blocks: 1,
        channels: 8,
        pooling: 1,
        ..Architecture::default()
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    Network::new(&architecture, shape, Device::Cpu, &mut rng).unwrap()
}

/// Random planes, `[B, C, H, W]`.
pub fn random(positions: usize, rng: &mut Xoshiro256PlusPlus) -> Array4<f32> {
    Array4::from_shape_simple_fn(SHAPE.batch(positions), || rng.random_range(0.0..1.0))
}
