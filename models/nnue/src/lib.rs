//! An efficiently updatable network (NNUE) for Chase. It needs no libtorch.
//!
//! | module | subject |
//! |---|---|
//! | [`features`] | sparse inputs: which die stands where, and how safe it is |
//! | [`weights`] | a network as it is trained |
//! | [`network`] | the same in whole numbers, evaluated along a line of play |
//! | [`kernel`] | its inner loops, for the vector instructions of the processor |
//! | [`mod@file`] | networks as files |
//! | [`shipped`] | the built-in network |
//!
//! [`LineEvaluator`] is what [alpha–beta search](chase_engine::alpha_beta) judges positions by.
//!
//! A network judges a position by its dice. Each die of each speed on each cell, safe or not, adds a row of numbers, so
//! that a ply changes the sums of the position before by a few rows.
//!
//! # Example
//!
//! ```
//! use chase_engine::chase::Position;
//! use chase_nnue::{LOGIT, Network, Weights};
//!
//! // Without training: a die more is worth a logit.
//! let network = Network::quantise(&Weights::dice_difference(32, 1.0))?;
//! assert_eq!(network.evaluate(&Position::initial()), 0);
//! # Ok::<(), chase_nnue::WeightsError>(())
//! ```

mod evaluator;
pub mod features;
pub mod file;
pub mod kernel;
pub mod network;
mod reach;
pub mod shipped;
pub mod weights;

pub use evaluator::Searcher;
pub use file::{NETWORK_FILE, StoredNetwork};
pub use kernel::Kernel;
pub use network::{LOGIT, LineEvaluator, Network};
pub use weights::{Weights, WeightsError};
