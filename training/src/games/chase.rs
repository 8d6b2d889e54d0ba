//! Chase as a trainable game.

use chase_engine::chase::{DICE, SIDE};
use chase_engine::{Chase, Player};

use super::checks::{no_planes_of_draughts, turns};
use crate::config::Config;
use crate::settings::{Checks, Problem};
use crate::trainable::{Trainable, occupancy};

impl Trainable for Chase {
    fn rules(config: &Config) -> Self::Rules {
        config.rules.rules()
    }

    fn encoding(config: &Config) -> Self::Encoding {
        config.encoding
    }

    fn adjust(_: &mut Config) {}

    fn problems(config: &Config) -> Vec<Problem> {
        let mut checks = Checks::default();
        no_planes_of_draughts(&mut checks, config);
        let rows = config.network.wrap_rows;
        checks.require(
            !rows,
            "network.wrap_rows",
            rows,
            "false: rows A and I of Chase are edges",
        );
        checks.require(
            !config.replay.mirror,
            "replay.mirror",
            true,
            "false: mirror images are not equal in Chase, where what goes left is not what goes right",
        );
        let network = &config.network;
        checks.require(
            !network.mirror || (network.hex && network.wrap),
            "network.mirror",
            network.mirror,
            "false where network.hex or network.wrap is: Chase has a mirror on its cylinder of hexagons only",
        );
        turns(&mut checks, config);
        checks.0
    }

    fn mirrored(&self, _: Self::Action) -> Option<Self::Action> {
        None
    }

    fn occupancy(&self, viewer: Player, cells: &mut Vec<u8>) {
        // From here on the viewer is White.
        let position = match viewer {
            Player::White => *self.position(),
            Player::Black => self.position().rotated(),
        };
        cells.clear();
        cells.resize(SIDE * SIDE, occupancy::NOTHING);
        for (cell, die) in position.all_dice() {
            cells[cell.axial_index()] = match die.player {
                Player::White => occupancy::OWN,
                Player::Black => occupancy::ENEMY,
            };
        }
    }

    fn material(&self, viewer: Player) -> f32 {
        let count = |player| self.position().dice(player).count() as f32;
        (count(viewer) - count(!viewer)) / DICE as f32
    }
}
