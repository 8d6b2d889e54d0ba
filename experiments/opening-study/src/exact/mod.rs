//! Claims that the rules of the game decide, without any network: one file a group of claims.
//!
//! Nothing here depends on chance, on a machine, or on how well anybody plays.

mod captures;
mod chamber;
mod entry;
mod lines;
mod problems;
mod safety;

use super::{ClaimId, Finding};

/// Claims that one function decides, and that function.
type Group = (&'static [ClaimId], fn() -> Vec<Finding>);

const GROUPS: [Group; 5] = [
    (&[ClaimId::B1], safety::findings),
    (
        &[ClaimId::B2, ClaimId::B3, ClaimId::B4, ClaimId::B5, ClaimId::B6],
        chamber::findings,
    ),
    (&[ClaimId::B8, ClaimId::B10, ClaimId::B11], captures::findings),
    (&[ClaimId::D2, ClaimId::D3, ClaimId::D4], entry::findings),
    (&[ClaimId::D5], problems::findings),
];

/// All exact findings. `begin` hears of each group of claims before its turn; together they take seconds.
pub fn findings(begin: &mut dyn FnMut(&[ClaimId])) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (claims, decide) in GROUPS {
        begin(claims);
        findings.extend(decide());
    }
    findings
}
