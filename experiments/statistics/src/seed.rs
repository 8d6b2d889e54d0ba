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
