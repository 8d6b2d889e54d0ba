//! The Chamber, material and dice in finished games.
//!
//! The [`DiceFacts`] of a game follow from the rules alone.

mod facts;
mod mobility_table;
mod turn;

pub use facts::{ChamberEntry, DiceFacts, SNAPSHOT_PLIES};
pub(crate) use facts::{DiceObserver, clumped_pairs};
pub use mobility_table::{MobilityCounts, MobilityTable};
pub(crate) use turn::captured;

/// It is late in the game for a player with at most this many dice: two more than a lost player has.
pub(crate) const LATE: usize = 6;
