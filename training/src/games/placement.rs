//! The placement games as trainable games.

use chase_engine::Player;
use chase_engine::placement::{Board, Cell, Placement, Position, Rules, Symmetry};
use chase_engine::scene::CellShape;
use chase_models::encoding::{PlacementEncoding, Shown};

use super::checks::{no_planes_of_chase, no_planes_of_draughts, turns};
use crate::config::Config;
use crate::settings::{Checks, Problem};
use crate::trainable::{Trainable, occupancy};

/// A reflection under which the rules are the same. An empty board is its own image.
fn mirror<P: Position>() -> Option<Symmetry> {
    let is_mirror = |symmetry: &Symmetry| symmetry.is_reflection() && !symmetry.exchanges_players();
    P::symmetries().into_iter().find(is_mirror)
}

fn is_hexagon<P: Position>() -> bool {
    P::Board::SHAPE == CellShape::Hexagon
}

impl<P: Shown> Trainable for Placement<P> {
    fn rules(config: &Config) -> Rules {
        let rules = config.rules.rules();
        Rules {
            repetition: rules.repetition,
            max_turns: rules.max_turns,
        }
    }

    fn encoding(_: &Config) -> PlacementEncoding {
        PlacementEncoding::default()
    }

    fn adjust(config: &mut Config) {
        config.rules = chase_engine::chase::Rules::from(Rules::default()).into();
        config.network.hex = is_hexagon::<P>();
        config.network.wrap = false;
        config.evaluation.opponents = ["random", "rollouts:simulations=100"].map(String::from).into();
    }

    fn problems(config: &Config) -> Vec<Problem> {
        let mut checks = Checks::default();
        turns(&mut checks, config);
        let quiet = config.rules.quiet_turns;
        let expected = "0: these games do not count turns without progress";
        checks.require(quiet == 0, "rules.quiet_turns", quiet, expected);
        no_planes_of_chase(&mut checks, config);
        no_planes_of_draughts(&mut checks, config);
        let network = &config.network;
        checks.require(
            !network.hex || is_hexagon::<P>(),
            "network.hex",
            true,
            "false: the board is one of squares",
        );
        for (key, set) in [("network.wrap", network.wrap), ("network.wrap_rows", network.wrap_rows)] {
            checks.require(!set, key, set, "false: no edges of the board are joined");
        }
        let material = network.auxiliary.material;
        let key = "network.auxiliary.dice_difference";
        checks.require(!material, key, material, "false: stones are not material");
        checks.0
    }

    fn mirrored(&self, action: P::Action) -> Option<P::Action> {
        mirror::<P>().map(|mirror| P::image(action, mirror))
    }

    /// The board is the same to both players. Places of the planes that are no cells have no stones.
    fn occupancy(&self, viewer: Player, cells: &mut Vec<u8>) {
        cells.clear();
        cells.resize(P::Board::ROWS * P::Board::ROWS, occupancy::NOTHING);
        for (player, class) in [(viewer, occupancy::OWN), (!viewer, occupancy::ENEMY)] {
            for cell in self.position().stones().cells(player) {
                cells[Cell::plane_index(cell)] = class;
            }
        }
    }

    fn material(&self, _: Player) -> f32 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::{Game, Lines9, Moves23, Tetra24, Tricolour};

    use super::*;

    /// Games of mirrored actions stay mirror images.
    #[test]
    fn mirrored_actions_lead_to_mirror_images() {
        fn check<P: Shown>(_: &Placement<P>) {
            let mirror = mirror::<P>().expect("a reflection");
            let mut game = Placement::<P>::new(&Rules::default());
            let (mut image, mut actions) = (game.clone(), Vec::new());
            assert_eq!(game.position().under(mirror), *game.position());
            for ply in 0..40 {
                game.legal_actions(&mut actions);
                let Some(&action) = actions.get(ply * 5 % actions.len().max(1)) else {
                    break;
                };
                image.apply(game.mirrored(action).expect("a reflection"));
                game.apply(action);
                assert_eq!(game.position().under(mirror), *image.position(), "ply {ply}");
            }
            assert!(game.plies() > 20, "{}", P::NAME);
        }
        check(&Moves23::new(&Rules::default()));
        check(&Tetra24::new(&Rules::default()));
        check(&Lines9::new(&Rules::default()));
        check(&Tricolour::new(&Rules::default()));
    }
}
