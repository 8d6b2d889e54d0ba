//! The part of a finding's evidence that is read again: by verdicts and pages.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Finding;
use super::evidence::forks::ForkKind;
use super::evidence::games::SeriesId;

/// Fields of a finding's evidence that verdicts and pages read. Each test writes those that it has, among fields of its
/// own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TestEvidence {
    /// The threshold that the effect is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// The side of the threshold on which the claim holds; `None` for above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed: Option<ClaimedSide>,
    /// The probability of a false verdict that the test may have: its share of the claim's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    /// The kind of the forks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ForkKind>,
    /// What the effect is compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<ComparedWith>,
}

/// A side of a threshold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimedSide {
    /// Greater numbers.
    #[default]
    Above,
    /// Lesser numbers.
    Below,
}

/// The other part of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ComparedWith {
    /// The mean over series of games; over none, the effect is no difference.
    Series(Vec<SeriesId>),
    /// Another action of the same fork.
    Fork(Against),
}

/// The action whose score an action's score is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Against {
    /// The best action of the other side.
    Rival,
    /// The control of the same fork.
    Control,
}

impl TestEvidence {
    /// True if the effect is a difference of two numbers of its unit.
    pub fn is_difference(&self) -> bool {
        let against_series = || matches!(&self.against, Some(ComparedWith::Series(series)) if !series.is_empty());
        self.kind.is_some() || against_series()
    }
}

impl Finding {
    /// The part of the evidence that verdicts and pages read; empty for evidence of other forms.
    pub fn test_evidence(&self) -> TestEvidence {
        match &self.evidence {
            fields @ Value::Object(_) => TestEvidence::deserialize(fields).unwrap_or_default(),
            _ => TestEvidence::default(),
        }
    }

    /// Adds fields to the evidence.
    #[must_use]
    pub(crate) fn with_test_evidence(mut self, added: TestEvidence) -> Self {
        let added = serde_json::to_value(added).unwrap_or_default();
        match (&mut self.evidence, added) {
            (Value::Object(fields), Value::Object(added)) => fields.extend(added),
            (evidence @ Value::Null, added) => *evidence = added,
            // A list has no place for fields.
            _ => {}
        }
        self
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::{Basis, ClaimId, StudyReport};
    use chase_statistics::Verdict;
    use serde_json::json;

    #[test]
    fn fields_are_added_to_those_of_the_test() {
        let finding = Finding::new(ClaimId::C1, "part", Basis::Empirical, Verdict::Inconclusive, "");
        let threshold = |threshold| TestEvidence {
            threshold: Some(threshold),
            ..TestEvidence::default()
        };
        let alone = finding.clone().with_test_evidence(threshold(0.5));
        assert_eq!(alone.evidence, json!({ "threshold": 0.5 }));
        let among = finding.with_evidence(json!({ "games": 3, "threshold": 0.1 }));
        let among = among.with_test_evidence(threshold(0.25));
        assert_eq!(among.evidence, json!({ "games": 3, "threshold": 0.25 }));
        assert_eq!(among.test_evidence(), threshold(0.25));
        let list = among.with_evidence(json!([1, 2]));
        assert_eq!(list.test_evidence(), TestEvidence::default());
    }

    #[test]
    fn published_evidence_is_read() {
        for study in ["0036-first-family", "0039-five-and-five"] {
            let file = format!("{}/../studies/{study}/study.json", env!("CARGO_MANIFEST_DIR"));
            let report: StudyReport = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
            for finding in report.claims.iter().flat_map(|claim| &claim.findings) {
                let Value::Object(fields) = &finding.evidence else {
                    continue;
                };
                let read = TestEvidence::deserialize(&finding.evidence).unwrap();
                let threshold = fields.get("threshold").and_then(Value::as_f64);
                assert_eq!(read.threshold, threshold, "{study}, {}", finding.part);
                let read = serde_json::to_value(read).unwrap();
                for field in ["claimed", "kind", "against"] {
                    let [read, stored] = [read.get(field), fields.get(field)].map(|value| value.is_some());
                    assert_eq!(read, stored, "{study}, {}: {field}", finding.part);
                }
            }
        }
    }
}
