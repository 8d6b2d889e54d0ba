//! Connect Four as planes.

use chase_engine::{ConnectFour, Game};
use serde::{Deserialize, Serialize};

use super::{Encode, Shape};

const HEIGHT: usize = 6;
const WIDTH: usize = 7;

/// Connect Four has nothing to choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConnectFourEncoding {}

/// Two planes of 6 × 7 cells, rows counted from the bottom.
impl Encode for ConnectFour {
    type Encoding = ConnectFourEncoding;

    const ENCODING_VERSION: u32 = 1;

    fn plane_names(_: &ConnectFourEncoding) -> Vec<String> {
        vec!["own stones".into(), "enemy stones".into()]
    }

    fn shape(_: &ConnectFourEncoding) -> Shape {
        Shape {
            planes: 2,
            height: HEIGHT,
            width: WIDTH,
            policy_planes: Self::POLICY_SIZE / (HEIGHT * WIDTH),
        }
    }

    fn encode(&self, encoding: &ConnectFourEncoding, planes: &mut [f32]) {
        assert_eq!(planes.len(), Self::shape(encoding).input_size(), "length of the planes");
        for (plane, stones) in planes.chunks_exact_mut(HEIGHT * WIDTH).zip(self.stones()) {
            for (index, value) in plane.iter_mut().enumerate() {
                // The engine's boards hold a column in seven bits, six rows and one sentinel.
                let (row, column) = (index / WIDTH, index % WIDTH);
                *value = (stones >> (column * (HEIGHT + 1) + row) & 1) as f32;
            }
        }
    }
}
