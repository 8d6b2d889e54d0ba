//! All moves of a book as a Parquet file, for pandas, polars and DuckDB. `docs/src/guides/book.md` describes the
//! columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt32Array, UInt64Array};
use chase_training::sources;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use crate::book::Book;
use crate::position::{BookMove, BookPosition};
use crate::range::Range;

/// The file's content: a row for each legal move of each position.
pub(crate) fn moves(book: &Book) -> Result<Vec<u8>, ParquetError> {
    let rows: Vec<(usize, usize, &BookPosition, &BookMove)> = book
        .positions
        .iter()
        .enumerate()
        .flat_map(|(place, position)| {
            let moves = position.moves.iter().enumerate();
            moves.map(move |(rank, step)| (place, rank, position, step))
        })
        .collect();
    let texts = |of: &dyn Fn(&BookPosition, &BookMove) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(
            rows.iter().map(|(_, _, position, step)| of(position, step)),
        ))
    };
    let numbers = |of: &dyn Fn(&BookMove) -> Option<f64>| -> ArrayRef {
        Arc::new(Float64Array::from_iter(rows.iter().map(|(_, _, _, step)| of(step))))
    };
    let end = |of: fn(Range) -> f64| move |step: &BookMove| step.backed.map(of);
    let mut columns: Vec<(String, ArrayRef)> = vec![
        (
            "position".into(),
            Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.0 as u64))),
        ),
        (
            "ply".into(),
            Arc::new(UInt32Array::from_iter_values(rows.iter().map(|row| row.2.ply))),
        ),
        ("line".into(), texts(&|position, _| position.line.join(" "))),
        ("position_text".into(), texts(&|position, _| position.position.clone())),
        ("player".into(), texts(&|position, _| position.player.clone())),
        (
            "rank".into(),
            Arc::new(UInt32Array::from_iter_values(rows.iter().map(|row| row.1 as u32 + 1))),
        ),
        ("action".into(), texts(&|_, step| step.action.clone())),
        ("text".into(), texts(&|_, step| step.text.clone())),
        ("scout".into(), numbers(&|step| step.scout)),
    ];
    for (number, _) in book.provenance.players.judges.iter().enumerate() {
        columns.push((
            format!("judge_{}", number + 1),
            numbers(&|step| step.judges.get(number).copied()),
        ));
    }
    for (number, _) in book.provenance.players.challengers.iter().enumerate() {
        let answer = move |step: &BookMove| step.challenge.as_ref()?.answers.get(number).cloned();
        columns.push((
            format!("challenger_{}", number + 1),
            numbers(&|step| answer(step)?.score),
        ));
        columns.push((
            format!("reply_{}", number + 1),
            Arc::new(StringArray::from_iter(rows.iter().map(|row| answer(row.3)?.text))),
        ));
    }
    let to = rows.iter().map(|(_, _, _, step)| step.to.map(|to| to as u64));
    columns.extend([
        (
            "followed".into(),
            Arc::new(BooleanArray::from_iter(rows.iter().map(|row| Some(row.3.followed)))) as ArrayRef,
        ),
        ("to".into(), Arc::new(UInt64Array::from_iter(to))),
        ("held".into(), numbers(&|step| step.held)),
        ("backed_low".into(), numbers(&end(|range| range.low))),
        ("backed".into(), numbers(&end(|range| range.mean))),
        ("backed_high".into(), numbers(&end(|range| range.high))),
    ]);
    let batch = RecordBatch::try_from_iter(columns)?;
    let fact = |key: &str, value: String| KeyValue::new(format!("chase.{key}"), value);
    let provenance = &book.provenance;
    let json = |value: &dyn Fn() -> serde_json::Result<String>| {
        value().map_err(|error| ParquetError::General(error.to_string()))
    };
    let facts = vec![
        fact("schema_version", book.schema.to_string()),
        fact("rules_version", provenance.program.rules_version.to_string()),
        fact("config", json(&|| serde_json::to_string(&provenance.config))?),
        fact("config_sha256", provenance.program.config.clone().unwrap_or_default()),
        fact("rules", json(&|| serde_json::to_string(&provenance.rules))?),
        fact("players", json(&|| serde_json::to_string(&provenance.players))?),
        fact("git_hash", sources::commit()),
    ];
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_key_value_metadata(Some(facts))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties))?;
    writer.write(&batch)?;
    writer.into_inner()
}
