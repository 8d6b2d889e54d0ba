//! The files that are computed from finished agents.

use std::path::PathBuf;

use chase_training::store::files;
use chase_training::store::serialised::pretty_json;

use crate::error::BalanceError;
use crate::page::page;
use crate::report::BalanceReport;
use crate::study::Study;
use crate::table;

/// The report as data, within the directory of a study.
pub const REPORT_FILE: &str = "balance.json";
const PAGE: &str = "report.html";

/// Computes the report from the finished agents of a study, and writes it with its page and the table of games. Returns
/// it with the path of the page.
///
/// # Errors
/// If a finished agent's files cannot be read, or a file cannot be written.
pub fn write_report(study: &Study) -> Result<(BalanceReport, PathBuf), BalanceError> {
    let mut agents = Vec::new();
    for entry in study.config().units() {
        agents.extend(study.agent(entry)?.map(|report| (entry, report)));
    }
    let report = BalanceReport::new(study, &agents)?;
    table::write(study, &agents)?;
    let path = study.path().join(REPORT_FILE);
    files::write_whole(&path, (pretty_json(&report) + "\n").as_bytes())?;
    let path = study.path().join(PAGE);
    files::write_whole(&path, page(&report).as_bytes())?;
    Ok((report, path))
}
