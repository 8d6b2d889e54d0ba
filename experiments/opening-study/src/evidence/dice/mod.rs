//! The Chamber, material and dice: what happened in finished games.
//!
//! The [`DiceFacts`] of a game follow from the rules alone, but for what positions are worth, which is what the searches of
//! the game said.

mod entry_table;
mod facts;
mod mobility_table;
mod turn;

pub(crate) use entry_table::LATE;
pub use entry_table::{EntryCounts, EntryTable};
pub(crate) use facts::DiceObserver;
pub use facts::{Capture, ChamberEntry, DiceFacts, Formation, LEAD_PLIES, SNAPSHOT_PLIES, Shape};
pub use mobility_table::{MobilityCounts, MobilityTable};
pub(crate) use turn::captured;
