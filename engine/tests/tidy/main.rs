//! What a compiler does not check about the sources: which way dependencies point, and what must not be in a file.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod circles;
mod floors;
mod sources;
mod text;
mod workspace;
