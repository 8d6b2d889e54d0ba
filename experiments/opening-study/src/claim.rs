//! The claims.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Basis;

/// A claim of the article by Rodeffer and Neto (*Abstract Games* 9). A: the first move's advantage; B: first moves; C: the
/// Chamber, material and dice; D: endgame and geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "`Claim::statement` says what each one is")]
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

/// What a claim says, and what can decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its name in every output.
    pub id: ClaimId,
    /// In one line, in our own words.
    pub statement: &'static str,
    /// The kinds of evidence that it needs: all of them, before it can be called supported.
    pub needs: &'static [Basis],
}

use Basis::{Empirical, Exact};

/// All claims, in the order of their ids.
pub const CLAIMS: [Claim; 24] = [
    claim(
        ClaimId::A1,
        &[Empirical],
        "The player who moves first has an advantage.",
    ),
    claim(
        ClaimId::A2,
        &[Empirical],
        "Both players have several strong openings, which lead to varied games.",
    ),
    claim(
        ClaimId::B1,
        &[Exact, Empirical],
        "One-step moves, wraparound bumps, a 3 behind the Chamber, exchanges and a 2 towards the Chamber are safe first moves.",
    ),
    claim(
        ClaimId::B2,
        &[Exact],
        "A first move of a 2 towards the Chamber doubles the attack on cells round it.",
    ),
    claim(
        ClaimId::B3,
        &[Exact],
        "At the start nobody can enter the Chamber, and the 3s and 4s of both sides attack the six cells round it.",
    ),
    claim(
        ClaimId::B4,
        &[Exact, Empirical],
        "Exchanges are the more aggressive safe first moves, and 1A6A7 and 1A8A7 the most aggressive of all.",
    ),
    claim(
        ClaimId::B5,
        &[Exact, Empirical],
        "1A8A7 is somewhat more defensive than 1A6A7, for E4 stays attacked from A6.",
    ),
    claim(
        ClaimId::B6,
        &[Exact],
        "After a wraparound bump as the first move, only one exit of the Chamber remains defended.",
    ),
    claim(
        ClaimId::B7,
        &[Empirical],
        "A first move away from the Chamber with a 5 or a 3 is poor.",
    ),
    claim(
        ClaimId::B8,
        &[Empirical],
        "The best reply to such a move is a wraparound bump that attacks with the 3 or the 5.",
    ),
    claim(
        ClaimId::B9,
        &[Empirical],
        "A first move of a 4, in any direction, is reckless.",
    ),
    claim(
        ClaimId::B10,
        &[Exact, Empirical],
        "The best reply to a first move of a 4 is to capture it with a 4, which then attacks another die.",
    ),
    claim(
        ClaimId::B11,
        &[Exact, Empirical],
        "Who loses a 5 usually has to promote two dice.",
    ),
    claim(
        ClaimId::C1,
        &[Empirical],
        "Who enters the Chamber first risks losing at least one of the new dice at once.",
    ),
    claim(
        ClaimId::C2,
        &[Empirical],
        "Many small dice are better than a few large ones.",
    ),
    claim(
        ClaimId::C3,
        &[Empirical],
        "Taking large dice with small ones pays; chasing a small die usually does not.",
    ),
    claim(ClaimId::C4, &[Empirical], "3s and 4s are strongest side by side."),
    claim(
        ClaimId::C5,
        &[Empirical],
        "Late in the game large dice often have no move.",
    ),
    claim(
        ClaimId::C6,
        &[Empirical],
        "Large dice are easier to pin down than small ones.",
    ),
    claim(ClaimId::D1, &[Empirical], "Few games are drawn."),
    claim(
        ClaimId::D2,
        &[Exact],
        "On an open board only 6s on rows A C E G I, 5s on B C E G H and 4s on A E I can get into the Chamber.",
    ),
    claim(
        ClaimId::D3,
        &[Exact, Empirical],
        "In the endgame 5s are more flexible than 4s.",
    ),
    claim(
        ClaimId::D4,
        &[Exact],
        "Unobstructed 6s and 3s get into the Chamber only from certain cells of certain columns: which, is left open.",
    ),
    claim(
        ClaimId::D5,
        &[Exact],
        "Problem 1 is a forced win in three whatever Grey plays, and Problem 2 a win at once.",
    ),
];

const fn claim(id: ClaimId, needs: &'static [Basis], statement: &'static str) -> Claim {
    Claim { id, statement, needs }
}

impl ClaimId {
    /// What the claim says, and what can decide it.
    pub const fn claim(self) -> &'static Claim {
        &CLAIMS[self as usize]
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
    fn claims_stand_in_the_order_of_their_ids() {
        for (index, claim) in CLAIMS.iter().enumerate() {
            assert_eq!(claim.id as usize, index);
            assert_eq!(claim.id.claim(), claim);
            assert!(
                claim.statement.ends_with('.') && !claim.needs.is_empty(),
                "{}",
                claim.id
            );
        }
        assert_eq!(CLAIMS.len(), ClaimId::D5 as usize + 1);
    }
}
