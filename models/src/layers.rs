//! Layers, in training form and in inference form.
//!
//! A layer is one type in both forms: folding turns the first into the second, so each network is written once.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use tch::{Device, Kind, TchError, Tensor};

type Result<T> = std::result::Result<T, TchError>;

/// A tensor that is saved with its network.
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) tensor: Tensor,
    /// True if it is learnt by gradient. (Running means and variances are measured instead.)
    pub(crate) trainable: bool,
}

/// Creates the parameters of a network, in a fixed order.
pub(crate) struct Builder<'a> {
    device: Device,
    rng: &'a mut Xoshiro256PlusPlus,
    pub(crate) parameters: Vec<Parameter>,
}

impl<'a> Builder<'a> {
    pub(crate) const fn new(device: Device, rng: &'a mut Xoshiro256PlusPlus) -> Self {
        Self {
            device,
            rng,
            parameters: Vec::new(),
        }
    }

    fn add(&mut self, name: String, tensor: Tensor, trainable: bool) -> Tensor {
        let tensor = if trainable {
            tensor.set_requires_grad(true)
        } else {
            tensor
        };
        self.parameters.push(Parameter {
            name,
            tensor: tensor.shallow_clone(),
            trainable,
        });
        tensor
    }

    fn constant(&mut self, name: String, size: i64, value: f64, trainable: bool) -> Result<Tensor> {
        let tensor = Tensor::f_full([size], value, (Kind::Float, self.device))?;
        Ok(self.add(name, tensor, trainable))
    }

    /// Uniform random numbers of standard deviation `gain / √fan_in` (He et al. 2015, arXiv 1502.01852, §2.2).
    ///
    /// Drawn from our own generator: libtorch's is global to the process, so threads would race on it.
    fn random(&mut self, name: String, shape: &[i64], gain: f64, fan_in: i64) -> Result<Tensor> {
        let bound = (gain * (3.0 / fan_in as f64).sqrt()) as f32;
        let count = shape.iter().product::<i64>();
        let values: Vec<f32> = (0..count).map(|_| self.rng.random_range(-bound..bound)).collect();
        let tensor = Tensor::f_from_slice(&values)?.f_view(shape)?.f_to_device(self.device)?;
        Ok(self.add(name, tensor, true))
    }
}

/// Preserves the variance through a rectifier.
pub(crate) const RECTIFIER_GAIN: f64 = std::f64::consts::SQRT_2;
/// For the last layer of a head: an untrained network should be nearly indifferent.
// The number was not measured.
pub(crate) const OUTPUT_GAIN: f64 = 0.1;

#[derive(Clone, Copy)]
pub(crate) struct Grid {
    pub(crate) hex: bool,
    /// True if the last column is adjacent to the first.
    pub(crate) wrap: bool,
    /// True if the last row is adjacent to the first.
    pub(crate) wrap_rows: bool,
}

/// A convolution with batch normalisation or bias, which keeps the size of the board.
pub(crate) struct Convolution {
    /// `[out, in, k, k]`.
    weight: Tensor,
    /// `[out]`.
    bias: Option<Tensor>,
    norm: Option<Norm>,
    /// `[k, k]`, zero where the kernel must be zero.
    mask: Option<Tensor>,
    kernel: i64,
    wrap: bool,
    wrap_rows: bool,
}

/// Batch normalisation: scale, shift, running mean and running variance, `[C]` each.
struct Norm {
    scale: Tensor,
    shift: Tensor,
    mean: Tensor,
    variance: Tensor,
}

/// Share of the running statistics that each training batch replaces.
// PyTorch's default. Not measured.
const NORM_MOMENTUM: f64 = 0.1;
// PyTorch's default. Not measured.
const NORM_EPSILON: f64 = 1e-5;

