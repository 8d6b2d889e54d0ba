//! Exact symmetries, on the reference positions.

use std::collections::BTreeSet;

use chase_engine::draughts::{Base, Position, Rules, Symmetry, Variant};
use chase_engine::{Draughts, Game};

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
        // The one that exchanges the players alone keeps what each sees.
        let turned = symmetries[symmetries.len() / 2];
        let indices = |position: &Position<V>| {
            let game = Draughts::from_position_text(&position.to_string(), &Rules::standard(V::VARIATION)).unwrap();
            let indices = position
                .legal_actions()
                .into_iter()
                .map(|action| game.policy_index(action));
            indices.collect::<BTreeSet<_>>()
        };
        assert_eq!(
            indices(&position),
            indices(&position.under(turned)),
            "{} {position}",
            V::NAME
        );
    }
    let count = match (V::NAME.trim_end_matches("-num"), symmetries.len()) {
        ("checkers" | "stax", count) => count == 2,
        ("queens", count) => count == 4,
        ("queens-cyl" | "queens-uni", count) => count == 32,
        (_, count) => count == 16,
    };
    assert!(count, "{} {}", V::NAME, symmetries.len());
}

#[test]
fn the_start_is_its_own_image() {
    fn check<V: Variant>() {
        let board = |position: &Position<V>| position.short_text().split(' ').next().map(str::to_owned);
        let start = Position::<V>::initial();
        let symmetries = Symmetry::all(V::VARIATION);
        // In Queens the two armies stand on cells of one colour each, which a mirror exchanges.
        let alone = [symmetries[0], symmetries[symmetries.len() / 2]];
        let kept = if V::BASE == Base::Queens {
            &alone[..]
        } else {
            &symmetries[..]
        };
        for &symmetry in kept {
            if !V::NUMBERS {
                assert_eq!(board(&start.under(symmetry)), board(&start), "{} {symmetry:?}", V::NAME);
            }
        }
        assert_eq!(
            board(&start.under(alone[1])),
            board(&start),
            "{}: the deal is fair",
            V::NAME
        );
    }
    for_each_game!(check);
}
