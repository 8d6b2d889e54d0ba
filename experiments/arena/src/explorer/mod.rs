//! Openings explored move by move: the moves played in a position, the results of those games, and the evaluations of
//! each player's searches.
//!
//! | content | type |
//! |---|---|
//! | games, indexed by position | [`Explorer`] |
//! | the games of a run directory, read piece by piece | [`Collection`] |
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
pub use moves::{BySource, Explored, MoveFigures, Moves};
