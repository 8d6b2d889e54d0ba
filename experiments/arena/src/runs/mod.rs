//! Training runs as their readers see them: what a run directory holds ([`Run`]), the [`Figures`] in it, and the page
//! that is drawn of them.

mod boards;
mod figures;
mod first_moves;
mod headline;
mod opening_page;
mod opening_table;
mod page;
mod read;
mod score;

use std::path::{Path, PathBuf};

pub use self::figures::Figures;
pub(crate) use self::opening_page::bar;
pub(crate) use self::page::end_reasons_chart;
pub use self::read::Run;
use crate::report_files;

/// Writes `report.html` and, with the same numbers, `report.json` into a run directory, and returns the path of the
/// page. A run in progress, or one without evaluations or measurements, gets a page that says what is missing.
///
/// # Errors
/// If the directory is not a run, or a file in it is damaged, or the report cannot be written; an older report then
/// stays.
pub fn write_training_report(run_dir: &Path) -> anyhow::Result<PathBuf> {
    let figures = Figures::new(&Run::read(run_dir)?)?;
    Ok(report_files::write(run_dir, &figures, &page::page(&figures))?)
}
