//! Plies of games in which a stone can only be placed.

use super::board::Board;
use super::cell::Cell;
use super::symmetry::Symmetry;

/// A stone, or the end of a turn before its last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StoneOrEnd<B: Board> {
    /// A stone on an empty cell.
    Place(Cell<B>),
    /// The end of the turn.
    End,
}

impl<B: Board> StoneOrEnd<B> {
    /// The number of policy indices: those of a plane, and one for the end of a turn.
    pub(super) const POLICY_SIZE: usize = B::ROWS * B::ROWS + 1;

    pub(super) fn policy_index(self) -> usize {
        match self {
            Self::Place(cell) => cell.plane_index(),
            Self::End => Self::POLICY_SIZE - 1,
        }
    }

    /// The cell as text, or the game's word for the end of a turn.
    pub(super) fn text(self, end: &str) -> String {
        match self {
            Self::Place(cell) => cell.to_string(),
            Self::End => end.to_owned(),
        }
    }

    /// The cell of the stone, if there is one.
    pub(super) fn way(self) -> Vec<Cell<B>> {
        match self {
            Self::Place(cell) => vec![cell],
            Self::End => Vec::new(),
        }
    }

    /// The action that it becomes under a symmetry.
    pub(super) fn image(self, symmetry: Symmetry) -> Self {
        match self {
            Self::Place(cell) => Self::Place(symmetry.cell(cell)),
            Self::End => Self::End,
        }
    }
}
