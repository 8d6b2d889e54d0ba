//! The draughts games as trainable games.

use chase_engine::draughts::{Action, Board, CELLS, Cell, PIECES, Rules, Symmetry, Variation};
use chase_engine::{Draughts, Player};
use chase_models::encoding::DraughtsEncoding;

use super::checks::{no_planes_of_chase, turns};
use crate::config::Config;
use crate::settings::{Checks, Problem};
use crate::trainable::{Trainable, occupancy};

/// The mirror symmetry that keeps files a and e. It is exact where files are joined, and the initial position is then
/// its own image, unless men have numbers.
fn mirror(game: Variation) -> Option<Symmetry> {
    if !game.board().joins_files() || game.numbers() {
        return None;
    }
    let mirrors = |symmetry: &Symmetry| {
        let [a1, b2] = [Cell::new(0, 0), Cell::new(1, 1)].map(|cell| symmetry.cell(game, cell));
        a1 == Cell::new(0, 0) && b2 == Cell::new(7, 1)
    };
    Symmetry::all(game).into_iter().find(mirrors)
}

/// The game of a configuration.
fn variation(config: &Config) -> Variation {
    config.game.rules::<Draughts>().variation
}

impl Trainable for Draughts {
    fn rules(config: &Config) -> Self::Rules {
        Rules {
            variation: variation(config),
            conventions: config.rules.rules(),
        }
    }

    fn encoding(config: &Config) -> Self::Encoding {
        DraughtsEncoding {
            game: variation(config),
            planes: config.draughts,
        }
    }

    fn adjust(config: &mut Config) {
        let board = variation(config).board();
        let network = &mut config.network;
        network.hex = false;
        network.wrap = board.joins_files();
        network.wrap_rows = board == Board::Universal;
        // About the number of legal actions in most positions.
        config.search.considered_actions = 8;
        config.evaluation.opponents = ["random", "alpha-beta:depth=2"].map(String::from).into();
    }

    fn problems(config: &Config) -> Vec<Problem> {
        let mut checks = Checks::default();
        let game = variation(config);
        turns(&mut checks, config);
        no_planes_of_chase(&mut checks, config);
        let network = &config.network;
        checks.require(!network.hex, "network.hex", true, "false: the board is one of squares");
        let (columns, rows) = (game.board().joins_files(), game.board() == Board::Universal);
        checks.require(
            !network.wrap || columns,
            "network.wrap",
            true,
            "false: files are joined on a cylinder (-cyl) and on the universal board (-uni) only",
        );
        checks.require(
            !network.wrap_rows || rows,
            "network.wrap_rows",
            true,
            "false: ranks are joined on the universal board (-uni) only",
        );
        checks.require(
            !config.replay.mirror || mirror(game).is_some(),
            "replay.mirror",
            true,
            "false: games are equal to their mirror images on a cylinder and on the universal board only, and without numbers",
        );
        checks.0
    }

    fn mirrored(&self, action: Action) -> Option<Action> {
        mirror(self.variation()).map(|mirror| mirror.action(self.variation(), action))
    }

    fn occupancy(&self, viewer: Player, cells: &mut Vec<u8>) {
        cells.clear();
        cells.resize(CELLS, occupancy::NOTHING);
        for cell in Cell::all() {
            if let Some(piece) = self.position().top(cell) {
                cells[cell.seen_by(viewer, self.variation().base()).index()] = match piece.player == viewer {
                    true => occupancy::OWN,
                    false => occupancy::ENEMY,
                };
            }
        }
    }

    /// Cells with an own piece on top minus those with an enemy's: in Stax and Queens, prisoners count for neither
    /// player.
    fn material(&self, viewer: Player) -> f32 {
        let count = |player| {
            let (men, kings) = self.position().tops(player);
            (men + kings) as f32
        };
        (count(viewer) - count(!viewer)) / PIECES as f32
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::Game;
    use chase_engine::draughts::Base;

    use super::*;

    /// Games of mirrored actions from the initial position stay mirror images.
    #[test]
    fn the_start_and_what_follows_are_mirror_images() {
        fn check(variation: Variation) {
            assert_ne!(variation.base(), Base::Stax, "these two are as different as any");
            let mut rng = chase_engine::seed::named("mirror", &[]);
            let mut game = Draughts::start(&Rules::standard(variation), &mut rng);
            let (mut image, mirror) = (game.clone(), mirror(variation).expect("an exact mirror"));
            let mut actions = Vec::new();
            for ply in 0..40 {
                assert_eq!(game.position().under(mirror), *image.position(), "ply {ply}");
                game.legal_actions(&mut actions);
                let Some(&action) = actions.get(ply * 5 % actions.len().max(1)) else {
                    break;
                };
                image.apply(game.mirrored(action).expect("an exact mirror"));
                game.apply(action);
            }
            assert!(game.plies() > 20);
        }
        check(Variation::CheckersCyl);
        check(Variation::QueensUni);
    }
}
