//! The second family of agents: an efficiently updatable network (NNUE) for Chase. It needs no libtorch.
//!
//! | module | subject |
//! |---|---|
//! | [`features`] | sparse inputs: which die stands where, and how safe it is |
//! | [`weights`] | a network as it is trained |
//! | [`network`] | the same in whole numbers, evaluated along a line of play |
//! | [`kernel`] | its inner loops, for the vector instructions of the processor |
//! | [`mod@file`] | networks as files |
//! | [`shipped`] | the built-in network |
//! | [`search`] | alpha–beta search with such a network, or any other judgement |
//!
//! A network judges a position by its dice. Each die of each speed on each cell, safe or not, adds a row of numbers, so
//! that a ply changes the sums of the position before by a few rows. It shares no convolution and no visit counts with
//! the first family.
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

pub mod features;
pub mod file;
pub mod kernel;
pub mod network;
mod reach;
pub mod search;
pub mod shipped;
pub mod weights;

pub use file::{NETWORK_FILE, StoredNetwork};
pub use kernel::Kernel;
pub use network::{LOGIT, LineEvaluator, Network};
pub use search::{Found, Judge, Limits, Pruning, Searcher};
pub use weights::{Weights, WeightsError};
