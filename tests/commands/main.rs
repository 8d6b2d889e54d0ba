//! The subcommands as their users start them.
//!
//! One test crate, which is compiled and linked once.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod analyse;
mod balance;
mod book;
mod cluster;
mod engine;
mod evaluate;
mod export;
mod games;
mod moves;
mod play;
mod play_terminal;
mod program;
mod selfplay;
mod serve;
mod show;
mod solve;
mod study;
mod tournaments;
mod train;
