//! Reports: self-contained HTML pages, with the same numbers as JSON beside them.
//!
//! [`run`] reads, [`figures`] holds the numbers, and everything else draws: [`markup`] and [`page`] (shell, tables, style
//! sheet) and [`chart`] know nothing of training and serve every report, that of a tournament too.

mod boards;
pub mod chart;
mod evaluation;
mod exhibits;
pub mod figures;
mod headline;
pub mod markup;
pub mod number;
mod opening_page;
pub mod opening_table;
pub mod page;
pub mod run;
pub mod study_page;
mod tournament_page;
mod training_page;

use std::path::{Path, PathBuf};

use chase_training::files::{self, FileError};
use serde::Serialize;

use self::figures::Figures;
use self::run::Run;
use crate::tournament::{Standings, TournamentConfig};

/// Why there is no report.
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
        /// What is wrong with it.
        reason: String,
    },
    /// Opening statistics hold a line that cannot be played.
    #[error("opening statistics of generation {generation}: the line `{line}` cannot be played: {reason}")]
    Line {
        /// The generation.
        generation: u64,
        /// The line.
        line: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl ReportError {
    fn damaged(path: &Path, line: Option<usize>, reason: &str) -> Self {
        Self::Damaged {
            path: path.into(),
            line,
            reason: reason.to_owned(),
        }
    }
}

/// Writes `report.html` and, with the same numbers, `report.json` into a run directory, and returns the path of the page.
/// A run in progress, or one without evaluations or measurements, gets a page that says what is missing.
///
/// # Errors
/// If the directory is not a run, or a file in it is damaged, or the report cannot be written; an older report then
/// stays.
pub fn write_training_report(run_dir: &Path) -> Result<PathBuf, ReportError> {
    let figures = Figures::new(&Run::read(run_dir)?)?;
    write(run_dir, &figures, &training_page::page(&figures))
}

/// Writes `report.html` and, with the same numbers, `report.json` into the directory of a tournament, and returns the path
/// of the page.
///
/// # Errors
/// If the report cannot be written; an older report then stays.
pub fn write_tournament_report(
    directory: &Path,
    config: &TournamentConfig,
    standings: &Standings,
) -> Result<PathBuf, ReportError> {
    let name = directory.canonicalize().ok();
    let name = name.as_deref().unwrap_or(directory).file_name();
    let name = name.unwrap_or(directory.as_os_str()).to_string_lossy();
    write(directory, standings, &tournament_page::page(&name, config, standings))
}

/// Writes figures and their page.
fn write(directory: &Path, figures: &impl Serialize, page: &str) -> Result<PathBuf, ReportError> {
    let json = directory.join("report.json");
    let text =
        serde_json::to_string_pretty(figures).map_err(|error| ReportError::damaged(&json, None, &error.to_string()))?;
    files::write_whole(&json, text.as_bytes())?;
    let path = directory.join("report.html");
    files::write_whole(&path, page.as_bytes())?;
    Ok(path)
}
