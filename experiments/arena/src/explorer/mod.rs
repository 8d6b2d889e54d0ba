//! Openings as games went through them, move by move: which moves were played, how those games ended, and what the
//! searches of each player thought.
//!
//! | what | where |
//! |---|---|
//! | games by the positions that they went through | [`Explorer`] |
//! | the games of a run directory, read bit by bit | [`Collection`] |
//! | the moves of one position, from any number of explorers | [`Moves`] |

mod collection;
mod game;
mod index;
mod moves;
#[cfg(test)]
mod tests;

pub use collection::Collection;
pub use game::{ExploredGame, ExploredPly, Source};
pub use index::Explorer;
pub use moves::{BySource, Explored, Figures, Moves};
