//! Faults in the files of a run.

use std::path::{Path, PathBuf};

use chase_training::store::files::FileError;

/// Error returned when a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or directory cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The directory holds no run.
    #[error("{} is not a run: there is no {missing} in it", path.display())]
    NotARun {
        /// The directory.
        path: PathBuf,
        /// The file that every run has.
        missing: &'static str,
    },
    /// A file of the run cannot be understood.
    #[error("{}{} is damaged: {reason}", path.display(), line.map_or(String::new(), |line| format!(", line {line},")))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1, if known.
        line: Option<usize>,
        /// The fault.
        reason: String,
    },
    /// Opening statistics hold a line that cannot be played.
    #[error("opening statistics of generation {generation}: the line `{line}` cannot be played: {reason}")]
    Line {
        /// The generation.
        generation: u64,
        /// The line.
        line: String,
        /// The fault.
        reason: String,
    },
}

impl ReportError {
    pub(crate) fn damaged(path: &Path, line: Option<usize>, reason: &str) -> Self {
        Self::Damaged {
            path: path.into(),
            line,
            reason: reason.to_owned(),
        }
    }
}
