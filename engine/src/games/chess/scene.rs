//! Positions as scenes.

use super::cell::{Cell, SIDE};
use super::game::Chess;
use super::piece::{Kind, Piece};
use super::rules::Rules;
use super::text::SIDES;
use super::variant::Variant;
use crate::scene::{CellShape, Depict, Scene, SceneCell, ScenePiece, Shade, end_caption};
use crate::{Game, Words};

impl Depict for Chess {
    fn words(rules: &Rules) -> Words {
        let (title, summary, board) = match rules.variant {
            Variant::Flat => ("Chess", "Attack the enemy king so that it cannot get away.", ""),
            Variant::Cylinder => (
                "Cylindrical Chess",
                "Chess on a board whose left and right side are joined, for every piece.",
                include_str!("cylinder.md"),
            ),
        };
        Words::composed(
            title,
            summary,
            &[include_str!("rules.md"), board, include_str!("end.md")],
        )
    }

    fn scene(&self) -> Scene {
        let position = self.position();
        let mover = self.to_move();
        let checked = position.is_check().then(|| position.king(mover));
        let cells = Cell::all().map(|cell| SceneCell {
            name: cell.to_string(),
            x: cell.file() as f64,
            y: (SIDE - 1 - cell.rank()) as f64,
            shade: if cell.is_dark() { Shade::Dark } else { Shade::Plain },
            pieces: position.piece(cell).map(piece).into_iter().collect(),
            marked: checked == Some(cell),
        });
        let caption = match end_caption(self, |player| SIDES[player].1) {
            Some(end) => end,
            None if checked.is_some() => format!("{} is to move, in check", SIDES[mover].1),
            None => format!("{} is to move", SIDES[mover].1),
        };
        Scene {
            cells: cells.collect(),
            shape: CellShape::Square,
            caption,
        }
    }

    /// The four promotions on a cell share their path: what the pawn becomes is a choice of its own.
    fn way(&self, action: Self::Action) -> Vec<usize> {
        vec![action.from.index(), action.to.index()]
    }
}

fn piece(piece: Piece) -> ScenePiece {
    ScenePiece {
        player: piece.player,
        is_king: false,
        label: format!("{}{AS_TEXT}", symbol(piece.kind)),
        letter: piece.letter(),
        figure: Some(figure(piece.kind)),
    }
}

/// Keeps a font from drawing the symbol before it in colours of its own.
const AS_TEXT: char = '\u{fe0e}';

const fn symbol(kind: Kind) -> char {
    match kind {
        Kind::Pawn => '♟',
        Kind::Knight => '♞',
        Kind::Bishop => '♝',
        Kind::Rook => '♜',
        Kind::Queen => '♛',
        Kind::King => '♚',
    }
}

/// The outline of a piece, as [`ScenePiece::figure`] has it.
const fn figure(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "M-22 36h44v-9q-12 -4 -13 -22h7v-7h-9a15 15 0 1 0 -14 0h-9v7h7q-1 18 -13 22z",
        Kind::Knight => {
            "M-22 36h50q4 -34 -8 -52q-8 -12 -20 -14l-4 -9l-6 10q-6 2 -9 9l-13 20q-2 6 3 9q5 3 9 -2l4 -2q7 0 13 -5\
             q-2 12 -12 18q-8 6 -7 18zM-14 -14l4 -2"
        }
        Kind::Bishop => {
            "M-26 36h52v-9h-14q-2 -6 -3 -12h6v-7h-4q7 -9 1 -20q-3 -6 -9 -11a6 6 0 1 0 -6 0q-6 5 -9 11q-6 11 1 20h-4v7\
             h6q-1 6 -3 12h-14zM2 -16l7 8"
        }
        Kind::Rook => "M-26 36h52v-9h-6l-4 -34h8v-24h-12v8h-7v-8h-10v8h-7v-8h-12v24h8l-4 34h-6zM-16 -7h32M-20 27h40",
        Kind::Queen => {
            "M-24 36h48v-8l-4 -12l14 -34l-19 20l3 -30l-12 28l-6 -32l-6 32l-12 -28l3 30l-19 -20l14 34l-4 12z\
             M-24 28h48M-20 16h40"
        }
        Kind::King => {
            "M-24 36h48v-8l-4 -12c18 -12 14 -34 -2 -32c-8 1 -13 6 -15 10v-16h7v-6h-7v-9h-6v9h-7v6h7v16\
             c-2 -4 -7 -9 -15 -10c-16 -2 -20 20 -2 32l-4 12zM-24 28h48M-20 16h40"
        }
    }
}
