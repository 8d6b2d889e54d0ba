//! Checks that a compiler does not make: which crates build without libtorch, and the links in pages.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod dependencies;
mod pages;

use std::path::Path;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}
