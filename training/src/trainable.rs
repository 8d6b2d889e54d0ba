//! What training must know about a game beyond its rules and its planes.

use chase_engine::{Chase, ConnectFour, Game, Player};
use chase_models::Encode;

use crate::config::Config;

/// A cell's content at the end of a game, as class of the occupancy head.
pub mod occupancy {
    /// A piece of the player in whose view the board is.
    pub const OWN: u8 = 0;
    /// A piece of the opponent.
    pub const ENEMY: u8 = 1;
    /// Nothing.
    pub const NOTHING: u8 = 2;
}

/// A game that can be trained.
pub trait Trainable: Encode {
    /// The conventions that a configuration asks for.
    fn rules(config: &Config) -> Self::Rules;

    /// The planes that a configuration asks for.
    fn encoding(config: &Config) -> Self::Encoding;

    /// What an action is called in the mirror image of a game; `None` where mirror images are not equal, as in Chase. The
    /// start must be its own mirror image.
    fn mirrored(action: Self::Action) -> Option<Self::Action>;

    /// What stands on each cell, `[H, W]` as [`Encode::encode`] lays them out when `viewer` is to move; classes of
    /// [`occupancy`]. Replaces the content of `cells`.
    fn occupancy(&self, viewer: Player, cells: &mut Vec<u8>);

    /// Own dice less enemy dice, in tenths, as `viewer` sees it; 0 in a game without dice.
    fn dice_difference(&self, viewer: Player) -> f32;
}

impl Trainable for Chase {
    fn rules(config: &Config) -> Self::Rules {
        config.rules.rules()
    }

    fn encoding(config: &Config) -> Self::Encoding {
        config.encoding
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
        cells.resize(
            chase_engine::chase::SIDE * chase_engine::chase::SIDE,
            occupancy::NOTHING,
        );
        for (cell, die) in position.all_dice() {
            cells[cell.axial_index()] = match die.player {
                Player::White => occupancy::OWN,
                Player::Black => occupancy::ENEMY,
            };
        }
    }

    fn dice_difference(&self, viewer: Player) -> f32 {
        let count = |player| self.position().dice(player).count() as f32;
        (count(viewer) - count(!viewer)) / chase_engine::chase::DICE as f32
    }
}

impl Trainable for ConnectFour {
    fn rules(_: &Config) -> Self::Rules {}

    fn encoding(_: &Config) -> Self::Encoding {
        Self::Encoding::default()
    }

    fn mirrored(column: Self::Action) -> Option<Self::Action> {
        Some(6 - column)
    }

    fn occupancy(&self, viewer: Player, cells: &mut Vec<u8>) {
        let [mover, other] = self.stones();
        let (own, enemy) = if self.to_move() == viewer {
            (mover, other)
        } else {
            (other, mover)
        };
        cells.clear();
        // The engine's boards hold a column in seven bits, six rows and one sentinel.
        cells.extend((0..42).map(|cell| {
            let bit = 1u64 << (cell % 7 * 7 + cell / 7);
            match (own & bit != 0, enemy & bit != 0) {
                (true, _) => occupancy::OWN,
                (false, true) => occupancy::ENEMY,
                (false, false) => occupancy::NOTHING,
            }
        }));
    }

    fn dice_difference(&self, _: Player) -> f32 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Occupancy, seen by the player to move, must be what the first planes show to that player.
    fn agrees_with_planes<G: Trainable>(config: &Config, own: std::ops::Range<usize>, enemy: std::ops::Range<usize>) {
        let encoding = G::encoding(config);
        let shape = G::shape(&encoding);
        let mut planes = vec![0.0; shape.input_size()];
        let (mut cells, mut actions) = (Vec::new(), Vec::new());
        let mut game = G::new(&G::rules(config));
        for ply in 0..30 {
            game.legal_actions(&mut actions);
            let Some(&action) = actions.get(ply * 7 % actions.len().max(1)) else {
                break;
            };
            game.encode(&encoding, &mut planes);
            game.occupancy(game.to_move(), &mut cells);
            assert_eq!(cells.len(), shape.cells());
            for (cell, &class) in cells.iter().enumerate() {
                let any = |range: &std::ops::Range<usize>| {
                    range.clone().any(|plane| planes[plane * shape.cells() + cell] > 0.0)
                };
                let expected = match (any(&own), any(&enemy)) {
                    (true, false) => occupancy::OWN,
                    (false, true) => occupancy::ENEMY,
                    _ => occupancy::NOTHING,
                };
                assert_eq!(class, expected, "ply {ply}, cell {cell}");
            }
            game.apply(action);
        }
    }

    #[test]
    fn occupancy_lies_on_the_cells_of_the_planes() {
        agrees_with_planes::<ConnectFour>(&Config::default(), 0..1, 1..2);
        agrees_with_planes::<Chase>(&Config::default(), 0..6, 6..12);
    }
}