impl Convolution {
    /// A 3×3 convolution with batch normalisation.
    pub(crate) fn spatial(builder: &mut Builder, name: &str, inputs: i64, outputs: i64, grid: Grid) -> Result<Self> {
        let mask = if grid.hex {
            // `weight[.., i, j]` reads row r + i − 1 and column q + j − 1; rows count upwards, and the neighbours of an
            // axial (r, q) are E (r, q+1), W (r, q−1), NE (r+1, q), NW (r+1, q−1), SE (r−1, q+1), SW (r−1, q).
            let taps = [0.0f32, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0];
            Some(
                Tensor::f_from_slice(&taps)?
                    .f_view([3, 3])?
                    .f_to_device(builder.device)?,
            )
        } else {
            None
        };
        let fan_in = inputs * if grid.hex { 7 } else { 9 };
        Ok(Self {
            weight: builder.random(
                format!("{name}.weight"),
                &[outputs, inputs, 3, 3],
                RECTIFIER_GAIN,
                fan_in,
            )?,
            bias: None,
            norm: Some(Norm::new(builder, name, outputs)?),
            mask,
            kernel: 3,
            wrap: grid.wrap,
            wrap_rows: grid.wrap_rows,
        })
    }

    /// A 1×1 convolution with batch normalisation.
    pub(crate) fn pointwise(builder: &mut Builder, name: &str, inputs: i64, outputs: i64) -> Result<Self> {
        Ok(Self {
            weight: builder.random(
                format!("{name}.weight"),
                &[outputs, inputs, 1, 1],
                RECTIFIER_GAIN,
                inputs,
            )?,
            bias: None,
            norm: Some(Norm::new(builder, name, outputs)?),
            mask: None,
            kernel: 1,
            wrap: false,
            wrap_rows: false,
        })
    }

    /// A 1×1 convolution with bias, as the end of a head.
    pub(crate) fn output(builder: &mut Builder, name: &str, inputs: i64, outputs: i64) -> Result<Self> {
        Ok(Self {
            weight: builder.random(format!("{name}.weight"), &[outputs, inputs, 1, 1], OUTPUT_GAIN, inputs)?,
            bias: Some(builder.constant(format!("{name}.bias"), outputs, 0.0, true)?),
            norm: None,
            mask: None,
            kernel: 1,
            wrap: false,
            wrap_rows: false,
        })
    }

    /// `[B, in, H, W]` to `[B, out, H, W]` in the element type of the input. In training, batch normalisation uses and
    /// records the batch's statistics.
    pub(crate) fn forward(&self, input: &Tensor, train: bool) -> Result<Tensor> {
        let masked = self.masked_weight()?;
        let weight = masked.as_ref().unwrap_or(&self.weight);
        // Weights in training stay in 32 bits: a step is smaller than what bfloat16 tells apart. Nothing is copied if
        // they agree.
        let weight = weight.f_to_kind(input.kind())?;
        let bias = self
            .bias
            .as_ref()
            .map(|bias| bias.f_to_kind(input.kind()))
            .transpose()?;
        let (input, borders) = self.widened(input)?;
        let output = input.f_conv2d(&weight, bias.as_ref(), [1, 1], borders, [1, 1], 1)?;
        match &self.norm {
            Some(norm) => norm.forward(&output, train),
            None => Ok(output),
        }
    }

    /// [`Convolution::forward`] and [`rectify`].
    pub(crate) fn rectified(&self, input: &Tensor, train: bool) -> Result<Tensor> {
        if !self.fuses(input) {
            return rectify(self.forward(input, train)?);
        }
        let (input, borders) = self.widened(input)?;
        input.f_cudnn_convolution_relu(&self.weight, self.bias.as_ref(), [1, 1], borders, [1, 1], 1)
    }

    /// [`Convolution::forward`], the sum with `shortcut`, `[B, out, H, W]`, and [`rectify`].
    pub(crate) fn added_and_rectified(&self, input: &Tensor, shortcut: &Tensor, train: bool) -> Result<Tensor> {
        if !self.fuses(input) {
            return rectify(self.forward(input, train)?.f_add_(shortcut)?);
        }
        let (input, borders) = self.widened(input)?;
        let bias = self.bias.as_ref();
        input.f_cudnn_convolution_add_relu(&self.weight, shortcut, 1.0, bias, [1, 1], borders, [1, 1], 1)
    }

    /// True if one kernel adds the bias and rectifies: on a GPU, in the folded form.
    fn fuses(&self, input: &Tensor) -> bool {
        input.device().is_cuda() && self.norm.is_none() && self.weight.kind() == input.kind()
    }

