//! What unit tests of this crate share.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use tch::Device;

use crate::{Architecture, Network, Shape};

/// A board of Chase with few planes.
pub const SHAPE: Shape = Shape {
    planes: 3,
    height: 9,
    width: 9,
    policy_planes: 5,
};

/// A network that is quick.
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
