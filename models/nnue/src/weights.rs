//! A network as it is trained: numbers with a floating point.

use chase_engine::{Encode, InputSet, SparseView};
use ndarray::{Array1, Array2, ArrayView1, ArrayViewMut2, Axis, concatenate, s};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::network::ONE;

/// Outputs of the first dense layer.
// 16 and 32 as in Stockfish 14. Other sizes were not measured.
pub const HIDDEN_1: usize = 16;
/// Outputs of the second dense layer.
pub const HIDDEN_2: usize = 32;
/// The widths of the transformer that a network may have: multiples of 32 up to this.
// With it the sums of the first dense layer fit into 32 bits: 2,048 inputs of 127 times weights of 6,400 are 1.66 ·
// 10⁹. 256 instead of 128 is 80 Elo [35, 124] weaker with 100 ms per move (study 0059).
pub const LARGEST_WIDTH: usize = 1024;
/// Largest magnitude of a weight or bias of the transformer, in games with few inputs that are 1 at a time.
// Sums of the 20 dice of Chase would allow 12.3. Not measured.
const TRANSFORMER_LIMIT: f32 = 8.0;
/// Largest magnitude of a weight of the dense layers but the last.
// As a whole number 6,400: sums fit into 32 bits, see `LARGEST_WIDTH`.
pub const DENSE_LIMIT: f32 = 100.0;
/// Largest magnitude of a weight of the last layer.
// As a whole number 30,720, which fits into 16 bits.
pub const OUTPUT_LIMIT: f32 = 30.0;

/// The weights of a network with a transformer of width W.
///
/// The transformer turns the sparse inputs of each player into W numbers, which are limited to [0, 1]. Those of the
/// player to move, then those of the opponent go through two dense layers, limited in the same way, and a last one with
/// one output: the logit of the expected score of the player to move, where a draw counts as half a win.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The inputs of the game.
    pub inputs: InputSet,
    /// `[inputs, W]`: what each input adds.
    pub transformer: Array2<f32>,
    /// `[W]`.
    pub transformer_bias: Array1<f32>,
    /// `[HIDDEN_1, 2 W]`.
    pub dense_1: Array2<f32>,
    /// `[HIDDEN_1]`.
    pub dense_1_bias: Array1<f32>,
    /// `[HIDDEN_2, HIDDEN_1]`.
    pub dense_2: Array2<f32>,
    /// `[HIDDEN_2]`.
    pub dense_2_bias: Array1<f32>,
    /// `[HIDDEN_2]`.
    pub output: Array1<f32>,
    /// `[1]`.
    pub output_bias: Array1<f32>,
}

/// Error returned when weights cannot be a network.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WeightsError {
    /// A tensor has another shape.
    #[error("{name} has the shape {found:?}, expected {expected:?}")]
    Shape {
        /// Name of the tensor in files.
        name: &'static str,
        /// Its shape as it is.
        found: Vec<usize>,
        /// The shape that the others ask for.
        expected: Vec<usize>,
    },
    /// The transformer's width is not possible.
    #[error("the transformer has the width {0}, expected a multiple of 32 up to {LARGEST_WIDTH}")]
    Width(usize),
    /// A network cannot be made narrower.
    #[error("the transformer has the width {before}, which cannot become {width}: expected a larger width")]
    Narrower {
        /// The width that it has.
        before: usize,
        /// The width that was asked for.
        width: usize,
    },
    /// A number is not finite or too large.
    #[error("{name} has the value {value}, expected at most {limit} in magnitude")]
    Number {
        /// Name of the tensor in files.
        name: &'static str,
        /// The number at fault.
        value: f32,
        /// The largest magnitude with which sums stay in range.
        limit: f32,
    },
}

impl Weights {
    /// Weights all 0.
    pub fn zero(inputs: InputSet, width: usize) -> Self {
        Self {
            inputs,
            transformer: Array2::zeros((inputs.count, width)),
            transformer_bias: Array1::zeros(width),
            dense_1: Array2::zeros((HIDDEN_1, 2 * width)),
            dense_1_bias: Array1::zeros(HIDDEN_1),
            dense_2: Array2::zeros((HIDDEN_2, HIDDEN_1)),
            dense_2_bias: Array1::zeros(HIDDEN_2),
            output: Array1::zeros(HIDDEN_2),
            output_bias: Array1::zeros(1),
        }
    }

