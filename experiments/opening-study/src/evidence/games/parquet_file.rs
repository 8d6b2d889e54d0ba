//! Tables of a study on disk.

use std::fs::File;
use std::path::PathBuf;

use arrow_array::RecordBatch;
use chase_models::manifest::FileFacts;
use chase_training::files::{FileError, sync_parent, temporary_name};
use chase_training::serialised::json_value;
use chase_training::sources;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use serde_json::json;

use super::design::Design;
use crate::evidence::error::EvidenceError;

/// A Parquet file being written; it appears when it is finished.
#[derive(Debug)]
pub(crate) struct ParquetFile {
    path: PathBuf,
    metadata: Vec<KeyValue>,
    writer: Option<ArrowWriter<File>>,
}

impl ParquetFile {
    /// An empty file of a study, with this version of its columns.
    pub fn new(path: PathBuf, schema_version: u32, design: &Design) -> Self {
        let fact = |key: &str, value: String| KeyValue::new(format!("chase.{key}"), value);
        let players = design.players.iter().map(|player| {
            let (name, hash) = (&player.name, &player.checkpoint_hash);
            let encoding = player.encoding();
            json!({ "name": name, "checkpoint_hash": hash, "encoding": encoding, "settings": player.settings() })
        });
        let players = players.collect::<serde_json::Value>();
        // As a value, whose keys are sorted.
        let config = json_value(&design.config).to_string();
        let metadata = vec![
            fact("schema_version", schema_version.to_string()),
            fact("rules_version", design.rules_version.to_string()),
            fact("rules", design.config.rules.clone()),
            fact("seed", design.seed.to_string()),
            fact("players", players.to_string()),
            fact("config_sha256", FileFacts::of(config.as_bytes()).sha256),
            fact("config", config),
            fact("git_hash", sources::commit()),
        ];
        Self {
            path,
            metadata,
            writer: None,
        }
    }

    /// Adds rows.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<(), EvidenceError> {
        let failed = |error: ParquetError| EvidenceError::content(&self.path, error);
        if self.writer.is_none() {
            let temporary = temporary_name(&self.path);
            let file = File::create(&temporary).map_err(FileError::of("write", &temporary))?;
            let level = ZstdLevel::try_new(3).map_err(failed)?;
            let properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(level))
                .set_key_value_metadata(Some(self.metadata.clone()))
                .build();
            self.writer = Some(ArrowWriter::try_new(file, batch.schema(), Some(properties)).map_err(failed)?);
        }
        match &mut self.writer {
            Some(writer) => writer.write(batch).map_err(failed),
            None => Ok(()),
        }
    }

    /// Writes the file; without rows there is no file.
    pub fn finish(&mut self) -> Result<(), EvidenceError> {
        let failed = |error: ParquetError| EvidenceError::content(&self.path, error);
        let Some(writer) = self.writer.take() else {
            return Ok(());
        };
        let file = writer.into_inner().map_err(failed)?;
        file.sync_all().map_err(FileError::of("write", &self.path))?;
        std::fs::rename(temporary_name(&self.path), &self.path).map_err(FileError::of("write", &self.path))?;
        Ok(sync_parent(&self.path)?)
    }
}

impl Drop for ParquetFile {
    /// A stopped study leaves no partial table.
    fn drop(&mut self) {
        if self.writer.take().is_some() {
            // If it cannot be removed, it is overwritten when the study is resumed.
            let _ = std::fs::remove_file(temporary_name(&self.path));
        }
    }
}
