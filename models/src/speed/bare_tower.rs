//! The rate of a bare tower: the best that libtorch achieves with a network's convolutions on a machine.

use tch::{Device, Kind, TchError, Tensor};

use crate::device::single_threaded;
use crate::layers::channels_last;
use crate::{Architecture, Precision};
use chase_engine::Shape;

/// The stem and the residual blocks of a network, with its columns around the cylinder, on one core or one GPU: no
/// pooling, no heads, and nothing that moves positions in or logits out.
///
/// Written with libtorch's own operations, apart from the layers of networks, so that a loss of speed there shows.
#[derive(Debug)]
pub struct BareTower {
    /// `[B, C, H, W]`, in channels-last memory.
    planes: Tensor,
    /// `[channels, planes, 3, 3]`.
    stem: Tensor,
    /// `[channels, channels, 3, 3]`, the same for all convolutions of all blocks.
    block: Tensor,
    blocks: usize,
    wrap: bool,
    wrap_rows: bool,
    operations: u64,
}

impl BareTower {
    /// The tower of a network, for batches of a size.
    ///
    /// # Errors
    /// If the device has no room for it.
    pub fn new(
        architecture: &Architecture,
        shape: Shape,
        batch: usize,
        device: Device,
        precision: Precision,
    ) -> Result<Self, TchError> {
        single_threaded();
        let (channels, blocks) = (architecture.channels, architecture.blocks);
        let kind = precision.of_libtorch().kind();
        let options = (kind, device);
        // Each convolution copies channels, so that the result is known, and exact in either precision.
        let copies = |inputs: usize| -> Result<Tensor, TchError> {
            let weight = Tensor::f_zeros([channels as i64, inputs as i64, 3, 3], options)?;
            let mut centre = weight.f_select(3, 1)?.f_select(2, 1)?;
            centre.f_copy_(&Tensor::f_eye_m(channels as i64, inputs as i64, options)?)?;
            channels_last(&weight)
        };
        let size = shape.batch(batch).into_iter().map(|size| size as i64);
        let size: Vec<i64> = size.collect();
        // Some ones and some zeros, as in real planes.
        let numbers = Tensor::f_arange(size.iter().product::<i64>(), (Kind::Int64, device))?;
        let ones = numbers.f_remainder(7)?.f_eq(0)?.f_view(size.as_slice())?;
        Ok(Self {
            planes: channels_last(&ones.f_to_kind(kind)?)?,
            stem: copies(shape.planes)?,
            block: copies(channels)?,
            blocks,
            wrap: architecture.wrap,
            wrap_rows: architecture.wrap_rows,
            operations: 2 * (9 * channels * (shape.planes + 2 * blocks * channels) * shape.cells() * batch) as u64,
        })
    }

    /// Multiplications and additions of one run, counted in full at the edges of the board.
    pub const fn operations(&self) -> u64 {
        self.operations
    }

    /// Evaluates the batch once, and returns true if the result is right. Reading it waits for a GPU.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn run(&self) -> Result<bool, TchError> {
        tch::no_grad(|| {
            let mut trunk = self.convolution(&self.planes, &self.stem)?.f_relu_()?;
            for _ in 0..self.blocks {
                let inner = self.convolution(&trunk, &self.block)?.f_relu_()?;
                trunk = self.convolution(&inner, &self.block)?.f_add_(&trunk)?.f_relu_()?;
            }
            self.is_right(&trunk)
        })
    }

    fn convolution(&self, input: &Tensor, weight: &Tensor) -> Result<Tensor, TchError> {
        let (mut widened, mut borders) = (input.shallow_clone(), [1, 1]);
        for (wraps, dimension) in [(self.wrap, 3), (self.wrap_rows, 2)] {
            if wraps {
                let last = widened.size()[dimension] - 1;
                let slice = |index| widened.f_narrow(dimension as i64, index, 1);
                widened = Tensor::f_cat(&[&slice(last)?, &widened, &slice(0)?], dimension as i64)?;
                borders[dimension - 2] = 0;
            }
        }
        widened.f_conv2d(weight, None::<&Tensor>, [1, 1], borders, [1, 1], 1)
    }

    /// True if the first channel of the last position is right: every block has doubled it.
    fn is_right(&self, trunk: &Tensor) -> Result<bool, TchError> {
        let sum = |tensor: &Tensor| -> Result<f64, TchError> {
            let channel = tensor.f_select(0, -1)?.f_select(0, 0)?;
            channel.f_sum(Kind::Double)?.f_double_value(&[])
        };
        let ones = sum(&self.planes)?;
        Ok(ones > 0.0 && sum(trunk)? == ones * (self.blocks as f64).exp2())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::{Chase, Encode};

    use super::*;

    #[test]
    fn towers_are_right_in_either_precision_and_count_their_work() {
        let shape = Chase::shape(&<Chase as Encode>::Encoding::default());
        for (wrap, precision) in [(true, Precision::F32), (false, Precision::F32), (true, Precision::Bf16)] {
            let architecture = Architecture {
                blocks: 3,
                channels: 8,
                pooling: 0,
                wrap,
                ..Architecture::default()
            };
            let mut tower = BareTower::new(&architecture, shape, 2, Device::Cpu, precision).unwrap();
            assert!(tower.run().unwrap());
            // All of the network's work but its heads.
            let heads = Architecture {
                blocks: 0,
                ..architecture.clone()
            };
            let stem = 2 * (9 * 8 * shape.planes * shape.cells()) as u64;
            let heads = heads.operations(&shape) - stem;
            assert_eq!(tower.operations(), 2 * (architecture.operations(&shape) - heads));
            tower.blocks -= 1;
            tower.block = tower.block.f_mul_scalar(2.0).unwrap();
            assert!(!tower.run().unwrap());
        }
    }
}