    /// Random weights to begin training with: uniform, with the variance of their inputs kept (He). Biases of limited
    /// sums are in the middle of their range.
    pub fn random(inputs: InputSet, width: usize, rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut weights = Self::zero(inputs, width);
        let mut fill = |mut tensor: ArrayViewMut2<'_, f32>, inputs: usize| {
            let limit = (6.0 / inputs as f32).sqrt();
            tensor.mapv_inplace(|_| rng.random_range(-limit..limit));
        };
        let part = inputs.count / inputs.states;
        let (mut first, mut others) = weights.transformer.view_mut().split_at(Axis(0), part);
        // Half of He's deviation, so that fewer sums begin outside of the range of 0 to 1. Not measured.
        fill(first.view_mut(), 4 * inputs.most);
        // A piece counts the same at first in every state: what is learned of one state is not far from the others.
        for mut other in others.axis_chunks_iter_mut(Axis(0), part) {
            other.assign(&first);
        }
        fill(weights.dense_1.view_mut(), 2 * width);
        fill(weights.dense_2.view_mut(), HIDDEN_1);
        let limit = (6.0 / HIDDEN_2 as f32).sqrt();
        weights.output.mapv_inplace(|_| rng.random_range(-limit..limit));
        // In the middle, where the gradient is not 0.
        weights.transformer_bias.fill(0.5);
        weights
    }

    /// The same network with a wider transformer: equal values for every position, and room to learn. The new numbers begin
    /// as in [`Weights::random`], and nothing reads them yet.
    ///
    /// # Errors
    /// If `width` is less than the present one, or no network has it.
    pub fn widened(&self, width: usize, rng: &mut Xoshiro256PlusPlus) -> Result<Self, WeightsError> {
        let before = self.width();
        check_width(width)?;
        if width < before {
            return Err(WeightsError::Narrower { before, width });
        }
        let mut wide = Self::random(self.inputs, width, rng);
        wide.transformer.slice_mut(s![.., ..before]).assign(&self.transformer);
        wide.transformer_bias
            .slice_mut(s![..before])
            .assign(&self.transformer_bias);
        let unread = Array2::zeros((HIDDEN_1, width - before));
        let (own, enemy) = self.dense_1.view().split_at(Axis(1), before);
        wide.dense_1 = concatenate![Axis(1), own, unread, enemy, unread];
        Ok(Self {
            dense_1_bias: self.dense_1_bias.clone(),
            dense_2: self.dense_2.clone(),
            dense_2_bias: self.dense_2_bias.clone(),
            output: self.output.clone(),
            output_bias: self.output_bias.clone(),
            ..wide
        })
    }

    /// Weights that judge by the numbers of pieces, without training: the logit of the player to move is `per_piece` for each own
    /// piece more than the opponent has, up to ten of them. `is_own` says which inputs are pieces of the viewer, of which there may
    /// be twenty. For tests and measurements of searches.
    pub fn piece_difference(inputs: InputSet, width: usize, per_piece: f32, is_own: impl Fn(usize) -> bool) -> Self {
        let mut weights = Self::zero(inputs, width);
        // Two numbers count a player's own pieces: none are 0, twenty are 1.
        for input in (0..inputs.count).filter(|input| is_own(*input)) {
            weights.transformer[[input, 0]] = 1.0 / 10.0;
        }
        let (own, enemy) = (0, width);
        weights.dense_1[[0, own]] = 1.0;
        weights.dense_1[[0, enemy]] = -1.0;
        weights.dense_1[[1, own]] = -1.0;
        weights.dense_1[[1, enemy]] = 1.0;
        for side in 0..2 {
            weights.dense_2[[side, side]] = 1.0;
        }
        weights.output[0] = 10.0 * per_piece;
        weights.output[1] = -10.0 * per_piece;
        weights
    }

    /// Width of the first layer for each player, W.
    pub fn width(&self) -> usize {
        self.transformer_bias.len()
    }

    /// Every tensor: its name in files, its shape for these inputs and this width, and the largest magnitude of its numbers.
    pub fn shapes(inputs: InputSet, width: usize) -> [(&'static str, Vec<usize>, f32); 8] {
        let limit = transformer_limit(inputs);
        [
            ("transformer.weight", vec![inputs.count, width], limit),
            ("transformer.bias", vec![width], limit),
            ("dense_1.weight", vec![HIDDEN_1, 2 * width], DENSE_LIMIT),
            ("dense_1.bias", vec![HIDDEN_1], DENSE_LIMIT),
            ("dense_2.weight", vec![HIDDEN_2, HIDDEN_1], DENSE_LIMIT),
            ("dense_2.bias", vec![HIDDEN_2], DENSE_LIMIT),
            ("output.weight", vec![HIDDEN_2], OUTPUT_LIMIT),
            ("output.bias", vec![1], OUTPUT_LIMIT),
        ]
    }

    /// The tensors in the order of [`Weights::shapes`].
    pub fn tensors(&self) -> [ndarray::ArrayViewD<'_, f32>; 8] {
        [
            self.transformer.view().into_dyn(),
            self.transformer_bias.view().into_dyn(),
            self.dense_1.view().into_dyn(),
            self.dense_1_bias.view().into_dyn(),
            self.dense_2.view().into_dyn(),
            self.dense_2_bias.view().into_dyn(),
            self.output.view().into_dyn(),
            self.output_bias.view().into_dyn(),
        ]
    }

    /// Weights for these inputs from their tensors in the order of [`Weights::shapes`]; `None` if one is missing or has another number
    /// of dimensions.
    pub fn from_tensors(inputs: InputSet, tensors: Vec<ndarray::ArrayD<f32>>) -> Option<Self> {
        let mut tensors = tensors.into_iter();
        let vector = |tensor: Option<ndarray::ArrayD<f32>>| tensor?.into_dimensionality().ok();
        let matrix = |tensor: Option<ndarray::ArrayD<f32>>| tensor?.into_dimensionality().ok();
        Some(Self {
            inputs,
            transformer: matrix(tensors.next())?,
            transformer_bias: vector(tensors.next())?,
            dense_1: matrix(tensors.next())?,
            dense_1_bias: vector(tensors.next())?,
            dense_2: matrix(tensors.next())?,
            dense_2_bias: vector(tensors.next())?,
            output: vector(tensors.next())?,
            output_bias: vector(tensors.next())?,
        })
    }

    /// Checks shapes and numbers.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), WeightsError> {
        let width = self.width();
        check_width(width)?;
        for ((name, expected, limit), tensor) in Self::shapes(self.inputs, width).into_iter().zip(self.tensors()) {
            if tensor.shape() != expected {
                let found = tensor.shape().to_vec();
                return Err(WeightsError::Shape { name, found, expected });
            }
            let wrong = tensor.iter().find(|value| value.is_nan() || value.abs() > limit);
            if let Some(&value) = wrong {
                return Err(WeightsError::Number { name, value, limit });
            }
        }
        Ok(())
    }

    /// The logit of the expected score of the player to move: the reference that the quantised network is compared
    /// with.
    pub fn evaluate<G: Encode>(&self, game: &G) -> f32 {
        let limited = G::Sparse::inputs(game).map(|inputs| {
            let mut sums = self.transformer_bias.clone();
            for input in inputs {
                sums += &self.transformer.index_axis(Axis(0), input.into());
            }
            sums.mapv_into(limit)
        });
        let inputs: Array1<f32> = limited.iter().flatten().copied().collect();
        let layer = |weights: &Array2<f32>, inputs: ArrayView1<'_, f32>, bias: &Array1<f32>| {
            (weights.dot(&inputs) + bias).mapv_into(limit)
        };
        let first = layer(&self.dense_1, inputs.view(), &self.dense_1_bias);
        let second = layer(&self.dense_2, first.view(), &self.dense_2_bias);
        self.output.dot(&second) + self.output_bias[0]
    }
}

/// The activation of all layers but the last.
fn limit(sum: f32) -> f32 {
    sum.clamp(0.0, 1.0)
}

/// Largest magnitude of a weight or bias of the transformer for these inputs. A trainer limits them to it, so that sums fit
/// into 16 bits.
fn transformer_limit(inputs: InputSet) -> f32 {
    let each = i16::MAX as usize / (inputs.most + 1);
    TRANSFORMER_LIMIT.min(each as f32 / ONE)
}

/// Checks a transformer's width.
///
/// # Errors
/// If no network has it.
pub fn check_width(width: usize) -> Result<(), WeightsError> {
    if width == 0 || width > LARGEST_WIDTH || !width.is_multiple_of(32) {
        return Err(WeightsError::Width(width));
    }
    Ok(())
}
