//! What several tests of the program need.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use chase_engine::Chase;
use chase_models::device::Device;
use chase_models::encoding::ChaseEncoding;
use chase_models::manifest::{Manifest, Origin, Progress};
use chase_models::{Architecture, Encode, Network, checkpoint};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Writes a checkpoint of a small network that has learned nothing.
pub fn untrained(folder: &Path, seed: u64) {
    let architecture = Architecture {
        blocks: 1,
        channels: 16,
        pooling: 0,
        ..Architecture::default()
    };
    let encoding = ChaseEncoding::default();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let network = Network::new(&architecture, Chase::shape(&encoding), Device::Cpu, &mut rng).unwrap();
    let manifest = Manifest::new::<Chase>(&encoding, &architecture, Progress::default(), Origin::default()).unwrap();
    checkpoint::save(folder, manifest, &network, &checkpoint::State::new()).unwrap();
}
