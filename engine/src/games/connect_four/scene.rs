//! Positions as scenes.

use super::{COLUMNS, ConnectFour, ROWS};
use crate::scene::{CellShape, Depict, Scene, SceneCell, ScenePiece, Shade};
use crate::{Game, Outcome, Player, Words};

impl Depict for ConnectFour {
    fn words((): &()) -> Words {
        Words::of(include_str!("rules.md"))
    }

    fn scene(&self) -> Scene {
        let cell = |row: usize, column: usize| SceneCell {
            name: format!("{}{}", char::from(b'a' + column as u8), row + 1),
            x: column as f64,
            y: (ROWS - 1 - row) as f64,
            shade: Shade::Plain,
            pieces: self.stone(row, column).map(stone).into_iter().collect(),
            marked: false,
        };
        let name = |player| if player == Player::White { "x" } else { "o" };
        Scene {
            cells: (0..ROWS)
                .flat_map(|row| (0..COLUMNS).map(move |column| cell(row, column)))
                .collect(),
            shape: CellShape::Square,
            caption: match self.outcome() {
                Some(Outcome::Win(winner)) => format!("{} has won", name(winner)),
                Some(_) => "the board is full".to_owned(),
                None => format!("{} is to move", name(self.to_move())),
            },
        }
    }

    /// The cell that the stone falls to.
    fn way(&self, column: u8) -> Vec<usize> {
        let column = usize::from(column);
        let row = (0..ROWS).find(|&row| self.stone(row, column).is_none());
        row.map(|row| row * COLUMNS + column).into_iter().collect()
    }

    /// The free cell of the column.
    fn meant(&self, cell: usize) -> usize {
        let way = self.way((cell % COLUMNS) as u8);
        way.first().copied().unwrap_or(cell)
    }
}

fn stone(player: Player) -> ScenePiece {
    ScenePiece {
        player,
        is_king: false,
        label: String::new(),
        letter: if player == Player::White { 'x' } else { 'o' },
        figure: None,
    }
}
