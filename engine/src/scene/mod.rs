//! Positions as something to look at: cells, and what stands on them. One drawing, as text or as SVG, for every game.

mod svg;
mod text;

use crate::{Game, Player};

/// A game whose positions can be drawn, and whose actions can be clicked.
pub trait Depict: Game {
    /// The position as the first player sees it. The cells and their order are the same in all positions of a game.
    fn scene(&self) -> Scene;

    /// The cells of [`Depict::scene`], by number, that an action goes through: where a piece comes from before where it goes
    /// to. Empty for an action that has no place on the board. Different actions of one position may go through the same
    /// cells.
    fn way(&self, action: Self::Action) -> Vec<usize>;
}

/// What a position looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The cells.
    pub cells: Vec<SceneCell>,
    /// The shape of all of them.
    pub shape: CellShape,
    /// Who is to move, and whatever else does not stand on the board, in a few words.
    pub caption: String,
}

/// The shape of cells. The unit of length is the width of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    /// A square; neighbours have a distance of 1.
    Square,
    /// A hexagon with a corner on top; the neighbours in a row have a distance of 1, rows one of √3⁄2.
    Hexagon,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneCell {
    /// Its name, as in actions.
    pub name: String,
    /// The middle, to the right.
    pub x: f64,
    /// The middle, downwards.
    pub y: f64,
    /// How it is painted.
    pub shade: Shade,
    /// What stands on it, from the top.
    pub pieces: Vec<ScenePiece>,
    /// Whether something about it matters for what can be played next, as the cell of a piece that must go on.
    pub marked: bool,
}

/// How a cell is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// A cell like most.
    Plain,
    /// A cell of the other colour.
    Dark,
    /// A cell where no piece ever stands.
    Unused,
    /// A cell that counts for something.
    Special,
}

/// A piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenePiece {
    /// Whose it is.
    pub player: Player,
    /// Whether it is of the higher kind, such as a king.
    pub is_king: bool,
    /// What is written on it, such as a number; at most two characters.
    pub label: String,
    /// Its letter in positions as text.
    pub letter: char,
}

impl Scene {
    /// Marks cells by number, as those of a [`Depict::way`].
    pub fn mark(&mut self, cells: impl IntoIterator<Item = usize>) {
        for cell in cells {
            self.cells[cell].marked = true;
        }
    }

    /// Turns the board by half, as the second player sees it.
    pub fn flip(&mut self) {
        for cell in &mut self.cells {
            (cell.x, cell.y) = (-cell.x, -cell.y);
        }
    }
}
