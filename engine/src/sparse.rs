//! Positions as sparse inputs: many numbers, of which a few are 1 and the others 0, and a ply changes few of them. An
//! efficiently updatable network (NNUE) is made of them.

use std::fmt::Debug;

use crate::{Game, Instructions, Player};

/// The inputs of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputSet {
    /// Their number, below 65,536; 0 in a game that offers none.
    pub count: usize,
    /// The most that are 1 in a position, for one viewer.
    pub most: usize,
    /// Parts of equal size that say the same things of different states: what is learned begins equal in all.
    pub states: usize,
    /// Changes whenever an input gets another meaning.
    pub version: u32,
}

/// A position as such a network sees it.
///
/// Both players see it from their own side: where an exact symmetry swaps the players, one sees the same inputs in a position
/// that the other sees in its image.
pub trait SparseView<G: Game>: Clone + Debug + Send + Sync + 'static {
    /// Number and kinds of the inputs.
    const INPUTS: InputSet;

    /// The part of a game that its inputs depend on. A search does this at every ply, so slow work is left to
    /// [`SparseView::look`].
    fn of(game: &G) -> Self;

    /// Finds out what else the inputs depend on, before they are asked for.
    #[inline]
    fn look(&mut self, instructions: Instructions) {
        _ = instructions;
    }

    /// Visits the inputs that are 1, each as White and as Black see it.
    fn active(&self, visit: impl FnMut([u16; 2]));

    /// Visits the inputs in which another position differs: those that are 1 only `after`, with true, and those that are 1 only
    /// here, with false.
    fn changes(&self, after: &Self, visit: impl FnMut([u16; 2], bool));

    /// The inputs that are 1 in a game: as the player to move sees them, then as the other one does.
    fn inputs(game: &G) -> [Vec<u16>; 2] {
        let mut seen = Self::of(game);
        seen.look(Instructions::best());
        [game.to_move(), !game.to_move()].map(|viewer| seen.seen_by(viewer))
    }

    /// The inputs that are 1 as a player sees them.
    fn seen_by(&self, viewer: Player) -> Vec<u16> {
        let mut inputs = Vec::with_capacity(Self::INPUTS.most);
        self.active(|input| inputs.push(input[viewer as usize]));
        inputs
    }
}

/// The view of a game that offers no sparse inputs.
#[derive(Clone, Copy, Debug)]
pub struct NoInputs;

impl<G: Game> SparseView<G> for NoInputs {
    const INPUTS: InputSet = InputSet {
        count: 0,
        most: 0,
        states: 1,
        version: 0,
    };

    fn of(_: &G) -> Self {
        Self
    }

    fn active(&self, _: impl FnMut([u16; 2])) {}

    fn changes(&self, _: &Self, _: impl FnMut([u16; 2], bool)) {}
}
