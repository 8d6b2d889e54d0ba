//! The Chamber, material and dice in finished games.
//!
//! The [`DiceFacts`] of a game follow from the rules alone, except for the values of positions, which come from the
//! searches of the game.

mod entry_table;
mod facts;
mod mobility_table;
mod turn;

pub(crate) use entry_table::LATE;
pub use entry_table::{EntryCounts, EntryTable};
pub(crate) use facts::DiceObserver;
pub use facts::{Capture, ChamberEntry, DiceFacts, Formation, Formations, LEAD_PLIES, SNAPSHOT_PLIES};
pub use mobility_table::{MobilityCounts, MobilityTable};
pub(crate) use turn::captured;
