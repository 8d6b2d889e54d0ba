//! What training must know of Chase.

use chase_engine::chase::{DICE, SIDE};
use chase_engine::{Chase, Player};

use crate::config::{Checks, Config, Problem};
use crate::trainable::{Trainable, occupancy};

impl Trainable for Chase {
    fn rules(config: &Config) -> Self::Rules {
        config.rules.rules()
    }

    fn encoding(config: &Config) -> Self::Encoding {
        config.encoding
    }

    fn problems(config: &Config) -> Vec<Problem> {
        let mut checks = Checks::default();
        checks.require(
            !config.replay.mirror,
            "replay.mirror",
            true,
            "false: mirror images are not equal in Chase, where what goes left is not what goes right",
        );
        checks.require(
            config.rules.max_turns >= 1,
            "rules.max_turns",
            config.rules.max_turns,
            "at least 1: without a limit a game may never end",
        );
        checks.require(
            config.rules.repetition != 1,
            "rules.repetition",
            1,
            "0 (off) or at least 2: every position has occurred once",
        );
        checks.0
    }

    fn mirrored(_: Self::Action) -> Option<Self::Action> {
        None
    }

    fn occupancy(&self, viewer: Player, cells: &mut Vec<u8>) {
        // The viewer is White from here on.
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
