//! Verdicts of studies on moves.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use chase_opening_study::{ArticleMove, ClaimResult, REPORT_FILE, StudyReport};
use chase_statistics::Verdict;
use chase_training::store::files;
use serde::Serialize;

use super::cached::CachedFiles;
use super::runs::{RunFolder, name_of};

/// Reports of studies: those named when the server was started, and those in the folder of runs.
#[derive(Debug, Default)]
pub struct Studies {
    /// Name and file.
    named: Vec<(String, PathBuf)>,
    reports: CachedFiles<Vec<ClaimResult>>,
}

/// The verdicts of one study.
#[derive(Clone, Debug)]
pub struct StudyVerdicts {
    /// The study's folder.
    pub name: String,
    claims: Arc<Vec<ClaimResult>>,
}

/// A study's verdict on a claim about a move.
#[derive(Clone, Debug, Serialize)]
pub struct MoveVerdict {
    study: String,
    /// The id, such as `B9`.
    claim: String,
    statement: String,
    /// The verdict on the whole claim.
    verdict: Verdict,
    /// The findings behind it that concern this move.
    findings: Vec<PartVerdict>,
}

#[derive(Clone, Debug, Serialize)]
struct PartVerdict {
    part: String,
    verdict: Verdict,
    summary: String,
    agent: Option<String>,
}

impl StudyVerdicts {
    /// The study's verdicts on a move.
    pub fn of(&self, named: &ArticleMove) -> Vec<MoveVerdict> {
        let claims = self.claims.iter().filter(|claim| named.claims.contains(&claim.id));
        let verdicts = claims.filter_map(|claim| {
            let findings = named.findings(claim).map(|finding| PartVerdict {
                part: finding.part.clone(),
                verdict: finding.verdict,
                summary: finding.summary.clone(),
                agent: finding.agent.clone(),
            });
            Some(MoveVerdict {
                study: self.name.clone(),
                claim: claim.id.to_string(),
                statement: claim.statement.clone(),
                verdict: claim.verdict?,
                findings: findings.collect(),
            })
        });
        verdicts.collect()
    }
}

impl Studies {
    /// Uses the studies in these folders or files; those of runs are added later.
    ///
    /// # Errors
    /// If one of them is not a report of a study.
    pub fn new(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut studies = Self::default();
        for path in paths {
            let file = match path.is_dir() {
                true => path.join(REPORT_FILE),
                false => path.clone(),
            };
            let read = studies.reports.get(&file, || claims(&file));
            let place = path.display();
            read.map_err(anyhow::Error::msg)
                .with_context(|| format!("--study {place}: expected a study's folder or its {REPORT_FILE}"))?;
            let whole = file.canonicalize()?;
            let folder = whole.parent().expect("a file lies in a folder");
            studies.named.push((name_of(folder), file));
        }
        Ok(studies)
    }

    /// All studies that can be read now, and the reasons for the others.
    pub fn read(&self, runs: &RunFolder) -> (Vec<StudyVerdicts>, Vec<String>) {
        let of_runs = runs.all().into_iter().map(|(name, run)| (name, run.join(REPORT_FILE)));
        // An unfinished study has no report yet.
        let files = self
            .named
            .iter()
            .cloned()
            .chain(of_runs.filter(|(_, file)| file.is_file()));
        let (mut studies, mut reasons) = (Vec::new(), Vec::new());
        for (name, file) in files {
            match self.reports.get(&file, || claims(&file)) {
                Ok(claims) => studies.push(StudyVerdicts { name, claims }),
                Err(reason) => reasons.push(reason),
            }
        }
        (studies, reasons)
    }
}

/// The claims of a report.
fn claims(file: &Path) -> Result<Vec<ClaimResult>, String> {
    let text = files::read_document(file).map_err(|error| error.to_string())?;
    let report: Result<StudyReport, _> = serde_json::from_slice(&text);
    let report = report.map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    Ok(report.claims)
}
