//! Networks evaluated by a kernel of this program, one position at a time, on one core.
//!
//! libtorch calls one kernel for each operation, and each reads its input from memory and writes its output there. Here
//! the numbers of a position never leave the caches, the two corners that a hexagonal kernel lacks are not multiplied,
//! and of the policy only the wanted logits are computed. A batch gains nothing and costs nothing: a position's result
//! does not depend on the others.
//!
//! libtorch stays the reference that results are compared with, and the default of players without a time limit.

mod arithmetic;
mod limits;

#[cfg(not(target_arch = "x86_64"))]
mod absent;
#[cfg(target_arch = "x86_64")]
mod board;
#[cfg(target_arch = "x86_64")]
mod instructions;
#[cfg(target_arch = "x86_64")]
mod kernel;
#[cfg(target_arch = "x86_64")]
mod layers;
#[cfg(target_arch = "x86_64")]
mod network;
#[cfg(target_arch = "x86_64")]
mod room;
#[cfg(target_arch = "x86_64")]
mod tiles;
#[cfg(target_arch = "x86_64")]
mod vector;

pub(crate) use arithmetic::Arithmetic;
pub(crate) use limits::lacking;
pub use limits::{FusedError, can_fuse, fastest};

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use absent::FusedNetwork;
#[cfg(target_arch = "x86_64")]
pub(crate) use network::FusedNetwork;
