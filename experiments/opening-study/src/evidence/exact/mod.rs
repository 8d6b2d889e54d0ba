//! What the rules alone tell, of any position.

pub mod dice_ahead;
pub mod entry_map;
pub mod lines;
pub mod prepared;
pub mod ring;
