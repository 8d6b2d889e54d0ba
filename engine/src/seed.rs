//! Seeded generators that depend on their place of use, not on time.
//!
//! All seeds are derived here. A *place* is a name and a list of numbers, for example the purpose of a generator, the
//! seed of a run and the index of a game. So a game is the same, whichever thread plays it and whatever was played
//! before.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use sha2::{Digest, Sha256};

/// The generator for a place.
///
/// Equal places get equal generators; places that differ in their name, in a number, or in the length of the list get
/// unrelated ones. The seed is a SHA-256 of the place, so that seeds of different places do not differ in a few bits
/// only.
pub fn named(name: &str, place: &[u64]) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::from_seed(digest(name, place))
}

/// The seed for a place as one number, for code that takes a plain seed.
pub fn number(name: &str, place: &[u64]) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = digest(name, place);
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

fn digest(name: &str, place: &[u64]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(name);
    for number in place {
        hash.update(number.to_le_bytes());
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::Rng;

    use super::*;

    /// Computed by another program: SHA-256 and xoshiro256++ from their definitions.
    #[test]
    fn seeds_stay_what_they_are() {
        let mut rng = named("selfplay", &[1, 2, 3]);
        assert_eq!(
            [rng.next_u64(), rng.next_u64()],
            [0x9b04_7784_a7ad_c513, 0x8ca7_d2de_56cb_424f]
        );
        assert_eq!(number("evaluation", &[7, 1, 0]), 0x99f9_08cc_6fb4_d5bd);
    }

    #[test]
    fn places_have_distinct_generators_that_can_be_had_again() {
        let mut seen = HashSet::new();
        let mut places = vec![vec![]];
        for a in 0..20 {
            places.push(vec![a]);
            for b in 0..20 {
                places.push(vec![a, b]);
                places.push(vec![a, b, 0]);
            }
        }
        for name in ["selfplay", "measurement", ""] {
            for place in &places {
                let first = named(name, place).next_u64();
                assert!(seen.insert(first), "`{name}`, {place:?} repeats another");
                assert_eq!(first, named(name, place).next_u64());
            }
        }
    }
}
