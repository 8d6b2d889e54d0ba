//! The Chamber, material and dice: what finished games say of claims C1 to C6.
//!
//! A [`DiceObserver`] watches a game ply by ply; its [`DiceFacts`] follow from the rules alone, but for what positions are
//! worth, which is what the searches of the game said. [`DiceStudy`] makes findings of many games.

mod captures;
mod chamber;
mod facts;
mod material;
mod mobility;
mod shapes;
mod study;
mod turn;

pub use facts::{Capture, ChamberEntry, DiceFacts, DiceObserver, Formation, LEAD_PLIES, SNAPSHOT_PLIES, Shape};
pub use mobility::{MobilityCounts, MobilityTable};
pub use study::DiceStudy;
pub(super) use turn::{captured, set_down};
