//! The `chase` binary.

fn main() {}
