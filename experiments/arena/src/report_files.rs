//! The two files of a report: `report.html`, and `report.json` with the same numbers.

use std::path::{Path, PathBuf};

use chase_training::store::files::{self, FileError};
use chase_training::store::serialised::pretty_json;
use serde::Serialize;

/// Writes both files into a directory, and returns the path of the page.
///
/// # Errors
/// If a file cannot be written; an older one then stays.
pub(crate) fn write(directory: &Path, figures: &impl Serialize, page: &str) -> Result<PathBuf, FileError> {
    files::write_whole(&directory.join("report.json"), pretty_json(figures).as_bytes())?;
    let path = directory.join("report.html");
    files::write_whole(&path, page.as_bytes())?;
    Ok(path)
}
