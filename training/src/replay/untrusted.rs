//! Parquet files of untrusted origin: the size of what is unpacked is bounded by the size on disk.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{RecordBatch, StringViewArray};
use arrow_schema::{DataType, Fields, Schema};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use serde::Deserialize;

use crate::tables;

/// Most bytes of a text: positions and names of checkpoints have a tenth of it.
const LONGEST_TEXT: usize = 1024;
/// Most values in a row's list: no position of these games has even a tenth as many legal actions.
const MOST_VALUES: i64 = 2048;
/// Largest ratio of a page's unpacked size to its size on disk. Shards reach about ten.
const MOST_RATIO: usize = 256;
/// Bytes that may be unpacked even from the smallest file.
const LEAST_UNPACKED: usize = 16 << 20;

/// A reader whose texts are views into their pages: a repeated text takes memory only once.
pub(super) fn reader(content: Bytes) -> Result<ParquetRecordBatchReaderBuilder<Bytes>, String> {
    let text = |error: ParquetError| error.to_string();
    let options = ArrowReaderOptions::new();
    let found = ArrowReaderMetadata::load(&content, options.clone()).map_err(text)?;
    check(found.metadata(), content.len())?;
    let fields = found.schema().fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View)),
        _ => Arc::clone(field),
    });
    let schema = Schema::new(fields.collect::<Fields>());
    let options = options.with_schema(Arc::new(schema.with_metadata(found.schema().metadata().clone())));
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(found.metadata()), options).map_err(text)?;
    Ok(ParquetRecordBatchReaderBuilder::new_with_metadata(content, metadata))
}

/// Refuses columns that are small on disk but would not fit into memory.
fn check(metadata: &ParquetMetaData, size: usize) -> Result<(), String> {
    let most = size.saturating_mul(MOST_RATIO).max(LEAST_UNPACKED) as i64;
    let mut unpacked = 0i64;
    for group in metadata.row_groups() {
        let most_values = group.num_rows().saturating_mul(MOST_VALUES);
        for column in group.columns() {
            let (name, values) = (column.column_path(), column.num_values());
            if values > most_values {
                let rows = group.num_rows();
                return Err(format!(
                    "column `{name}` has {values} values in {rows} rows, expected at most {most_values}"
                ));
            }
            unpacked = unpacked.saturating_add(column.uncompressed_size());
        }
    }
    if unpacked > most {
        return Err(format!(
            "{unpacked} bytes when unpacked, expected at most {most} of {size}"
        ));
    }
    Ok(())
}

/// The rows of a batch, if none of its texts is longer than any of a game.
pub(super) fn rows<'de, T: Deserialize<'de>>(batch: &'de RecordBatch) -> Result<Vec<T>, String> {
    for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
        let mut lengths = column
            .as_string_view_opt()
            .into_iter()
            .flat_map(StringViewArray::lengths);
        if let Some(length) = lengths.find(|&length| length as usize > LONGEST_TEXT) {
            return Err(format!(
                "column `{}` has a text of {length} bytes, expected at most {LONGEST_TEXT}",
                field.name()
            ));
        }
    }
    tables::rows(batch)
}
