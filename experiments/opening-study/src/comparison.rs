//! Studies side by side: the verdicts and effects of each, and where they agree.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use chase_statistics::{Interval, Verdict};
use chase_training::files::{self, FileError};
use serde::Serialize;

use crate::claim::claims;
use crate::conduct::REPORT_FILE;
use crate::{Basis, ClaimId, EffectUnit, Finding, Role, StudyReport};

/// Error returned when studies cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ComparisonError {
    /// A report cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is no report of a study.
    #[error("{} is no report of a study: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// There is nothing to compare.
    #[error("{0} study: expected two or more to compare")]
    TooFew(usize),
}

/// What the studies say of a claim together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Agreement {
    /// Two or more studies decide it, and all that do decide it alike.
    Agree,
    /// One study says the opposite of another.
    Disagree,
    /// One study decides it.
    One,
    /// No study decides it.
    Open,
}

impl Agreement {
    /// Of the verdicts of studies.
    fn of(verdicts: &[Option<Verdict>]) -> Self {
        let count = |verdict| verdicts.iter().filter(|&&found| found == Some(verdict)).count();
        match (count(Verdict::Supported), count(Verdict::Refuted)) {
            (0, 0) => Self::Open,
            (1, 0) | (0, 1) => Self::One,
            (_, 0) | (0, _) => Self::Agree,
            _ => Self::Disagree,
        }
    }

    /// In a word or two.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Disagree => "DISAGREE",
            Self::One => "one decides",
            Self::Open => "open",
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Studies side by side. Every list has an entry for each study, in order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The folders of the studies.
    pub studies: Vec<PathBuf>,
    /// The agents that decide in each.
    pub agents: Vec<Vec<String>>,
    /// Agents that decide in more than one of them: what these studies say alike is partly one opinion said twice.
    pub shared: Vec<String>,
    /// All claims, in order.
    pub claims: Vec<ComparedClaim>,
    /// Tests by games that two or more of the studies made, in the order of claims.
    pub tests: Vec<ComparedTest>,
}

/// A claim in several studies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedClaim {
    /// The claim.
    pub id: ClaimId,
    /// Its statement.
    pub statement: String,
    /// The verdicts; `None` where it was not tested.
    pub verdicts: Vec<Option<Verdict>>,
    /// What they say together.
    pub agreement: Agreement,
    /// True if the rules alone decide it, so that agreement says nothing about agents.
    pub exact: bool,
}

/// A test in several studies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedTest {
    /// The claim.
    pub claim: ClaimId,
    /// The part of it.
    pub part: String,
    /// The quantity.
    pub effect: String,
    /// The unit of the effects.
    pub unit: EffectUnit,
    /// The effects; `None` where the study has no such test.
    pub effects: Vec<Option<ComparedEffect>>,
}

/// The effect that one study found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ComparedEffect {
    /// The estimate.
    pub value: f64,
    /// Its interval, at the level that the study has.
    pub interval: Option<Interval>,
    /// The verdict of the test.
    pub verdict: Verdict,
    /// True if it decides the claim; otherwise it is context.
    pub decides: bool,
}

impl Comparison {
    /// Reads the reports of finished studies.
    ///
    /// # Errors
    /// If there are fewer than two, or one cannot be read.
    pub fn read(folders: &[PathBuf]) -> Result<Self, ComparisonError> {
        if folders.len() < 2 {
            return Err(ComparisonError::TooFew(folders.len()));
        }
        let reports = folders
            .iter()
            .map(|folder| report(folder))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::of(folders.to_vec(), &reports))
    }

    fn of(studies: Vec<PathBuf>, reports: &[StudyReport]) -> Self {
        let deciding = |report: &StudyReport| {
            let agents = report.provenance.agents.iter().filter(|agent| agent.decides);
            agents.map(|agent| agent.name.clone()).collect()
        };
        let claims = claims().map(|claim| {
            let id = claim.id;
            let verdicts: Vec<_> = reports
                .iter()
                .map(|report| report.claim(id).and_then(|claim| claim.verdict))
                .collect();
            ComparedClaim {
                id,
                statement: claim.statement.clone(),
                agreement: Agreement::of(&verdicts),
                verdicts,
                exact: claim.needs == [Basis::Exact],
            }
        });
        Self {
            studies,
            agents: reports.iter().map(deciding).collect(),
            shared: shared(reports),
            claims: claims.collect(),
            tests: tests(reports),
        }
    }
}

fn report(folder: &Path) -> Result<StudyReport, ComparisonError> {
    let path = folder.join(REPORT_FILE);
    let bytes = files::read(&path)?;
    serde_json::from_slice(&bytes).map_err(|error| ComparisonError::Content {
        path,
        reason: error.to_string(),
    })
}

/// The names of deciding agents whose weights more than one report has.
fn shared(reports: &[StudyReport]) -> Vec<String> {
    let of = |report: &StudyReport| -> BTreeMap<String, String> {
        let agents = report.provenance.agents.iter().filter(|agent| agent.decides);
        agents
            .filter_map(|agent| Some((agent.checkpoint_hash.clone()?, agent.name.clone())))
            .collect()
    };
    let all: Vec<_> = reports.iter().map(of).collect();
    let twice = |weights: &String| all.iter().filter(|agents| agents.contains_key(weights)).count() > 1;
    let names: BTreeMap<&String, &String> = all.iter().flatten().filter(|(weights, _)| twice(weights)).collect();
    names.into_values().cloned().collect()
}

