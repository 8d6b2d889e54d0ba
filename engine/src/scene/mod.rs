//! Positions as drawings: cells, and the pieces on them. One drawing, as text or as SVG, for every game.

mod svg;
mod text;

use std::fmt::Display;

use crate::{Game, Player, Words};

/// A game whose positions can be drawn, whose actions can be clicked, and whose rules can be read.
pub trait Depict: Game {
    /// The texts for people about the game with these rules.
    fn words(rules: &Self::Rules) -> Words {
        Words::of_name(Self::name(rules))
    }

    /// The position as the first player sees it. The cells and their order are the same in all positions of a game.
    fn scene(&self) -> Scene;

    /// Indices into the cells of [`Depict::scene`] along the path of an action, from the origin of a piece to its
    /// target. Empty for an action without a place on the board. Different actions of one position may have the same
    /// path, but no path is the beginning of a longer one, so that clicks along a path choose. (The paths of Chase name
    /// all dice that move; its page has a board of its own.)
    fn way(&self, action: Self::Action) -> Vec<usize>;

    /// The cell that a click on `cell` means: `cell` itself, unless several cells stand for one, as in a game whose
    /// stones fall down their column.
    fn meant(&self, cell: usize) -> usize {
        cell
    }

    /// The board as text.
    fn text_picture(&self) -> String {
        self.scene().to_text()
    }

    /// The board as SVG of this width in pixels, with the cells of the last action marked. With the action comes the
    /// game before it.
    fn svg_picture(&self, width: u32, last: Option<(&Self, Self::Action)>) -> String {
        let mut scene = self.scene();
        scene.mark(last.map(|(before, action)| before.way(action)).unwrap_or_default());
        scene.to_svg(width)
    }

    /// The position as an SVG element for a page that has a style sheet for its classes: with arrows along the ways of
    /// the actions of `line`, each with the game before it, which is this one for the first; marks on `cells`, given by
    /// number as in [`Depict::way`]; and a title.
    fn diagram(&self, line: &[(Self, Self::Action)], cells: &[usize], title: &str) -> String {
        let mut scene = self.scene();
        scene.mark(cells.iter().copied());
        title.clone_into(&mut scene.caption);
        let ways = line.iter().map(|(before, action)| before.way(*action));
        scene.to_diagram(&ways.collect::<Vec<_>>(), Self::FIRST_IS_DARK)
    }
}

/// The drawing of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The cells.
    pub cells: Vec<SceneCell>,
    /// The shape of all cells.
    pub shape: CellShape,
    /// The player to move, and other facts that the board does not show, in a few words.
    pub caption: String,
}

/// The shape of cells. The unit of length is the width of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    /// A square; neighbours are at distance 1.
    Square,
    /// A hexagon with a corner on top; neighbours in a row are at distance 1, rows at distance √3⁄2.
    Hexagon,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneCell {
    /// Its name in the notation of actions.
    pub name: String,
    /// Centre of the cell, to the right.
    pub x: f64,
    /// Centre of the cell, downwards.
    pub y: f64,
    /// Its shade.
    pub shade: Shade,
    /// The pieces on it, from the top.
    pub pieces: Vec<ScenePiece>,
    /// True if it matters for the next action, such as the cell of a piece that must continue.
    pub marked: bool,
}

/// The shade of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// An ordinary cell.
    Plain,
    /// A cell of the other colour.
    Dark,
    /// A cell on which no piece can be.
    Unused,
    /// A cell with a special meaning.
    Special,
    /// A cell of the first, second or third colour of the board, as the bits 1, 2 and 4, or one where two of them meet.
    Coloured(u8),
}

impl Shade {
    /// The colours of a cell, from 1 to 3: none, one, or two that meet.
    pub fn colours(self) -> impl Iterator<Item = u8> {
        let bits = if let Self::Coloured(bits) = self { bits } else { 0 };
        (1..=3).filter(move |colour| bits & 1 << (colour - 1) != 0)
    }
}

/// A piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenePiece {
    /// Its owner.
    pub player: Player,
    /// True for a piece of higher rank, such as a king.
    pub is_king: bool,
    /// Text on it, such as a number; at most two characters.
    pub label: String,
    /// Its letter in the text form of positions.
    pub letter: char,
    /// Drawn instead of a disc, for a piece that is known by its shape: the data of an SVG path around the
    /// origin, in hundredths of a cell's width. The first player's figures are the light ones, other than discs.
    pub figure: Option<&'static str>,
}

impl Scene {
    /// Marks cells, given by number as in [`Depict::way`].
    pub fn mark(&mut self, cells: impl IntoIterator<Item = usize>) {
        for cell in cells {
            self.cells[cell].marked = true;
        }
    }

    /// Turns the board by 180°, to the second player's view.
    pub fn flip(&mut self) {
        for cell in &mut self.cells {
            (cell.x, cell.y) = (-cell.x, -cell.y);
        }
    }
}

/// The caption of a game that is over; `name` names a player.
pub(crate) fn end_caption<G: Game, N: Display>(game: &G, name: impl Fn(Player) -> N) -> Option<String> {
    let (outcome, reason) = game.end()?;
    Some(match outcome.winner() {
        Some(winner) => format!("{} has won: {reason}", name(winner)),
        None => format!("no winner: {reason}"),
    })
}
