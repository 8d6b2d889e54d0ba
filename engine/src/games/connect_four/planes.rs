//! Encoding of Connect Four as planes.

use ndarray::ArrayViewMut3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{COLUMNS, ConnectFour, ROWS};
use crate::encode::occupancy;
use crate::{Encode, Game, Mirror, NoInputs, Player, Shape};

/// Connect Four has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConnectFourEncoding {}

/// Two planes of 6 × 7 cells, rows counted from the bottom.
impl Encode for ConnectFour {
    type Encoding = ConnectFourEncoding;
    type Sparse = NoInputs;

    const ENCODING_VERSION: u32 = 1;

    fn standard_encoding(_: &Self::Rules) -> ConnectFourEncoding {
        ConnectFourEncoding::default()
    }

    fn plane_names(_: &ConnectFourEncoding) -> Vec<String> {
        vec!["own stones".into(), "enemy stones".into()]
    }

    fn shape(_: &ConnectFourEncoding) -> Shape {
        Shape {
            planes: 2,
            height: ROWS,
            width: COLUMNS,
            policy_planes: Self::POLICY_SIZE / (ROWS * COLUMNS),
        }
    }

    fn mirror(encoding: &ConnectFourEncoding) -> Option<Mirror> {
        let shape = Self::shape(encoding);
        Some(Mirror {
            planes: (0..shape.planes).collect(),
            policy: (0..shape.policy_planes).collect(),
            handed: Vec::new(),
        })
    }

    fn encode(&self, encoding: &ConnectFourEncoding, mut planes: ArrayViewMut3<'_, f32>) {
        assert_eq!(
            planes.shape(),
            Self::shape(encoding).input(),
            "dimensions of the planes"
        );
        let players = [self.to_move(), !self.to_move()];
        for (mut plane, player) in planes.outer_iter_mut().zip(players) {
            for ((row, column), number) in plane.indexed_iter_mut() {
                *number = f32::from(u8::from(self.stone(row, column) == Some(player)));
            }
        }
    }

    fn mirrored(&self, column: u8) -> Option<u8> {
        Some(COLUMNS as u8 - 1 - column)
    }

    fn occupancy(&self, _: &ConnectFourEncoding, viewer: Player, cells: &mut Vec<u8>) {
        cells.clear();
        let board = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| self.stone(row, column)));
        cells.extend(board.map(|stone| match stone {
            Some(player) if player == viewer => occupancy::OWN,
            Some(_) => occupancy::ENEMY,
            None => occupancy::NOTHING,
        }));
    }
}
