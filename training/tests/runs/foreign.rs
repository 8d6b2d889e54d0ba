//! Files that another person may have made, to harm their reader.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray, UInt32Array};
use chase_engine::ConnectFour;
use chase_models::manifest::FileFacts;
use chase_training::replay::shard;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

const ROWS: usize = 3000;

/// Writes columns as a shard, and returns its name.
fn place(games: &Path, columns: Vec<(&str, ArrayRef)>) -> String {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let facts = [
        ("schema_version", "1"),
        ("game", "connect-four"),
        ("rules_version", "1"),
    ];
    let facts = facts.map(|(key, value)| KeyValue::new(format!("chase.{key}"), value.to_owned()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).unwrap()))
        .set_key_value_metadata(Some(facts.into()))
        .set_dictionary_page_size_limit(1 << 30)
        .build();
    // Without it the texts below are plain ones, of which a page says over and over again which of few it is.
    let options = ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    let content = writer.into_inner().unwrap();
    let name = format!(
        "gen-000001/selfplay-0000-{}.parquet",
        &FileFacts::of(&content).sha256[..16]
    );
    fs::create_dir_all(games.join("gen-000001")).unwrap();
    fs::write(games.join(&name), content).unwrap();
    name
}

/// The same text in every row, and numbers that do not matter.
fn columns(text: &str) -> Vec<(&'static str, ArrayRef)> {
    let texts = || -> ArrayRef {
        let values = Arc::new(StringArray::from(vec![text]));
        Arc::new(DictionaryArray::<Int32Type>::new(
            Int32Array::from(vec![0; ROWS]),
            values,
        ))
    };
    let numbers = || -> ArrayRef { Arc::new(UInt32Array::from(vec![0; ROWS])) };
    vec![("position", texts()), ("game", numbers()), ("ply", numbers())]
}

/// Not a test of its own: what the next one starts as a process, whose memory is that of one shard.
#[test]
fn child() {
    let Some(games) = std::env::var_os("CHASE_TEST_FOREIGN") else {
        return;
    };
    let games = Path::new(&games);
    let name = place(games, columns(&"x".repeat(1 << 20)));
    assert!(fs::metadata(games.join(&name)).unwrap().len() < 10_000);
    let before = memory();
    let error = shard::read::<ConnectFour>(games, &name, &()).unwrap_err().to_string();
    assert!(
        error.contains("column `position` has a text of 1048576 bytes, expected at most 1024"),
        "{error}"
    );
    assert!(memory() - before < 100, "{before} MiB grew to {}", memory());
}

/// The most memory that this process has had, in MiB.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_shard_of_large_texts_takes_no_memory() {
    let directory = tempfile::tempdir().unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "foreign::child", "--nocapture"]);
    command.env("CHASE_TEST_FOREIGN", directory.path());
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn pages_that_unpack_to_many_times_the_file_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    // Each text once, so that the page has all of them.
    let texts: Vec<String> = (0..40).map(|index| format!("{index}{}", "x".repeat(1 << 20))).collect();
    let position: ArrayRef = Arc::new(StringArray::from(texts));
    let name = place(directory.path(), vec![("position", position)]);
    let error = shard::read::<ConnectFour>(directory.path(), &name, &())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("bytes when unpacked, expected at most 16777216"),
        "{error}"
    );
}
