//! The program as tests start it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::expect_file;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

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

/// What it prints with these arguments, which spaces separate. It succeeds.
#[track_caller]
pub fn succeeded(home: &Path, args: &str) -> String {
    let output = run(home, &args.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{args}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// It is refused with this reason, code 2 and nothing on standard output.
#[track_caller]
pub fn refused(home: &Path, args: &[&str], reason: &str) {
    let output = run(home, args);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
    assert!(told.contains(reason), "{args:?}: {told}");
    assert!(output.stdout.is_empty(), "{args:?}");
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

/// The metadata of a Parquet file that the program has written: the values of the keys that begin with `chase.`.
///
/// # Panics
/// If one of those is missing that every such file has, or if its columns are not those of the golden file with the
/// name `columns`, which users' programs rely on.
pub fn facts(table: &Path, columns: &str) -> BTreeMap<String, String> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(table).unwrap()).unwrap();
    let found = reader.schema().fields().iter().map(|field| {
        let nullable = if field.is_nullable() { ", nullable" } else { "" };
        format!("{}: {:?}{nullable}\n", field.name(), field.data_type())
    });
    expect_file![format!("columns/{columns}.txt")].assert_eq(&found.collect::<String>());
    let facts = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let facts: BTreeMap<String, String> = facts
        .iter()
        .filter_map(|fact| Some((fact.key.strip_prefix("chase.")?.to_owned(), fact.value.clone()?)))
        .collect();
    let name = table.display();
    let git = Command::new("git").args(["rev-parse", "HEAD"]).output();
    let commit = git.ok().filter(|output| output.status.success());
    let commit = commit.map_or(String::new(), |output| text(&output.stdout).trim().to_owned());
    assert_eq!(facts["git_hash"], commit, "{name}");
    assert_eq!(facts["config_sha256"].len(), 64, "{name}: {facts:?}");
    assert!(!facts["rules"].is_empty(), "{name}: {facts:?}");
    assert!(
        facts.contains_key("encoding") || facts["players"].contains("\"encoding\":"),
        "{name}: {facts:?}"
    );
    facts
}

/// An empty directory of its own for each test.
pub fn home(name: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    home
}
