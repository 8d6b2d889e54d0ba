//! Weights in the order in which the kernel reads them.

use tch::{TchError, Tensor};

use super::arithmetic::Arithmetic;
use super::board::Line;
use super::instructions::Instructions;
use crate::layers;

/// A neighbour that a convolution reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tap {
    pub rows: isize,
    pub columns: isize,
}

/// A convolution whose outputs fill whole lines.
#[derive(Debug)]
pub(super) struct Convolution {
    /// Neighbours with weights: seven of nine on a board of hexagons.
    pub taps: Vec<Tap>,
    /// Units of input channels.
    pub units: usize,
    /// Outputs that are computed together.
    pub group: usize,
    /// `[out / group, taps, units, group / 16]`: 16 outputs a line.
    pub weights: Vec<Line>,
    /// `[out]`
    pub bias: Vec<f32>,
}

impl Convolution {
    /// A folded convolution in 32 bits, as the kernel reads it with these instructions.
    pub fn new(folded: &layers::Convolution, instructions: Instructions) -> Result<Self, TchError> {
        let (arithmetic, group) = (instructions.arithmetic(), instructions.channels());
        let (weight, bias) = folded.weight_and_bias();
        let size: Vec<usize> = weight.size().into_iter().map(|size| size as usize).collect();
        let [outputs, inputs, kernel] = [size[0], size[1], size[2]];
        let numbers = numbers(weight)?;
        let weight = |output: usize, input: usize, row: usize, column: usize| match input < inputs {
            true => numbers[((output * inputs + input) * kernel + row) * kernel + column],
            false => 0.0,
        };
        let places = (0..kernel * kernel).map(|place| (place / kernel, place % kernel));
        // On a board of hexagons two of the nine places are zero: to leave them out saves two ninths of the products.
        let used = |&(row, column): &(usize, usize)| {
            (0..outputs).any(|output| (0..inputs).any(|input| weight(output, input, row, column) != 0.0))
        };
        let places: Vec<(usize, usize)> = places.filter(used).collect();
        let together = arithmetic.channels_of_unit();
        let units = instructions.units(inputs);
        let mut weights = Vec::with_capacity(outputs / 16 * places.len() * units);
        for first in (0..outputs).step_by(group) {
            for &(row, column) in &places {
                for unit in 0..units {
                    for first in (first..first + group).step_by(16) {
                        weights.push(Line(std::array::from_fn(|lane| {
                            arithmetic.unit(|channel| weight(first + lane, together * unit + channel, row, column))
                        })));
                    }
                }
            }
        }
        let from_centre = |place: usize| place as isize - (kernel / 2) as isize;
        Ok(Self {
            taps: places
                .iter()
                .map(|&(row, column)| Tap {
                    rows: from_centre(row),
                    columns: from_centre(column),
                })
                .collect(),
            units,
            group,
            weights,
            bias: biases(bias, outputs)?,
        })
    }

    pub const fn groups(&self) -> usize {
        self.bias.len() / self.group
    }
}

/// A convolution to single numbers, of which few are wanted.
#[derive(Debug)]
pub(super) struct Outputs {
    /// `[out, units / 16]`
    pub weights: Vec<Line>,
    /// `[out]`
    pub bias: Vec<f32>,
}

impl Outputs {
    /// A folded convolution of 1 × 1 cells in 32 bits, whose inputs fill whole lines.
    pub fn new(folded: &layers::Convolution, arithmetic: Arithmetic) -> Result<Self, TchError> {
        let (weight, bias) = folded.weight_and_bias();
        let outputs = weight.size()[0] as usize;
        let numbers = numbers(weight)?;
        let together = arithmetic.channels_of_unit();
        let lines = numbers.chunks_exact(16 * together);
        let line = |numbers: &[f32]| {
            Line(std::array::from_fn(|unit| {
                arithmetic.unit(|channel| numbers[together * unit + channel])
            }))
        };
        Ok(Self {
            weights: lines.map(line).collect(),
            bias: biases(bias, outputs)?,
        })
    }
}

#[derive(Debug)]
pub(super) struct Dense {
    /// `[in, out]`
    pub weights: Vec<f32>,
    /// `[out]`
    pub bias: Vec<f32>,
}

impl Dense {
    pub fn new(folded: &layers::Dense) -> Result<Self, TchError> {
        let (weight, bias) = folded.weight_and_bias();
        Ok(Self {
            weights: numbers(&weight.f_transpose(0, 1)?)?,
            bias: numbers(bias)?,
        })
    }
}

#[derive(Debug)]
pub(super) struct Block {
    pub first: Convolution,
    /// Shift by the summary of all channels, `[2 · C]` to `[C]`.
    pub pooling: Option<Dense>,
    pub second: Convolution,
}

/// The layers in the order in which the kernel reads them.
#[derive(Debug)]
pub(super) struct Layers {
    pub stem: Convolution,
    pub blocks: Vec<Block>,
    pub policy_hidden: Convolution,
    pub policy: Outputs,
    pub value_summary: Convolution,
    pub value_hidden: Dense,
    pub value: Dense,
}

/// All numbers, in the order of the dimensions.
fn numbers(tensor: &Tensor) -> Result<Vec<f32>, TchError> {
    Vec::<f32>::try_from(tensor.f_contiguous()?.f_flatten(0, -1)?)
}

/// The biases of a convolution, which are zero where it has none.
fn biases(bias: Option<&Tensor>, outputs: usize) -> Result<Vec<f32>, TchError> {
    bias.map_or_else(|| Ok(vec![0.0; outputs]), numbers)
}
