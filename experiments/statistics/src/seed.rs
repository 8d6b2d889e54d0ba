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
    use rand::Rng;

    use super::*;

    #[test]
    fn places_have_the_generators_of_the_engine_under_one_name() {
        let drawn = |place: &[u64]| generator(3, place).next_u64();
        assert_eq!(drawn(&[1, 2]), seed::named("experiment", &[3, 1, 2]).next_u64());
        assert_ne!(drawn(&[1, 2]), drawn(&[1, 2, 0]));
    }
}
