//! The claims. Their content is data: `claims.toml`.

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::basis::Basis;

/// A claim of the article by Rodeffer and Neto (*Abstract Games* 9). A: the first move's advantage; B: first moves; C:
/// the Chamber, material and dice; D: endgame and geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "`claims.toml` says what each one is")]
pub enum ClaimId {
    A1,
    A2,
    B1,
    B2,
    B3,
    B4,
    B5,
    B6,
    B7,
    B8,
    B9,
    B10,
    B11,
    C1,
    C2,
    C3,
    C4,
    C5,
    C6,
    D1,
    D2,
    D3,
    D4,
    D5,
}

/// A claim, and the evidence that it needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name in every output.
    pub id: ClaimId,
    /// The kinds of evidence that it needs, all of them, to be called supported.
    pub needs: Vec<Basis>,
    /// The claim in one line, in our own words.
    pub statement: String,
    /// The part of it that no test asks.
    pub untested: Option<String>,
}

/// Claims about one subject, which share a section of the page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimGroup {
    /// The letter that the ids of its claims begin with.
    pub letter: char,
    /// Their subject.
    pub heading: String,
    /// The claims, in the order of their ids.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

/// Content of `claims.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimFile {
    group: Vec<ClaimGroup>,
}

/// The groups of claims, in the order of their letters.
pub fn groups() -> &'static [ClaimGroup] {
    static GROUPS: LazyLock<Vec<ClaimGroup>> = LazyLock::new(|| {
        let file: ClaimFile = toml::from_str(include_str!("../claims.toml"))
            .unwrap_or_else(|error| panic!("claims.toml, which is compiled in and tested: {error}"));
        file.group
    });
    &GROUPS
}

/// All claims, in the order of their ids.
pub fn claims() -> impl Iterator<Item = &'static Claim> {
    groups().iter().flat_map(|group| &group.claims)
}

impl ClaimId {
    /// The claim with this id.
    pub fn claim(self) -> &'static Claim {
        let found = claims().find(|claim| claim.id == self);
        found.unwrap_or_else(|| panic!("claims.toml, which a test compares with the ids, has no {self}"))
    }
}

impl fmt::Display for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_every_claim_once_in_the_order_of_the_ids() {
        for (index, claim) in claims().enumerate() {
            assert_eq!(claim.id as usize, index);
            assert_eq!(claim.id.claim(), claim);
            assert!(
                claim.statement.ends_with('.') && !claim.needs.is_empty(),
                "{}",
                claim.id
            );
        }
        assert_eq!(claims().count(), ClaimId::D5 as usize + 1);
        for group in groups() {
            let ids = group.claims.iter().map(|claim| claim.id.to_string());
            let mut letters = ids.map(|id| id.chars().next());
            assert!(letters.all(|letter| letter == Some(group.letter)), "{}", group.heading);
        }
    }
}
