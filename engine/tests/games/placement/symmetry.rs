//! Exact symmetries, on the reference positions.

use std::collections::BTreeSet;

use chase_engine::placement::Position;

use super::for_each_game;
use crate::data::POSITIONS;

#[test]
fn positions_and_their_images_have_the_same_actions_and_successors() {
    for_each_game!(check);
}

fn check<P: Position>() {
    let symmetries = P::symmetries();
    for reference in POSITIONS.iter().filter(|reference| reference.game == P::NAME) {
        let position: P = reference.position.parse().unwrap();
        assert_eq!(position.under(symmetries[0]), position, "the first is the identity");
        let mut images = BTreeSet::new();
        for &symmetry in &symmetries {
            let image = position.under(symmetry);
            let here = format!("{} {position} {symmetry:?}", P::NAME);
            assert_eq!(image.to_string().parse().as_ref(), Ok(&image), "{here}");
            let actions = position.legal_actions().into_iter();
            let expected: BTreeSet<_> = actions.map(|action| P::image(action, symmetry)).collect();
            assert_eq!(expected, image.legal_actions().into_iter().collect(), "{here}");
            for action in position.legal_actions() {
                let next = position.play(action).unwrap().under(symmetry);
                assert_eq!(image.play(P::image(action, symmetry)), Some(next), "{here}");
            }
            images.insert(image.to_string());
        }
        let is_almost_empty = position.legal_actions().len() > 55;
        assert!(
            images.len() == symmetries.len() || is_almost_empty,
            "{} {position}",
            P::NAME
        );
    }
    let expected = match P::NAME {
        "moves23" => 24,
        "tetra24" => 12,
        "lines9" => 16,
        _ => 6,
    };
    assert_eq!(symmetries.len(), expected, "{}", P::NAME);
}
