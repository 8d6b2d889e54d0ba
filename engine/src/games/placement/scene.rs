//! Positions as pictures.

use super::board::Board;
use super::cell::Cell;
use super::game::Placement;
use super::position::Position;
use super::rules::Rules;
use super::stones::LETTERS;
use crate::scene::{CellShape, Depict, Scene, SceneCell, ScenePiece, end_caption};
use crate::{Game, Words};

impl<P: Position> Depict for Placement<P> {
    fn words(_: &Rules) -> Words {
        Words::of(P::WORDS)
    }

    fn scene(&self) -> Scene {
        let position = self.position();
        let shape = P::Board::SHAPE;
        let cells = Cell::<P::Board>::all().map(|cell| {
            let (letter, row) = (cell.letter() as f64, cell.row() as f64);
            let (x, y) = match shape {
                CellShape::Square => (letter, row),
                CellShape::Hexagon => (letter / 2.0, row * 0.75_f64.sqrt()),
            };
            let piece = position.stones().owner(cell).map(|player| ScenePiece {
                player,
                is_king: false,
                label: String::new(),
                letter: LETTERS[player],
                figure: None,
            });
            SceneCell {
                name: cell.to_string(),
                x,
                y,
                shade: P::shade(cell),
                pieces: piece.into_iter().collect(),
                marked: position.marked() & cell.bit() != 0,
            }
        });
        let caption = end_caption(self, |player| LETTERS[player])
            .unwrap_or_else(|| format!("{} {}", LETTERS[self.to_move()], position.task()));
        Scene {
            cells: cells.collect(),
            shape,
            caption,
        }
    }

    fn way(&self, action: Self::Action) -> Vec<usize> {
        let way = self.position().way(action);
        way.into_iter().map(Cell::index).collect()
    }
}
