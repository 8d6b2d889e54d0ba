//! What files of earlier versions say in other words.

use chase_engine::chase::{Action, Position};

use super::{Finding, OpeningClass, StudyReport, Subject};

impl StudyReport {
    /// The report in a `study.json`. Files of before [`Finding::about`] have that in the headings of their findings.
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

/// What a finding of an old file is about: `one-step: …` is about a class, and `A3D2 I1W …` about a line in article form.
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
    use super::*;
    use crate::ClaimId;
    use chase_statistics::Verdict;

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
