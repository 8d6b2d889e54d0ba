//! Checks that a compiler does not make: the direction of dependencies, the text of files, and the links in pages.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod circles;
mod floors;
mod markdown;
mod sources;
mod text;
mod words;
mod workspace;
