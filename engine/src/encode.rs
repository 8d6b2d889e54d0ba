//! Positions as planes, from the point of view of the player to move.

use std::fmt::Debug;

use ndarray::{Array4, ArrayViewMut3};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Depict, Player, SparseView, scene_planes};

/// A game whose positions a network can evaluate, and whose policy indices lie on planes of its board.
///
/// The planes show the game as the player to move sees it, like [`Game::policy_index`](crate::Game::policy_index): where an exact symmetry swaps
/// the players, positions that it maps to each other have equal planes.
///
/// Learning needs more, which is here too: which cells are joined, what the mirror does, and the targets of auxiliary
/// heads. All of it has a default: with [`ScenePlanes`](crate::ScenePlanes) as the encoding, planes follow from the
/// drawing of a position.
pub trait Encode: Depict {
    /// The game, if several share this type, and the options of the encoding: which planes there are. The game is the
    /// key `game`.
    type Encoding: Clone + Debug + PartialEq + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static;

    /// A position as an efficiently updatable network sees it; [`NoInputs`](crate::NoInputs) in a game without such networks.
    type Sparse: SparseView<Self>;

    /// True if there are efficiently updatable networks for the game.
    const HAS_SPARSE_INPUTS: bool = Self::Sparse::INPUTS.count > 0;

    /// Changes whenever the same position and options give different planes.
    const ENCODING_VERSION: u32 = 1;

    /// Actions that a Gumbel search considers at its root by default: about the number of legal actions, if that is small.
    const CONSIDERED_ACTIONS: u32 = 16;

    /// The recommended encoding for the game with these rules.
    fn standard_encoding(rules: &Self::Rules) -> Self::Encoding;

    /// [`Game::name`](crate::Game::name) of the encoded game.
    fn encoded_game(encoding: &Self::Encoding) -> &'static str {
        _ = encoding;
        Self::NAME
    }

    /// Content of each plane, in the order of the planes.
    fn plane_names(encoding: &Self::Encoding) -> Vec<String> {
        _ = encoding;
        scene_planes::NAMES.map(String::from).into()
    }

    /// The sizes of input and policy. Every [`Game::policy_index`](crate::Game::policy_index) is below
    /// `policy_planes · height · width`; it counts plane by plane and row by row.
    fn shape(encoding: &Self::Encoding) -> Shape {
        scene_planes::shape::<Self>(encoding)
    }

    /// Overwrites `planes`, `[C, H, W]`, with numbers in \[0, 1\]. In a position that was set up by hand and that no
    /// game reaches, they may exceed 1.
    ///
    /// # Panics
    /// If the dimensions of `planes` are not [`Shape::input`], or the encoding is for another game of the family.
    fn encode(&self, encoding: &Self::Encoding, planes: ArrayViewMut3<'_, f32>) {
        assert_eq!(
            planes.shape(),
            Self::shape(encoding).input(),
            "dimensions of the planes"
        );
        scene_planes::encode(self, planes);
    }

    /// Adjacency of the cells of the planes.
    fn grid(rules: &Self::Rules) -> Grid {
        _ = rules;
        Grid::default()
    }

    /// The mirror image of the planes; `None` where mirror images are nothing alike. They need not be equal: see
    /// [`Mirror::handed`].
    fn mirror(encoding: &Self::Encoding) -> Option<Mirror> {
        _ = encoding;
        None
    }

    /// The same action in the mirror image of a game; `None` where mirror images are not equal, as in Chase. The
    /// initial position must be its own mirror image.
    fn mirrored(&self, action: Self::Action) -> Option<Self::Action> {
        _ = action;
        None
    }

    /// Content of each cell, `[H, W]` as [`Encode::encode`] lays them out when `viewer` is to move; classes of
    /// [`occupancy`]. Replaces the content of `cells`.
    fn occupancy(&self, encoding: &Self::Encoding, viewer: Player, cells: &mut Vec<u8>) {
        _ = encoding;
        scene_planes::occupancy(self, viewer, cells);
    }

    /// The viewer's material minus the opponent's, as fractions of a player's initial material: the target of an
    /// auxiliary head. `None` in a game where material means nothing.
    fn material(&self, viewer: Player) -> Option<f32> {
        _ = viewer;
        None
    }

    /// Planes of several positions, `[B, C, H, W]`.
    fn encode_all(games: &[Self], encoding: &Self::Encoding) -> Array4<f32> {
        let mut planes = Array4::zeros(Self::shape(encoding).batch(games.len()));
        for (game, planes) in games.iter().zip(planes.outer_iter_mut()) {
            game.encode(encoding, planes);
        }
        planes
    }
}

/// Content of a cell, as the class of the occupancy head.
pub mod occupancy {
    /// A piece of the viewing player.
    pub const OWN: u8 = 0;
    /// A piece of the opponent.
    pub const ENEMY: u8 = 1;
    /// No piece.
    pub const NOTHING: u8 = 2;
}

/// Adjacency of the cells of a board: by default squares on a flat board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// True if cells are hexagons, in axial coordinates.
    pub is_hexagonal: bool,
    /// True if the last column is next to the first one.
    pub joins_columns: bool,
    /// True if the last row is next to the first one.
    pub joins_rows: bool,
}

/// The mirror image of a game's planes: for a network that treats mirror images alike.
///
/// On a grid of squares, column W − 1 − c takes the place of column c; where cells are hexagons on a cylinder of W columns,
/// axial column −1 − r − c modulo W in row r.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// For each input plane, the one that shows the same of the mirror image: `[C]`.
    pub planes: Vec<usize>,
    /// The same for the policy: `[P]`.
    pub policy: Vec<usize>,
    /// Input planes that say where the game tells left from right. The network need not treat them like their images.
    pub handed: Vec<usize>,
}

/// Sizes of a network's input `[C, H, W]` and policy `[P, H, W]`.
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

    /// Dimensions of one encoded position: `[C, H, W]`.
    pub const fn input(&self) -> [usize; 3] {
        [self.planes, self.height, self.width]
    }

    /// Dimensions of a batch of encoded positions: `[B, C, H, W]`.
    pub const fn batch(&self, positions: usize) -> [usize; 4] {
        [positions, self.planes, self.height, self.width]
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