/// The empirical findings with an effect that at least two reports have, by claim and part.
fn tests(reports: &[StudyReport]) -> Vec<ComparedTest> {
    let of = |report: &StudyReport| -> Vec<Finding> {
        let findings = report.claims.iter().flat_map(|claim| &claim.findings);
        let empirical = findings.filter(|finding| finding.basis == Basis::Empirical && finding.effect.is_some());
        empirical.cloned().collect()
    };
    let all: Vec<Vec<Finding>> = reports.iter().map(of).collect();
    let mut tests: Vec<ComparedTest> = Vec::new();
    for finding in all.iter().flatten() {
        let Some(effect) = &finding.effect else { continue };
        let known = |test: &ComparedTest| {
            (test.claim, &test.part, &test.effect, test.unit)
                == (finding.claim, &finding.part, &effect.name, effect.unit)
        };
        if tests.iter().any(known) {
            continue;
        }
        let same = |other: &&Finding| {
            (other.claim, &other.part) == (finding.claim, &finding.part)
                // What a part is measured by has changed over time.
                && other
                    .effect
                    .as_ref()
                    .is_some_and(|other| (&other.name, other.unit) == (&effect.name, effect.unit))
        };
        let effects: Vec<_> = all
            .iter()
            .map(|findings| {
                let found = findings.iter().find(same)?;
                let effect = found.effect.as_ref()?;
                Some(ComparedEffect {
                    value: effect.value,
                    interval: effect.interval,
                    verdict: found.verdict,
                    decides: found.role == Role::Deciding,
                })
            })
            .collect();
        if effects.iter().flatten().count() > 1 {
            tests.push(ComparedTest {
                claim: finding.claim,
                part: finding.part.clone(),
                effect: effect.name.clone(),
                unit: effect.unit,
                effects,
            });
        }
    }
    tests.sort_by_key(|test| test.claim);
    tests
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effect;
    use chase_engine::{Chase, Game};
    use chase_training::run_dir::Meta;

    use crate::StudyProvenance;

    #[test]
    fn verdicts_agree_if_all_that_decide_say_the_same() {
        use Verdict::{Inconclusive, Refuted, Supported};
        for (verdicts, expected) in [
            (vec![None, Some(Inconclusive)], Agreement::Open),
            (vec![Some(Supported), Some(Inconclusive), None], Agreement::One),
            (vec![Some(Supported), Some(Supported), None], Agreement::Agree),
            (vec![Some(Refuted), Some(Refuted)], Agreement::Agree),
            (
                vec![Some(Supported), Some(Supported), Some(Refuted)],
                Agreement::Disagree,
            ),
        ] {
            assert_eq!(Agreement::of(&verdicts), expected, "{verdicts:?}");
        }
    }

    #[test]
    fn tests_stand_beside_each_other_by_claim_and_part() {
        let finding = |claim, part: &str, value: Option<f64>, verdict| {
            let mut finding = Finding::empirical(claim, part, verdict, "");
            finding.effect = value.map(|value| Effect::exact("", EffectUnit::Score, value));
            finding
        };
        let provenance = || StudyProvenance {
            program: Meta::new(Chase::NAME, Chase::RULES_VERSION, 1),
            config: serde_json::Value::Null,
            raised: Vec::new(),
            preregistration: None,
            agents: Vec::new(),
        };
        let report = |findings| StudyReport::new(provenance(), findings);
        let reports = [
            report(vec![
                finding(ClaimId::C1, "entry", Some(0.1), Verdict::Supported),
                finding(ClaimId::A1, "score", Some(0.6), Verdict::Supported),
                finding(ClaimId::C2, "alone", Some(0.5), Verdict::Supported),
                finding(ClaimId::C3, "no number", None, Verdict::Supported),
            ]),
            report(vec![
                finding(ClaimId::A1, "score", Some(0.4), Verdict::Refuted).as_context(),
                finding(ClaimId::C1, "entry", Some(0.2), Verdict::Inconclusive),
                finding(ClaimId::C3, "no number", None, Verdict::Supported),
            ]),
        ];
        let compared = Comparison::of(vec!["one".into(), "two".into()], &reports);
        let parts: Vec<_> = compared
            .tests
            .iter()
            .map(|test| (test.claim, test.part.as_str()))
            .collect();
        assert_eq!(parts, [(ClaimId::A1, "score"), (ClaimId::C1, "entry")]);
        let values: Vec<Vec<_>> = compared
            .tests
            .iter()
            .map(|test| {
                test.effects
                    .iter()
                    .flatten()
                    .map(|effect| (effect.value, effect.decides))
                    .collect()
            })
            .collect();
        assert_eq!(values, [[(0.6, true), (0.4, false)], [(0.1, true), (0.2, true)]]);
        let claim = |id| {
            compared
                .claims
                .iter()
                .find(|claim| claim.id == id)
                .map(|claim| claim.agreement)
        };
        assert_eq!(claim(ClaimId::A1), Some(Agreement::One));
        assert_eq!(claim(ClaimId::C3), Some(Agreement::Agree));
        assert_eq!(claim(ClaimId::B1), Some(Agreement::Open));
    }
}
