//! The games against reference data: positions with all their successors, perft counts, whole games; and what else must
//! hold of every game, or of chess, the draughts and the placement games.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod chase;
mod chess;
mod conformance;
mod data;
mod draughts;
mod placement;
mod records;
mod reference;
mod scenes;
mod words;
