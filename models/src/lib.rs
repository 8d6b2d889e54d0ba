//! Everything between planes and a tensor: network architectures, inference, and checkpoint files.
//!
//! | module | subject |
//! |---|---|
//! | [`architecture`] | the residual network, as a configuration |
//! | [`manifest`] | the description of a checkpoint: game, encoding, architecture, hashes of its files |
//! | [`shipped`] | the built-in checkpoints |
//! | [`processor`] | the processor and its vector instructions |
//! | `network`, `mirror` | networks in their training form; networks for which mirror images are alike |
//! | `inference`, `precision` | networks in their inference form: folded, in 32 bits or bfloat16 |
//! | `fused` | the same without libtorch, by a kernel for x86-64 |
//! | `shared_network` | one network on a GPU for many threads |
//! | `checkpoint` | networks and the state of optimizers, on disk |
//! | `device`, `speed` | devices, and their speed |
//!
//! The modules without a link need libtorch. They exist only with the feature `torch`, which is on by default; without
//! it the crate builds and passes its tests without libtorch.
//!
//! The number of dimensions of arrays is part of their types ([`ndarray`]), including all batches on their way to a
//! tensor. Numbers are 32-bit floats. Shapes are written `[B, C, H, W]`: batch, channels (planes), rows, columns.
//!
//! # Example
//!
//! The built-in network's evaluation of the first position of Chase:
//!
#![cfg_attr(feature = "torch", doc = "```")]
#![cfg_attr(not(feature = "torch"), doc = "```ignore")]
//! use chase_engine::{Chase, Encode, Game, Wdl, chase::Rules};
//! use chase_models::device::Device;
//! use chase_models::{Checkpoint, InferenceNetwork, Precision, shipped};
//!
//! let checkpoint = Checkpoint::<Chase>::load(shipped::NAME.as_ref(), Device::Cpu)?;
//! let mut network = InferenceNetwork::new(&checkpoint.network, Device::Cpu, Precision::F32)?;
//!
//! let game = Chase::new(&Rules::default());
//! let mut actions = Vec::new();
//! game.legal_actions(&mut actions);
//! let legal: Vec<i64> = actions.iter().map(|&action| game.policy_index(action) as i64).collect();
//!
//! let planes = Chase::encode_all(&[game], &checkpoint.encoding);
//! let logits = network.forward(planes.view(), &legal)?;
//! assert_eq!(logits.policy.len(), 46);
//! let opinion = logits.wdl().next().expect("one position");
//! assert!((0.3..0.7).contains(&opinion.score()), "{opinion:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod architecture;
pub mod manifest;
pub mod processor;
pub mod shipped;

#[cfg(feature = "torch")]
pub mod checkpoint;
#[cfg(feature = "torch")]
pub mod device;
#[cfg(feature = "torch")]
mod error;
#[cfg(feature = "torch")]
pub mod fused;
#[cfg(feature = "torch")]
pub mod inference;
#[cfg(feature = "torch")]
mod layers;
#[cfg(feature = "torch")]
pub mod mirror;
#[cfg(feature = "torch")]
pub mod network;
#[cfg(feature = "torch")]
mod occupancy;
#[cfg(feature = "torch")]
pub mod precision;
#[cfg(feature = "torch")]
pub mod shared_network;
#[cfg(feature = "torch")]
pub mod speed;
#[cfg(all(test, feature = "torch"))]
mod testing;
#[cfg(feature = "torch")]
mod transfer;

pub use architecture::Architecture;
pub use manifest::Manifest;

#[cfg(feature = "torch")]
pub use {
    checkpoint::Checkpoint,
    inference::{Forward, InferenceNetwork},
    network::Network,
    precision::Precision,
};

/// The version of libtorch that this crate is built against; the build fails with any other.
pub const LIBTORCH_VERSION: &str = "2.11.0";
