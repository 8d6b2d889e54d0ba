//! Generators that depend on their place of use, not on time.

use chase_engine::seed;
use rand::rngs::Xoshiro256PlusPlus;

/// The generator for one place in an experiment: a seed, then numbers that identify the pair, game, seat and so on.
///
/// Equal places get equal generators, whatever ran before or runs in parallel; places that differ in any number, or in
/// the count of numbers, get unrelated ones.
pub fn generator(seed: u64, place: &[u64]) -> Xoshiro256PlusPlus {
    let mut numbers = Vec::with_capacity(1 + place.len());
    numbers.push(seed);
    numbers.extend_from_slice(place);
    seed::named("experiment", &numbers)
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
