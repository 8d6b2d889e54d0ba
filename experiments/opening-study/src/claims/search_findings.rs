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
        findings.push(self.poor_class(ClaimId::B7, &away));
        findings.push(self.named_replies_are_best(ClaimId::B8, &away_openings()));
        findings.push(self.poor_class(ClaimId::B9, &[OpeningClass::Four]));
        findings.push(self.named_replies_are_best(ClaimId::B10, &four_openings()));
        findings
    }
}
