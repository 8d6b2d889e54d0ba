//! The opening study: its games, its proofs, and its continuation from where it was stopped.
//!
//! One test crate, which is compiled and linked once.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod exact;
mod forks;
mod games;
mod plan;
mod remote;
mod search;
