//! Positions as scenes.

use super::cell::{Cell, SIDE};
use super::game::Draughts;
use super::piece::Rank;
use super::rules::Rules;
use super::variant::Base;
use super::words;
use crate::scene::{CellShape, Depict, Scene, SceneCell, ScenePiece, Shade, end_caption};
use crate::{Game, Player, Words};

impl Depict for Draughts {
    fn words(rules: &Rules) -> Words {
        words::of(rules.variation)
    }

    fn scene(&self) -> Scene {
        let position = self.position();
        let jumped: Vec<Cell> = position.jumped().collect();
        let cells = Cell::all().map(|cell| SceneCell {
            name: cell.to_string(),
            x: cell.file() as f64,
            y: (SIDE - 1 - cell.rank()) as f64,
            shade: match (cell.is_dark(), self.variation().base()) {
                (true, _) => Shade::Dark,
                (false, Base::Queens) => Shade::Plain,
                (false, _) => Shade::Unused,
            },
            pieces: position
                .stack(cell)
                .map(|piece| ScenePiece {
                    player: piece.player,
                    is_king: piece.rank == Rank::King,
                    label: match piece.rank {
                        Rank::Man(number @ 1..) => number.to_string(),
                        _ => String::new(),
                    },
                    letter: piece.letter(),
                    figure: None,
                })
                .collect(),
            marked: position.jumper() == Some(cell) || jumped.contains(&cell),
        });
        let name = |player: Player| if player == Player::White { "Dark" } else { "Light" };
        let caption = match (end_caption(self, name), position.jumper()) {
            (Some(end), _) => end,
            (None, Some(cell)) => format!("{} must continue jumping with {cell}", name(self.to_move())),
            (None, None) => format!("{} is to move", name(self.to_move())),
        };
        Scene {
            cells: cells.collect(),
            shape: CellShape::Square,
            caption,
        }
    }

    fn way(&self, action: Self::Action) -> Vec<usize> {
        let to = action.way(self.variation().board()).map(|(_, to)| to);
        [Some(action.from), to].into_iter().flatten().map(Cell::index).collect()
    }
}
