//! The two files of a report: `report.html`, and `report.json` with the same numbers.

use std::io;
use std::path::{Path, PathBuf};

use chase_training::files::{self, FileError};
use serde::Serialize;

/// Writes both files into a directory, and returns the path of the page.
///
/// # Errors
/// If a file cannot be written; an older one then stays.
pub(crate) fn write(directory: &Path, figures: &impl Serialize, page: &str) -> Result<PathBuf, FileError> {
    let json = directory.join("report.json");
    let text = serde_json::to_string_pretty(figures)
        .map_err(io::Error::from)
        .map_err(FileError::of("write", &json))?;
    files::write_whole(&json, text.as_bytes())?;
    let path = directory.join("report.html");
    files::write_whole(&path, page.as_bytes())?;
    Ok(path)
}