    /// The input wrapped around where the board is, and the zeros to put around it, in rows and columns.
    fn widened(&self, input: &Tensor) -> Result<(Tensor, [i64; 2])> {
        let border = self.kernel / 2;
        let (mut widened, mut borders) = (input.shallow_clone(), [border, border]);
        for (wraps, dimension) in [(self.wrap, 3), (self.wrap_rows, 2)] {
            if wraps && border > 0 {
                widened = joined(&widened, dimension)?;
                borders[dimension as usize - 2] = 0;
            }
        }
        Ok((widened, borders))
    }

    fn masked_weight(&self) -> Result<Option<Tensor>> {
        self.mask.as_ref().map(|mask| self.weight.f_mul(mask)).transpose()
    }

    /// The same function with normalisation and mask multiplied into the weights.
    pub(crate) fn folded(&self, device: Device, kind: Kind) -> Result<Self> {
        let masked = self.masked_weight()?;
        let weight = masked.as_ref().unwrap_or(&self.weight);
        let (weight, bias) = match &self.norm {
            Some(norm) => {
                let factor = norm.scale.f_div(&norm.variance.f_add_scalar(NORM_EPSILON)?.f_sqrt()?)?;
                let bias = norm.shift.f_sub(&norm.mean.f_mul(&factor)?)?;
                (weight.f_mul(&factor.f_view([-1, 1, 1, 1])?)?, Some(bias))
            }
            None => (weight.shallow_clone(), self.bias.as_ref().map(Tensor::shallow_clone)),
        };
        Ok(Self {
            weight: channels_last(&detached_copy(&weight, device, kind)?)?,
            bias: bias.map(|bias| detached_copy(&bias, device, kind)).transpose()?,
            norm: None,
            mask: None,
            kernel: self.kernel,
            wrap: self.wrap,
            wrap_rows: self.wrap_rows,
        })
    }

    /// The weight, `[out, in, k, k]`, and the bias, `[out]`, of the folded form.
    pub(crate) const fn weight_and_bias(&self) -> (&Tensor, Option<&Tensor>) {
        (&self.weight, self.bias.as_ref())
    }

    /// A folded convolution with additional inputs behind its own, which it ignores.
    pub(crate) fn with_idle_inputs(self, count: i64) -> Result<Self> {
        let weight = self.weight.f_constant_pad_nd([0, 0, 0, 0, 0, count])?;
        Ok(Self {
            weight: channels_last(&weight)?,
            ..self
        })
    }
}

/// The input wrapped around along a dimension: its last slice is also in front, its first slice also at the end.
///
/// In channels-last memory this costs about a third of what `pad(.., "circular")` does.
fn joined(input: &Tensor, dimension: i64) -> Result<Tensor> {
    let last = input.size()[dimension as usize] - 1;
    let parts = [
        &input.f_narrow(dimension, last, 1)?,
        input,
        &input.f_narrow(dimension, 0, 1)?,
    ];
    Tensor::f_cat(&parts, dimension)
}

impl Norm {
    fn new(builder: &mut Builder, name: &str, channels: i64) -> Result<Self> {
        Ok(Self {
            scale: builder.constant(format!("{name}.norm.scale"), channels, 1.0, true)?,
            shift: builder.constant(format!("{name}.norm.shift"), channels, 0.0, true)?,
            mean: builder.constant(format!("{name}.norm.mean"), channels, 0.0, false)?,
            variance: builder.constant(format!("{name}.norm.variance"), channels, 1.0, false)?,
        })
    }

    fn forward(&self, input: &Tensor, train: bool) -> Result<Tensor> {
        let (scale, shift) = (Some(&self.scale), Some(&self.shift));
        let (mean, variance) = (Some(&self.mean), Some(&self.variance));
        input.f_batch_norm(scale, shift, mean, variance, train, NORM_MOMENTUM, NORM_EPSILON, true)
    }
}

/// A dense layer. Always in 32 bits: it is a small part of the work, and its output needs the precision.
pub(crate) struct Dense {
    /// `[out, in]`.
    weight: Tensor,
    /// `[out]`.
    bias: Tensor,
}

