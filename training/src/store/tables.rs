//! Tables as Parquet files: the fields of a type of rows are the columns, with their names, types and order.
//!
//! A row is a struct of numbers, texts and lists of numbers, with an `Option` where a value may be missing. The same
//! struct reads the rows back.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::ArrayRef;
pub use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, FieldRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use serde::{Deserialize, Serialize};
use serde_arrow::ArrayBuilder;
use serde_arrow::schema::{SchemaLike, TracingOptions};

use super::files::{FileError, sync_parent, temporary_name};
use crate::sources;

/// A column with its name.
pub type Column = (String, ArrayRef);

/// Rows as columns. Those of optional fields are nullable.
pub fn batch<'de, T: Serialize + Deserialize<'de>>(rows: impl IntoIterator<Item = T>) -> RecordBatch {
    let mut builder = ArrayBuilder::from_arrow(&fields::<T>()).expect("numbers, texts and lists are supported");
    let rows = rows.into_iter();
    builder.reserve(rows.size_hint().0);
    for row in rows {
        builder.push(row).expect("a row has the types of its own columns");
    }
    builder
        .into_record_batch()
        .expect("each row has added a value to each column")
}

/// The columns of a type of rows. Offsets have 32 bits and items of lists are nullable, as in most programs' files.
fn fields<'de, T: Deserialize<'de>>() -> Vec<FieldRef> {
    let options = TracingOptions::default()
        .sequence_as_large_list(false)
        .strings_as_large_utf8(false);
    let fields = Vec::<FieldRef>::from_type::<T>(options).expect("a row is a struct of numbers, texts and lists");
    let fields = fields.into_iter().map(|field| match field.data_type() {
        DataType::List(item) => {
            let item = Field::new_list_field(item.data_type().clone(), true);
            let list = DataType::List(Arc::new(item));
            Arc::new(field.as_ref().clone().with_data_type(list))
        }
        _ => field,
    });
    fields.collect()
}

/// The columns of rows with their names, for a table that has more columns than one type has fields.
pub fn columns<'de, T: Serialize + Deserialize<'de>>(rows: impl IntoIterator<Item = T>) -> Vec<Column> {
    let batch = batch(rows);
    let names = batch.schema_ref().fields().iter().map(|field| field.name().clone());
    names.zip(batch.columns().iter().cloned()).collect()
}

/// Columns as a table, in which those that hold a null are nullable.
pub fn batch_of(columns: Vec<Column>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).expect("there are columns, all of the same rows")
}

/// The rows of a batch. Texts may be borrowed from it.
///
/// # Errors
/// The reason, with the column, if one is missing or has another type.
pub fn rows<'de, T: Deserialize<'de>>(batch: &'de RecordBatch) -> Result<Vec<T>, String> {
    serde_arrow::from_record_batch(batch).map_err(|error| {
        let error = error.to_string();
        format!("other columns than expected: {}", error.trim_start_matches("Error: "))
    })
}

/// The metadata of a file: keys, which begin with `chase.`, and values.
#[derive(Clone, Debug)]
pub struct Facts(Vec<KeyValue>);

impl Facts {
    /// The version of the columns, then these, then the commit of the program.
    pub fn new(schema_version: u32, facts: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let first = ("schema_version", schema_version.to_string());
        let last = ("git_hash", sources::commit());
        let facts = [first].into_iter().chain(facts).chain([last]);
        let facts = facts.map(|(key, value)| KeyValue::new(format!("chase.{key}"), value));
        Self(facts.collect())
    }
}

fn writer<W: Write + Send>(sink: W, batch: &RecordBatch, facts: Facts) -> Result<ArrowWriter<W>, ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_key_value_metadata(Some(facts.0))
        .build();
    ArrowWriter::try_new(sink, batch.schema(), Some(properties))
}

/// The content of a file with these rows.
pub fn encode(batch: &RecordBatch, facts: Facts) -> Vec<u8> {
    let content = writer(Vec::new(), batch, facts).and_then(|mut writer| {
        writer.write(batch)?;
        writer.into_inner()
    });
    content.expect("memory takes every write, and Parquet has a form for each type of column")
}

/// A file of rows that are added in pieces. It appears when it is finished.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    facts: Facts,
    writer: Option<ArrowWriter<File>>,
}

impl TableFile {
    /// A file of this name, not begun yet.
    pub const fn new(path: PathBuf, facts: Facts) -> Self {
        Self {
            path,
            facts,
            writer: None,
        }
    }

