//! Findings from searches on claims A2, B5 and B7 to B10.

use crate::evidence::games::{away_openings, four_openings};
use crate::evidence::search::SearchEvidence;
use crate::{ClaimId, Finding, OpeningClass};

impl SearchEvidence {
    /// The findings, to which the caller adds the command.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = vec![
            self.several_first_moves(),
            self.several_replies(),
            self.more_defensive(),
        ];
        let away = [OpeningClass::ThreeAway, OpeningClass::FiveAway];
        let four = [OpeningClass::Four];
        findings.push(self.poor_class(ClaimId::B7, "3s and 5s that go away, by search", &away));
        findings.push(self.named_replies_are_best(
            ClaimId::B8,
            "the wraparound bump among all replies, by search",
            &away_openings(),
        ));
        findings.push(self.poor_class(ClaimId::B9, "first moves of a 4, by search", &four));
        findings.push(self.named_replies_are_best(
            ClaimId::B10,
            "the capture among all replies, by search",
            &four_openings(),
        ));
        findings
    }
}
