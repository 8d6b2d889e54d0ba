//! The claims. Their content is data: `claims.toml`.

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::Basis;
use super::claim_test::ClaimTest;

/// The id of a claim of the article by Rodeffer and Neto (*Abstract Games* 9), such as `B7`: the letter of its group, and
/// its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ClaimId {
    letter: char,
    number: u8,
}

/// A claim, the evidence that it needs, and its tests.
#[derive(Clone, Debug, Deserialize)]
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
    /// The tests of its parts.
    #[serde(rename = "test")]
    pub(crate) tests: Vec<ClaimTest>,
}

/// Claims about one subject, which share a section of the page.
#[derive(Clone, Debug, Deserialize)]
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

/// All tests, each with its claim, in the order of the claims.
pub(crate) fn tests() -> impl Iterator<Item = (ClaimId, &'static ClaimTest)> {
    claims().flat_map(|claim| claim.tests.iter().map(|test| (claim.id, test)))
}

impl ClaimId {
    /// The id with this letter and number.
    pub const fn new(letter: char, number: u8) -> Self {
        Self { letter, number }
    }

    /// The claim with this id.
    ///
    /// # Panics
    /// If there is none.
    pub fn claim(self) -> &'static Claim {
        let found = claims().find(|claim| claim.id == self);
        found.unwrap_or_else(|| panic!("claims.toml has no {self}"))
    }
}

impl fmt::Display for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter, self.number)
    }
}

impl From<ClaimId> for String {
    fn from(id: ClaimId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for ClaimId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mut letters = text.chars();
        let id = letters.next().zip(letters.as_str().parse().ok());
        let id = id.map(|(letter, number)| Self::new(letter, number));
        id.ok_or_else(|| format!("`{text}` is not a claim, such as B7"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_every_claim_once_in_the_order_of_the_ids() {
        assert_eq!(claims().count(), 24);
        assert!(claims().is_sorted_by(|one, next| one.id < next.id));
        for claim in claims() {
            assert!(
                claim.statement.ends_with('.') && !claim.needs.is_empty() && !claim.tests.is_empty(),
                "{}",
                claim.id
            );
        }
        for group in groups() {
            assert!(
                group.claims.iter().all(|claim| claim.id.letter == group.letter),
                "{}",
                group.heading
            );
        }
    }
}
