//! What a compiler does not check: which way dependencies point, what must not be in a file, and where links in pages lead.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod circles;
mod floors;
mod markdown;
mod sources;
mod text;
mod workspace;