    /// Adds rows, of which there may be none: they begin the file all the same.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<(), FileError> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let temporary = temporary_name(&self.path);
                let file = File::create(&temporary).map_err(FileError::of("write", &temporary))?;
                let writer = writer(file, batch, self.facts.clone()).map_err(failed(&self.path))?;
                self.writer.insert(writer)
            }
        };
        writer.write(batch).map_err(failed(&self.path))
    }

    /// Completes the file, if it was begun.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(&mut self) -> Result<(), FileError> {
        let Some(writer) = self.writer.take() else {
            return Ok(());
        };
        let file = writer.into_inner().map_err(failed(&self.path))?;
        let whole = file
            .sync_all()
            .and_then(|()| fs::rename(temporary_name(&self.path), &self.path));
        whole.map_err(FileError::of("write", &self.path))?;
        sync_parent(&self.path)
    }
}

fn failed(path: &Path) -> impl FnOnce(ParquetError) -> FileError {
    let failed = FileError::of("write", path);
    |error| failed(io::Error::other(error))
}

impl Drop for TableFile {
    /// Leaves nothing of an unfinished file.
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            // If it cannot be removed, the next attempt overwrites it.
            let _ = fs::remove_file(temporary_name(&self.path));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::borrow::Cow;

    use expect_test::expect;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Row<'a> {
        number: u64,
        name: &'a str,
        kind: Cow<'a, str>,
        small: u8,
        score: Option<f64>,
        losses: Vec<u8>,
        right: Option<bool>,
    }

    fn row(number: u64, score: Option<f64>) -> Row<'static> {
        Row {
            number,
            name: "one",
            kind: format!("kind {number}").into(),
            small: 7,
            score,
            losses: vec![1; number as usize],
            right: score.map(|score| score > 0.5),
        }
    }

    /// The columns of a batch, one a line.
    fn described(batch: &RecordBatch) -> String {
        let fields = batch.schema_ref().fields().iter().map(|field| {
            let nullable = if field.is_nullable() { ", nullable" } else { "" };
            format!("{}: {:?}{nullable}\n", field.name(), field.data_type())
        });
        fields.collect()
    }

    #[test]
    fn fields_are_columns_and_come_back() {
        let whole = [row(0, Some(0.75)), row(1, Some(0.25))];
        let columns = batch(whole.clone());
        expect![[r#"
            number: UInt64
            name: Utf8
            kind: Utf8
            small: UInt8
            score: Float64, nullable
            losses: List(Field { data_type: UInt8, nullable: true })
            right: Boolean, nullable
        "#]]
        .assert_eq(&described(&columns));
        assert_eq!(rows::<Row<'_>>(&columns).unwrap(), whole);
        expect![[r#"
            number: UInt64
            name: Utf8
            kind: Utf8
            small: UInt8
            score: Float64
            losses: List(Field { data_type: UInt8, nullable: true })
            right: Boolean
        "#]]
        .assert_eq(&described(&batch_of(super::columns(whole.clone()))));
        let holes = [row(2, None), row(3, Some(1.0))];
        assert_eq!(rows::<Row<'_>>(&batch(holes.clone())).unwrap(), holes);
    }

    #[test]
    fn a_file_appears_when_it_is_finished() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table.parquet");
        let table = || TableFile::new(path.clone(), Facts::new(3, [("rules", "all".into())]));
        table().finish().unwrap();
        table().add(&batch([row(0, None)])).unwrap();
        assert_eq!(super::super::files::names(directory.path()).unwrap(), [""; 0]);
        let mut whole = table();
        for number in 0..3 {
            whole.add(&batch([row(number, None)])).unwrap();
        }
        whole.finish().unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
        let facts = reader.metadata().file_metadata().key_value_metadata().unwrap().clone();
        let facts: Vec<String> = facts.into_iter().map(|fact| fact.key).collect();
        assert_eq!(
            facts,
            ["chase.schema_version", "chase.rules", "chase.git_hash", "ARROW:schema"]
        );
        let batches: Vec<RecordBatch> = reader.build().unwrap().map(Result::unwrap).collect();
        assert_eq!(rows::<Row<'_>>(&batches[0]).unwrap()[2], row(2, None));
        let missing = TableFile::new(path.join("below"), Facts::new(1, [])).add(&batch([row(0, None)]));
        expect!["cannot write TABLE/below.tmp: Not a directory (os error 20)"].assert_eq(
            &missing
                .unwrap_err()
                .to_string()
                .replace(&path.display().to_string(), "TABLE"),
        );
    }
}
