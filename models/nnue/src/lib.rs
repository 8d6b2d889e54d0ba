//! An efficiently updatable network (NNUE) for any game with [sparse inputs](chase_engine::SparseView). It
//! needs no libtorch.
//!
//! | module | subject |
//! |---|---|
//! | [`weights`] | a network as it is trained |
//! | [`network`] | the same in whole numbers, evaluated along a line of play |
//! | `kernel` | its inner loops, for the vector instructions of the processor |
//! | [`mod@file`] | networks as files |
//! | [`shipped`] | the built-in network |
//!
//! A network judges a position by the inputs that are 1 in it: of Chase by each die of each speed on each cell, safe or not. Each
//! adds a row of numbers, so that a ply changes the sums of the position before by a few rows.
//!
//! # Example
//!
//! ```
//! use chase_engine::chase::Seen;
//! use chase_engine::{Chase, Game, SparseView};
//! use chase_nnue::{LOGIT, Network, Weights};
//!
//! // Without training: a die more is worth a logit.
//! let network = Network::quantise(&Weights::piece_difference(Seen::INPUTS, 32, 1.0, Seen::is_own))?;
//! assert_eq!(network.evaluate(&Chase::new(&Default::default())), 0);
//! # Ok::<(), chase_nnue::WeightsError>(())
//! ```

pub mod file;
mod kernel;
pub mod network;
pub mod shipped;
pub mod weights;

pub use file::{NETWORK_FILE, StoredNetwork};
pub use network::{LOGIT, LineEvaluator, Network};
pub use weights::{Weights, WeightsError};
