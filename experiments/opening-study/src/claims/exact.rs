//! Claims that the rules of the game decide, without a network.
//!
//! Nothing here depends on randomness, on a machine, or on the strength of a player.

use super::{b1_safe, b2_b3_b6_chamber, b4_b5_exchanges, b8_b10_replies, b11_fives, d2_d3_d4_entry, d5_problems};
use crate::{ClaimId, Finding};

/// Claims that one function decides, and that function.
type Group = (&'static [ClaimId], fn() -> Vec<Finding>);

const GROUPS: [Group; 7] = [
    (&[ClaimId::B1], b1_safe::findings),
    (&[ClaimId::B2, ClaimId::B3, ClaimId::B6], b2_b3_b6_chamber::findings),
    (&[ClaimId::B4, ClaimId::B5], b4_b5_exchanges::findings),
    (&[ClaimId::B8, ClaimId::B10], b8_b10_replies::findings),
    (&[ClaimId::B11], b11_fives::findings),
    (&[ClaimId::D2, ClaimId::D3, ClaimId::D4], d2_d3_d4_entry::findings),
    (&[ClaimId::D5], d5_problems::findings),
];

/// All exact findings. `begin` is called with each group of claims before its turn; together they take seconds.
pub fn findings(begin: &mut dyn FnMut(&[ClaimId])) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (claims, decide) in GROUPS {
        begin(claims);
        findings.extend(decide());
    }
    findings
}
