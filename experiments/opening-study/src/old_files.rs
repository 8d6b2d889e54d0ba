//! Reads files of earlier versions.

use chase_engine::chase::{Action, Position};

use super::{Finding, OpeningClass, StudyReport, Subject};

impl StudyReport {
    /// Reads the report in a `study.json`. In files older than [`Finding::about`], it is derived from the headings of
    /// findings.
    ///
    /// # Errors
    /// If it is not JSON of this form.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Self> {
        let mut report: Self = serde_json::from_slice(text)?;
        let findings = || report.claims.iter().flat_map(|claim| &claim.findings);
        if findings().all(|finding| finding.about.is_none()) {
            for finding in report.claims.iter_mut().flat_map(|claim| &mut claim.findings) {
                finding.about = subject_of_heading(finding);
            }
        }
        Ok(report)
    }
}

/// The subject of a finding in an old file: `one-step: …` is about a class, and `A3D2 I1W …` about a line in article
/// form.
fn subject_of_heading(finding: &Finding) -> Option<Subject> {
    let mut classes = OpeningClass::ALL.into_iter();
    let begins = |class: &OpeningClass| {
        let rest = finding.part.strip_prefix(class.name());
        rest.is_some_and(|rest| rest.starts_with(':'))
    };
    if let Some(class) = classes.find(begins) {
        return Some(Subject::Class(class));
    }
    let mut position = Position::initial();
    let mut line: Vec<Action> = Vec::new();
    for word in finding.part.split(' ') {
        let Ok(actions) = position.parse_article(word) else {
            break;
        };
        actions.iter().for_each(|&action| position.play_unchecked(action));
        line.extend(actions);
    }
    (!line.is_empty()).then(|| Subject::line(&line))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::{ArticleMove, ClaimId};
    use chase_statistics::Verdict;

    #[test]
    fn findings_of_an_old_study_stay_with_their_moves() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../studies/0004-opening-study/study.json");
        let text = std::fs::read(file).unwrap();
        let report = StudyReport::from_json(&text).unwrap();
        let moves = ArticleMove::of(&Position::initial());
        let parts = |action: &str, id: ClaimId| -> Vec<&str> {
            let (_, found) = moves.iter().find(|(known, _)| known.to_string() == action).unwrap();
            let findings = found.findings(report.claim(id).unwrap());
            findings.map(|finding| finding.part.as_str()).collect()
        };
        let safe = |action| {
            let parts = parts(action, ClaimId::B1).into_iter();
            parts
                .filter(|part| part.ends_with(": no worse than the rest"))
                .collect::<Vec<_>>()
        };
        assert_eq!(safe("A1NE"), ["one-step: no worse than the rest"]);
        assert_eq!(safe("1A6A7"), ["exchange: no worse than the rest"]);
        let most_aggressive = |action: &str, of: &str| {
            let part = format!("{of} the most aggressive");
            parts(action, ClaimId::B4).contains(&part.as_str())
        };
        assert!(most_aggressive("1A6A7", "1A6A7") && !most_aggressive("1A6A7", "1A8A7"));
        assert!(most_aggressive("1A8A7", "1A8A7") && !most_aggressive("1A8A7", "1A6A7"));
        // Current files have the field, whatever their headings are.
        let mut today = report.clone();
        let named = today.claims.iter_mut().flat_map(|claim| &mut claim.findings);
        named.for_each(|finding| finding.part = "1A6A7".into());
        let read = StudyReport::from_json(&serde_json::to_vec(&today).unwrap()).unwrap();
        assert_eq!(read, today);
    }

    #[test]
    fn headings_of_old_files_name_classes_and_lines() {
        let class = Subject::Class(OpeningClass::Exchange);
        let line = |texts: &[&str]| {
            let actions: Vec<Action> = texts.iter().filter_map(|text| text.parse().ok()).collect();
            Subject::line(&actions)
        };
        for (part, expected) in [
            ("exchange: no worse than the rest", Some(class)),
            ("exchanges: dice lost in the first 20 plies", None),
            ("1A6A7 the most aggressive", Some(line(&["1A6A7"]))),
            ("A3D2 I1W", Some(line(&["A3NW", "I1W"]))),
            ("A6 goes on attacking E4", None),
        ] {
            let finding = Finding::empirical(ClaimId::B1, part, Verdict::Inconclusive, "");
            assert_eq!(subject_of_heading(&finding), expected, "{part}");
        }
    }
}
