//! Planes of any game from its drawing: what a game shows to a network if it says nothing else.

use ndarray::ArrayViewMut3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::encode::occupancy;
use crate::scene::Scene;
use crate::{Depict, Encode, Player, Shape};

/// Planes from the drawing of a position: [`Encode`] needs nothing else then.
///
/// A plane has a place for each column and each row on which a cell has its centre, rows from the bottom.
///
/// | planes | content |
/// |---|---|
/// | 4 | cells with an own piece on top, an own king, an enemy piece, an enemy king |
/// | 1 | marked cells |
/// | 1 | cells |
/// | 1 | 1 on all cells if the second player is to move |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenePlanes {}

pub(crate) const NAMES: [&str; 7] = [
    "own pieces",
    "own kings",
    "enemy pieces",
    "enemy kings",
    "marked",
    "cells",
    "second player",
];

/// The places of a scene's cells, and the numbers of rows and columns.
fn places(scene: &Scene) -> (Vec<[usize; 2]>, [usize; 2]) {
    let lines = |along: &dyn Fn(usize) -> f64| -> (Vec<usize>, usize) {
        // Half cells and rows of hexagons are closer than cells, but not by that much.
        let key = |index: usize| (along(index) * 16.0).round() as i64;
        let mut keys: Vec<i64> = (0..scene.cells.len()).map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        let line = |index| keys.binary_search(&key(index)).expect("a key of a cell");
        ((0..scene.cells.len()).map(line).collect(), keys.len())
    };
    let (rows, height) = lines(&|index| -scene.cells[index].y);
    let (columns, width) = lines(&|index| scene.cells[index].x);
    let places = rows.into_iter().zip(columns).map(|(row, column)| [row, column]);
    (places.collect(), [height, width])
}

fn standard<G: Encode>(encoding: &G::Encoding) -> G {
    let rules = G::standard_rules(G::encoded_game(encoding)).expect("an encoding is of a game of this type");
    G::new(&rules)
}

pub(crate) fn shape<G: Encode>(encoding: &G::Encoding) -> Shape {
    let (_, [height, width]) = places(&standard::<G>(encoding).scene());
    Shape {
        planes: NAMES.len(),
        height,
        width,
        policy_planes: G::POLICY_SIZE.div_ceil(height * width),
    }
}

pub(crate) fn encode<G: Depict>(game: &G, mut planes: ArrayViewMut3<'_, f32>) {
    planes.fill(0.0);
    let (scene, mover) = (game.scene(), game.to_move());
    for (cell, [row, column]) in scene.cells.iter().zip(places(&scene).0) {
        if let Some(piece) = cell.pieces.first() {
            let kind = 2 * usize::from(piece.player != mover) + usize::from(piece.is_king);
            planes[[kind, row, column]] = 1.0;
        }
        planes[[4, row, column]] = f32::from(u8::from(cell.marked));
        planes[[5, row, column]] = 1.0;
        planes[[6, row, column]] = f32::from(u8::from(mover == Player::Black));
    }
}

pub(crate) fn occupancy<G: Depict>(game: &G, viewer: Player, cells: &mut Vec<u8>) {
    let scene = game.scene();
    let (places, [height, width]) = places(&scene);
    cells.clear();
    cells.resize(height * width, occupancy::NOTHING);
    for (cell, [row, column]) in scene.cells.iter().zip(places) {
        if let Some(piece) = cell.pieces.first() {
            cells[row * width + column] = match piece.player == viewer {
                true => occupancy::OWN,
                false => occupancy::ENEMY,
            };
        }
    }
}
