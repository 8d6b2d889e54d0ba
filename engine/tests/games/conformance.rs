//! Every game keeps the contract of [`Game`](chase_engine::Game).

use chase_engine::{GameName, conformance, with_game};

#[test]
fn every_game_conforms() {
    for &name in GameName::ALL {
        let plies = with_game!(name, G => conformance::check::<G>(&name.rules::<G>(), 12, 1000, 7));
        assert!(plies > 150, "{name}: only {plies} plies");
    }
}
