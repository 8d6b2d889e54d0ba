//! Generators that depend on where they are used, not on when.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// The generator for one place in an experiment: a seed, then numbers that say which pair, game, seat and so on.
///
/// Equal places get equal generators, whatever ran before or runs beside them; places that differ in any number, or in
/// how many numbers there are, get unrelated ones.
pub fn generator(seed: u64, place: &[u64]) -> Xoshiro256PlusPlus {
    let start = split_mix(seed ^ place.len() as u64);
    let mixed = place.iter().fold(start, |state, &number| {
        split_mix(state.rotate_left(23) ^ split_mix(number))
    });
    Xoshiro256PlusPlus::seed_from_u64(mixed)
}

/// One step of SplitMix64 (Steele, Lea & Flood, 2014): a bijection that scatters neighbouring numbers.
fn split_mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::Rng;

    use super::*;

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
        for seed in 0..20 {
            for place in &places {
                let first = generator(seed, place).next_u64();
                assert!(seen.insert(first), "seed {seed}, place {place:?} repeats another");
                assert_eq!(first, generator(seed, place).next_u64());
            }
        }
    }
}