impl Dense {
    pub(crate) fn new(builder: &mut Builder, name: &str, inputs: i64, outputs: i64, gain: f64) -> Result<Self> {
        Ok(Self {
            weight: builder.random(format!("{name}.weight"), &[outputs, inputs], gain, inputs)?,
            bias: builder.constant(format!("{name}.bias"), outputs, 0.0, true)?,
        })
    }

    /// `[B, in]` to `[B, out]`.
    pub(crate) fn forward(&self, input: &Tensor) -> Result<Tensor> {
        input.f_linear(&self.weight, Some(&self.bias))
    }

    /// The same function of summaries ([`pool`]) with `channels` more channels in front, which it ignores, and with
    /// `outputs` more outputs, all 0, at the end.
    pub(crate) fn padded(&self, channels: i64, outputs: i64) -> Result<Self> {
        let size = self.weight.size();
        let halves = self.weight.f_view([size[0], 2, size[1] / 2])?;
        Ok(Self {
            weight: halves
                .f_constant_pad_nd([channels, 0, 0, 0, 0, outputs])?
                .f_flatten(1, 2)?,
            bias: self.bias.f_constant_pad_nd([0, outputs])?,
        })
    }

    /// The weight, `[out, in]`, and the bias, `[out]`.
    pub(crate) const fn weight_and_bias(&self) -> (&Tensor, &Tensor) {
        (&self.weight, &self.bias)
    }

    pub(crate) fn folded(&self, device: Device) -> Result<Self> {
        Ok(Self {
            weight: detached_copy(&self.weight, device, Kind::Float)?,
            bias: detached_copy(&self.bias, device, Kind::Float)?,
        })
    }
}

/// A copy that is independent of later training steps.
fn detached_copy(tensor: &Tensor, device: Device, kind: Kind) -> Result<Tensor> {
    let mut copy = Tensor::f_zeros(tensor.size(), (kind, device))?;
    copy.f_copy_(&tensor.f_detach()?)?;
    Ok(copy)
}

/// Negative numbers replaced by 0.
///
/// In bfloat16 the input must have no NaN: half of them would become 0 too.
pub(crate) fn rectified(tensor: &Tensor) -> Result<Tensor> {
    match tensor.kind() {
        // The bits are read as integers: those of negative numbers are negative, and the others are kept. libtorch's
        // own rectifier widens each number and rounds it again, which takes seven times as long: 44 instead of 6 µs for 128
        // positions (study 0005).
        // Integers have no gradients.
        Kind::BFloat16 if !tensor.requires_grad() => tensor
            .f_view_dtype(Kind::Int16)?
            .f_clamp_min(0)?
            .f_view_dtype(Kind::BFloat16),
        _ => tensor.f_relu(),
    }
}

/// [`rectified`], in place.
pub(crate) fn rectify(mut tensor: Tensor) -> Result<Tensor> {
    match tensor.kind() {
        Kind::BFloat16 if !tensor.requires_grad() => tensor
            .f_view_dtype(Kind::Int16)?
            .f_clamp_min_(0)?
            .f_view_dtype(Kind::BFloat16),
        _ => tensor.f_relu_(),
    }
}

/// Mean and maximum over the board, in 32 bits: `[B, C, H, W]` to `[B, 2 · C]`.
pub(crate) fn pool(input: &Tensor) -> Result<Tensor> {
    // Widened first, which is exact: libtorch's maximum of bfloat16 takes longer than a convolution, 401 µs for 64
    // positions, and of 32-bit numbers 23, widening included (study 0005).
    let input = input.f_to_kind(Kind::Float)?;
    let mean = input.f_mean_dim([2i64, 3].as_slice(), false, Kind::Float)?;
    let maximum = input.f_amax([2i64, 3].as_slice(), false)?;
    Tensor::f_cat(&[mean, maximum], 1)
}

/// The same `[B, C, H, W]` with the channels of a cell adjacent in memory, the fastest layout for convolutions.
pub(crate) fn channels_last(tensor: &Tensor) -> Result<Tensor> {
    tensor.f_permute([0, 2, 3, 1])?.f_contiguous()?.f_permute([0, 3, 1, 2])
}

