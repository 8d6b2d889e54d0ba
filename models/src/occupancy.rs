//! Expected content of each cell, by an auxiliary head that only training uses otherwise.

use ndarray::{Array3, ArrayView3, Axis};
use tch::{Kind, Tensor};

use crate::device::single_threaded;
use crate::error::InferenceError;
use crate::network::{Network, NetworkError};

/// Contents of a cell: own, enemy, nothing.
const CONTENTS: usize = 3;

impl Network {
    /// Probabilities of an own piece, an enemy piece and nothing on each cell at the learner's horizon, from the point
    /// of view of the player to move: `[3, H, W]` for one encoded position `[C, H, W]`. `None` if the network has no
    /// such head.
    ///
    /// # Errors
    /// If the position does not fit the network, or memory runs out.
    pub fn occupancy(&self, planes: ArrayView3<'_, f32>) -> Result<Option<Array3<f32>>, NetworkError> {
        let shape = self.shape();
        if planes.shape() != shape.input() {
            let found = planes.shape().to_vec();
            let expected = shape.input();
            return Err(InferenceError::Input { found, expected }.into());
        }
        single_threaded();
        tch::no_grad(|| {
            let batch = planes.insert_axis(Axis(0));
            let batch = Tensor::try_from(batch.as_standard_layout())?.f_to_device(self.device())?;
            let Some(logits) = self.forward(&batch, false)?.occupancy else {
                return Ok(None);
            };
            let shares = logits.f_softmax(1, Kind::Float)?.f_to_device(tch::Device::Cpu)?;
            let shares = Vec::<f32>::try_from(shares.f_contiguous()?.f_view(-1)?)?;
            if shares.iter().any(|share| !share.is_finite()) {
                return Err(InferenceError::NotFinite.into());
            }
            let at = |(content, row, column)| shares[(content * shape.height + row) * shape.width + column];
            Ok(Some(Array3::from_shape_fn((CONTENTS, shape.height, shape.width), at)))
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Rules;
    use chase_engine::{Chase, Encode, Game};
    use tch::Device;

    use super::*;
    use crate::{Checkpoint, shipped};

    #[test]
    fn a_cell_has_one_content_and_colours_are_seen_from_their_own_side() {
        let Checkpoint { network, encoding, .. } =
            Checkpoint::<Chase>::load(shipped::NAME.as_ref(), Device::Cpu).unwrap();
        let mut game = Chase::new(&Rules::default());
        let expected = |game: &Chase| {
            let planes = Chase::encode_all(std::slice::from_ref(game), &encoding);
            network.occupancy(planes.index_axis(Axis(0), 0)).unwrap().unwrap()
        };
        let shares = expected(&game);
        assert_eq!(shares.shape(), [3, 9, 9]);
        for sum in shares.sum_axis(Axis(0)) {
            assert!((sum - 1.0).abs() < 1e-5, "{sum}");
        }
        // White's dice are near its own row, and after its move Black sees them as the enemy's on the far one.
        let near =
            |shares: &Array3<f32>, content: usize, row: usize| shares.index_axis(Axis(0), content).row(row).sum();
        assert!(near(&shares, 0, 0) > 2.0 * near(&shares, 1, 0), "{shares}");
        game.apply(game.parse_action("A3NE").unwrap());
        let shares = expected(&game);
        assert!(near(&shares, 1, 8) > 2.0 * near(&shares, 0, 8), "{shares}");
        // Planes of another size are refused.
        let error = network.occupancy(Array3::zeros([1, 9, 9]).view()).unwrap_err();
        assert!(
            error.to_string().starts_with("input of dimensions [1, 9, 9]"),
            "{error}"
        );
    }
}
