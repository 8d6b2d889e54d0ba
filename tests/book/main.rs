//! Pages of the book against the program: the generated page of commands, and pages that name every field and file.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod commands;
mod configuration;
mod files;
mod games;
mod json;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command that succeeds prints.
fn chase(home: &Path, args: &[&str]) -> String {
    chase_reading("", home, args)
}

/// The same for a command that reads a short text.
fn chase_reading(input: &str, home: &Path, args: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chase"))
        .args(args)
        .current_dir(home)
        .env("COLUMNS", "100")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads nothing may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// An empty directory of its own for each test.
fn home(name: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{name}"));
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    home
}

/// What stands between backticks in the text of a page, its blocks of code aside.
fn names(page: &str) -> Vec<&str> {
    let blocks = page.split("```").step_by(2);
    blocks.flat_map(|block| block.split('`').skip(1).step_by(2)).collect()
}
