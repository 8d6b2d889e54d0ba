//! Facts about any position that follow from the rules alone.

pub mod entry_map;
pub mod lines;
pub mod prepared;
pub mod ring;