#[cfg(test)]
mod tests {
    // Tests may panic.
    #![allow(clippy::unwrap_used)]

    use chase_engine::chase::{Cell, Direction, geometry};
    use rand::SeedableRng;

    use super::*;

    /// The cells where the layer's output changes with the input at `cell`.
    fn response(layer: &Convolution, cell: Cell) -> Vec<usize> {
        let mut input = [0.0f32; 81];
        input[cell.axial_index()] = 1.0;
        let input = Tensor::from_slice(&input).view([1, 1, 9, 9]);
        let output = tch::no_grad(|| layer.forward(&input, false).unwrap());
        let output = Vec::<f32>::try_from(output.flatten(0, -1)).unwrap();
        (0..81).filter(|&index| output[index] != 0.0).collect()
    }

    #[test]
    fn a_hexagonal_kernel_on_the_cylinder_sees_the_neighbours_and_no_other_cell() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut builder = Builder::new(Device::Cpu, &mut rng);
        let grid = Grid {
            hex: true,
            wrap: true,
            wrap_rows: false,
        };
        let trained = Convolution::spatial(&mut builder, "stem", 1, 1, grid).unwrap();
        let folded = tch::no_grad(|| trained.folded(Device::Cpu, Kind::Float).unwrap());
        for cell in Cell::all() {
            let neighbours = Direction::ALL
                .into_iter()
                .filter_map(|direction| geometry::neighbour(cell, direction));
            let mut expected: Vec<usize> = neighbours.chain([cell]).map(Cell::axial_index).collect();
            expected.sort_unstable();
            assert_eq!(response(&trained, cell), expected, "around {cell}");
            assert_eq!(response(&folded, cell), expected, "around {cell}, folded");
        }
    }

    #[test]
    fn a_square_kernel_on_the_torus_sees_nine_cells_everywhere() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut builder = Builder::new(Device::Cpu, &mut rng);
        let grid = Grid {
            hex: false,
            wrap: true,
            wrap_rows: true,
        };
        let layer = Convolution::spatial(&mut builder, "stem", 1, 1, grid).unwrap();
        for cell in Cell::all() {
            let (row, column) = (cell.axial_index() / 9, cell.axial_index() % 9);
            let beside = |place: usize| [place + 8, place, place + 1].map(|place| place % 9);
            let near = beside(row).map(|row| beside(column).map(|column| row * 9 + column));
            let mut expected = near.concat();
            expected.sort_unstable();
            assert_eq!(response(&layer, cell), expected, "around {cell}");
        }
    }

    #[test]
    fn every_number_in_bfloat16_is_rectified_as_by_its_definition() {
        let patterns: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let numbers = Tensor::from_slice(&patterns).view_dtype(Kind::BFloat16);
        let widened = |tensor: &Tensor| Vec::<f32>::try_from(tensor.to_kind(Kind::Float)).unwrap();
        let copied = widened(&rectified(&numbers).unwrap());
        let before = widened(&numbers);
        let in_place = widened(&rectify(numbers).unwrap());
        let mut checked = 0;
        for ((number, copied), in_place) in before.into_iter().zip(copied).zip(in_place) {
            if !number.is_nan() {
                assert_eq!([copied, in_place], [number.max(0.0); 2], "of {number}");
                checked += 1;
            }
        }
        // All patterns but the NaNs, 127 of each sign.
        assert_eq!(checked, 65_536 - 254);
    }

    #[test]
    fn a_square_kernel_sees_nine_cells_and_no_further_than_the_edge() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut builder = Builder::new(Device::Cpu, &mut rng);
        let grid = Grid {
            hex: false,
            wrap: false,
            wrap_rows: false,
        };
        let layer = Convolution::spatial(&mut builder, "stem", 1, 1, grid).unwrap();
        assert_eq!(response(&layer, Cell::from_index(0).unwrap()), [0, 1, 9, 10]);
        let counts: Vec<usize> = Cell::all().map(|cell| response(&layer, cell).len()).collect();
        assert_eq!(
            [4, 6, 9].map(|size| counts.iter().filter(|&&count| count == size).count()),
            [4, 28, 49]
        );
    }
}
