//! Positions as planes, from the point of view of the player to move.

use std::fmt::Debug;

use chase_engine::Game;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A game whose positions a network can read, and whose policy indices lie on planes of its board.
///
/// The planes show the game as the player to move sees it, like [`Game::policy_index`] does: where an exact symmetry
/// exchanges the players, positions that it maps to each other have equal planes.
pub trait Encode: Game {
    /// What can be chosen about the encoding. `Default` is the recommended choice.
    type Encoding: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Changes whenever the same position and options give other planes than before.
    const ENCODING_VERSION: u32;

    /// What each plane shows, in the order of the planes.
    fn plane_names(encoding: &Self::Encoding) -> Vec<String>;

    /// The sizes of input and policy. `policy_planes · height · width` is [`Game::POLICY_SIZE`], and
    /// [`Game::policy_index`] counts plane by plane and row by row.
    fn shape(encoding: &Self::Encoding) -> Shape;

    /// Overwrites `planes`, of shape `[C, H, W]`, with numbers in \[0, 1\]. A position that was set up by hand may lie beyond
    /// what a game comes to, and so may its numbers be above 1.
    ///
    /// # Panics
    /// If the length of `planes` is not [`Shape::input_size`].
    fn encode(&self, encoding: &Self::Encoding, planes: &mut [f32]);
}

/// The sizes of a network's input `[C, H, W]` and policy `[P, H, W]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Input planes, C.
    pub planes: usize,
    /// Rows of the board, H.
    pub height: usize,
    /// Columns of the board, W.
    pub width: usize,
    /// Policy planes, P.
    pub policy_planes: usize,
}

impl Shape {
    /// Cells of the board: H · W.
    pub const fn cells(&self) -> usize {
        self.height * self.width
    }

    /// Numbers in one encoded position: C · H · W.
    pub const fn input_size(&self) -> usize {
        self.planes * self.cells()
    }

    /// Policy logits of one position: P · H · W.
    pub const fn policy_size(&self) -> usize {
        self.policy_planes * self.cells()
    }
}
