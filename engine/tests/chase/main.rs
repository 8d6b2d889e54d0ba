//! Chase: rules, conventions, notation and pictures.
//!
//! One test crate, which is compiled and linked once.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod article;
mod bad_input;
mod common;
mod conventions;
mod facts;
mod pictures;
mod properties;
