//! Everything between a game and a tensor: encodings, network architectures, inference, and checkpoint files.
//!
//! In dependency order:
//! - [`encoding`]: a position as planes, from the point of view of the player to move.
//! - [`architecture`]: the one family of networks, as a configuration.
//! - [`manifest`]: what a checkpoint says about itself.
//! - [`shipped`]: the checkpoint that the program brings along.
//! - `device`, `network`, `inference`, `shared_network`, `checkpoint`, `speed`: with the feature `torch` (on by default),
//!   which needs libtorch.
//!
//! Tensors are 32-bit floats. Shapes are written `[B, C, H, W]`: batch, channels (planes), rows, columns.

pub mod architecture;
mod encode;
mod games;
pub mod manifest;
pub mod shipped;

#[cfg(feature = "torch")]
pub mod checkpoint;
#[cfg(feature = "torch")]
pub mod device;
#[cfg(feature = "torch")]
mod error;
#[cfg(feature = "torch")]
pub mod inference;
#[cfg(feature = "torch")]
mod layers;
#[cfg(feature = "torch")]
pub mod network;
#[cfg(feature = "torch")]
pub mod shared_network;
#[cfg(feature = "torch")]
pub mod speed;
#[cfg(all(test, feature = "torch"))]
mod testing;

pub use architecture::Architecture;
pub use encode::{Encode, Shape};
pub use manifest::Manifest;

#[cfg(feature = "torch")]
pub use {
    checkpoint::Checkpoint,
    inference::{Forward, InferenceNetwork, Precision},
    network::Network,
};

/// Positions as planes, from the point of view of the player to move: the trait, and the options of each game.
pub mod encoding {
    pub use crate::encode::{Encode, Shape};
    pub use crate::games::{ChaseEncoding, ConnectFourEncoding};
}

/// The version of libtorch that this crate is built for; the build fails with any other.
pub const LIBTORCH_VERSION: &str = "2.11.0";
