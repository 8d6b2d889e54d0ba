//! The directory of a book.
//!
//! | path | content |
//! |---|---|
//! | `config.toml`, `meta.json` | the resolved configuration and its provenance, written before anything else |
//! | `positions/ply-NN-NNNNN.jsonl` | judged positions, a line for each |
//! | `book.json`, `book.parquet`, `report.html` | computed from these: [`Book`](crate::Book), all moves, and its page |

use std::path::{Path, PathBuf};

use chase_models::device;
use chase_models::manifest::FileFacts;
use chase_training::config::Setting;
use chase_training::files;
use chase_training::run_dir::{Meta, RunDir};

use crate::config::BookConfig;
use crate::error::{BookError, damaged};
use crate::position::BookPosition;

const POSITIONS: &str = "positions";

/// A book in the making: its directory, locked for the lifetime of the value, and its configuration.
#[derive(Debug)]
pub struct BookFolder {
    run: RunDir,
    meta: Meta,
    config: BookConfig,
}

impl BookFolder {
    /// Begins a book in a new directory.
    ///
    /// # Errors
    /// If the directory is in use, holds other files, or cannot be written; if there is no such device.
    pub fn create(path: &Path, config: BookConfig, rules_version: u32) -> Result<Self, BookError> {
        device::parse(&config.device)?;
        let text = config.to_toml().map_err(|error| damaged(path, &error))?;
        let meta = Meta::new(config.game.name(), rules_version, 0).under(&text);
        let run = RunDir::create(path, &text, &meta, &[POSITIONS])?;
        Ok(Self { run, meta, config })
    }

    /// Continues the book in a directory. Only the number of threads and the device may differ.
    ///
    /// # Errors
    /// If there is no book, it is in use or damaged, or a setting differs.
    pub fn resume(path: &Path, settings: &[Setting]) -> Result<Self, BookError> {
        let (run, meta) = RunDir::resume(path)?;
        let file = run.config();
        let text = String::from_utf8(files::read(&file)?).map_err(|error| damaged(&file, &error))?;
        let sum = FileFacts::of(text.as_bytes()).sha256;
        if let Some(expected) = meta.config.as_ref().filter(|expected| **expected != sum) {
            let reason = format!("its SHA-256 is {sum}, not {expected} as when the book began; put it back");
            return Err(damaged(&file, &reason));
        }
        let name = file.to_string_lossy();
        let began = BookConfig::load(Some((&name, &text)), &[])?;
        let config = BookConfig::load(Some((&name, &text)), settings)?;
        let keys = began.changed(&config);
        match keys.is_empty() {
            true => Ok(Self { run, meta, config }),
            false => Err(BookError::Changed {
                path: path.into(),
                keys,
            }),
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.run.path()
    }

    /// The configuration.
    pub const fn config(&self) -> &BookConfig {
        &self.config
    }

    /// Provenance of the book.
    pub const fn meta(&self) -> &Meta {
        &self.meta
    }

    fn file(&self, ply: u32, number: usize) -> PathBuf {
        self.path()
            .join(POSITIONS)
            .join(format!("ply-{ply:02}-{number:05}.jsonl"))
    }

    /// The positions of a file, if it is there: one for each of these lines.
    pub(crate) fn stored(
        &self,
        ply: u32,
        number: usize,
        lines: &[Vec<String>],
    ) -> Result<Option<Vec<BookPosition>>, BookError> {
        let path = self.file(ply, number);
        if !path.exists() {
            return Ok(None);
        }
        let text = String::from_utf8(files::read(&path)?).map_err(|error| damaged(&path, &error))?;
        let positions = text
            .lines()
            .map(serde_json::from_str::<BookPosition>)
            .collect::<Result<Vec<_>, _>>();
        let positions = positions.map_err(|error| damaged(&path, &error))?;
        match positions.iter().map(|position| &position.line).eq(lines) {
            true => Ok(Some(positions)),
            false => Err(damaged(
                &path,
                &"it has other positions than this book; remove it, to have them judged again",
            )),
        }
    }

    pub(crate) fn store(&self, ply: u32, number: usize, positions: &[BookPosition]) -> Result<(), BookError> {
        let path = self.file(ply, number);
        let mut text = String::new();
        for position in positions {
            text += &serde_json::to_string(position).map_err(|error| damaged(&path, &error))?;
            text.push('\n');
        }
        Ok(files::write_whole(&path, text.as_bytes())?)
    }
}
