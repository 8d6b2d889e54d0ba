//! Statistics of games.
//!
//! The unit of resampling is the *block*: games that may depend on each other, kept together. In the forced-opening games
//! it is the games of one number, one from each opening, which share their chance. It is what a pair of games is in a
//! match: there colours are exchanged to cancel the difference between two players; where one player has both sides
//! nothing is to be cancelled, and chance is what games can share.

mod block;
pub mod clusters;
mod diversity;
mod holm;
mod mean;
pub mod ranking;
pub mod regression;
mod variation;

pub use block::{Contrast, block_numbers};
pub use diversity::Diversity;
pub use holm::holm;
pub use mean::{BoundedMean, MeanEstimate};
pub use variation::{Heterogeneity, deviation};
