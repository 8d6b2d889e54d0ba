//! Counts of whole turns, against the reference data and published ones.

use chase_engine::draughts::{Checkers, Position, Variant, perft, perft_turns};

use super::for_each_game;
use crate::data::PerftData;

#[test]
fn whole_turns_are_counted_as_in_the_reference() {
    fn check<V: Variant>() {
        let mut all = PerftData::all().into_iter();
        let (_, data) = all.find(|(name, _)| name.name() == V::NAME).unwrap();
        for counts in data.positions.iter().chain([&data.start]) {
            let position: Position<V> = counts.position.parse().unwrap();
            assert!(!counts.turns.is_empty());
            for (depth, &turns) in (1..).zip(&counts.turns) {
                assert_eq!(perft_turns(&position, depth), turns, "{} {position} {depth}", V::NAME);
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn published_perft_counts_of_english_draughts() {
    // Counts of whole turns, as several programs publish them.
    let counts = [7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_680, 18_391_564];
    for (depth, nodes) in (1..).zip(counts) {
        assert_eq!(
            perft_turns(&Position::<Checkers>::initial(), depth),
            nodes,
            "depth {depth}"
        );
    }
    assert_eq!(perft(&Position::<Checkers>::initial(), 10), 17_570_330);
}
