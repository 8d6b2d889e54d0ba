//! Exact symmetries, on the reference positions.

use std::collections::BTreeSet;

use chase_engine::draughts::{Position, Symmetry, Variant};

use super::for_each_game;
use crate::data::POSITIONS;

#[test]
fn positions_and_their_images_have_the_same_actions_and_successors() {
    for_each_game!(check);
}

fn check<V: Variant>() {
    let symmetries = Symmetry::all(V::VARIATION);
    for reference in POSITIONS.iter().filter(|reference| reference.game == V::NAME) {
        let position: Position<V> = reference.position.parse().unwrap();
        for &symmetry in &symmetries {
            let image = position.under(symmetry);
            let here = format!("{} {position} {symmetry:?}", V::NAME);
            assert_eq!(image.to_string().parse().as_ref(), Ok(&image), "{here}");
            let expected: BTreeSet<_> = position
                .legal_actions()
                .into_iter()
                .map(|action| symmetry.action(V::VARIATION, action))
                .collect();
            assert_eq!(expected, image.legal_actions().into_iter().collect(), "{here}");
            for action in position.legal_actions() {
                let next = position.play(action).unwrap().under(symmetry);
                let other = image.play(symmetry.action(V::VARIATION, action)).unwrap();
                assert_eq!(next.short_text(), other.short_text(), "{here}");
            }
        }
    }
    let count = match (V::NAME.trim_end_matches("-num"), symmetries.len()) {
        ("checkers" | "stax", count) => count == 2,
        ("queens", count) => count == 4,
        ("queens-cyl" | "queens-uni", count) => count == 32,
        (_, count) => count == 16,
    };
    assert!(count, "{} {}", V::NAME, symmetries.len());
}
