//! Connect Four as a trainable game.

use chase_engine::connect_four::{COLUMNS, ROWS};
use chase_engine::{ConnectFour, Player};

use super::checks::{no_planes_of_chase, no_planes_of_draughts};
use crate::config::{Config, RulesConfig};
use crate::settings::{Checks, Problem};
use crate::trainable::{Trainable, occupancy};

impl Trainable for ConnectFour {
    fn rules(_: &Config) -> Self::Rules {}

    fn encoding(_: &Config) -> Self::Encoding {
        Self::Encoding::default()
    }

    fn adjust(config: &mut Config) {
        (config.network.hex, config.network.wrap) = (false, false);
        config.evaluation.opponents = ["random", "rollouts:simulations=100"].map(String::from).into();
    }

    fn problems(config: &Config) -> Vec<Problem> {
        let mut checks = Checks::default();
        checks.require(
            config.rules == RulesConfig::default(),
            "rules",
            "set",
            "no such section: Connect Four leaves no choice",
        );
        no_planes_of_chase(&mut checks, config);
        no_planes_of_draughts(&mut checks, config);
        let network = &config.network;
        for (key, set) in [
            ("network.hex", network.hex),
            ("network.wrap", network.wrap),
            ("network.wrap_rows", network.wrap_rows),
        ] {
            checks.require(!set, key, set, "false: the board of Connect Four is a plain grid");
        }
        let material = network.auxiliary.material;
        let key = "network.auxiliary.dice_difference";
        checks.require(!material, key, material, "false: there are no dice in Connect Four");
        checks.0
    }

    fn mirrored(&self, column: Self::Action) -> Option<Self::Action> {
        Some(COLUMNS as Self::Action - 1 - column)
    }

    fn occupancy(&self, viewer: Player, cells: &mut Vec<u8>) {
        cells.clear();
        let board = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| self.stone(row, column)));
        cells.extend(board.map(|stone| match stone {
            Some(player) if player == viewer => occupancy::OWN,
            Some(_) => occupancy::ENEMY,
            None => occupancy::NOTHING,
        }));
    }

    fn material(&self, _: Player) -> f32 {
        0.0
    }
}
