//! The program as tests start it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program with these arguments in a folder, without input.
pub fn chase(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chase"));
    command.args(args).current_dir(home).stdin(Stdio::null());
    command
}

/// What it prints, and how it ends.
pub fn run(home: &Path, args: &[&str]) -> Output {
    chase(home, args).output().unwrap()
}

/// The same with this input.
pub fn fed(home: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = chase(home, args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses its arguments does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// An empty directory of its own for each test.
pub fn home(name: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    home
}
