//! The learner: from positions to better weights.
//!
//! It needs one thread. Everything is computed on the CPU: a step touches few numbers of the large first layer, and
//! the rest is too small for other devices.

use crate::config::LearnerConfig;
use crate::kinds::KindSettings;
use crate::learner::{LearnError, Losses, Optimizer, StateError, StepReport, flatten, rate};
use chase_engine::InputSet;
use chase_nnue::network::LOGIT;
use chase_nnue::{Network, Weights};
use ndarray::{ArrayD, ArrayViewD};
use rand::rngs::Xoshiro256PlusPlus;
use tch::{Device, Reduction, TchError, Tensor};

use super::config::Config;
use super::rows::{Row, Rows};

/// Rows whose loss is computed at once.
// It bounds the memory of a loss on all rows held out. Not measured.
const CHUNK: usize = 8192;

/// A network in training, and the state of its optimizer.
#[derive(Debug)]
pub struct Learner {
    config: LearnerConfig,
    inputs: InputSet,
    width: usize,
    parameters: Vec<Parameter>,
    optimizer: Optimizer,
    /// The step from which the rate warms up.
    warm_up_from: u64,
}

/// A tensor of the network, and the largest magnitude that its numbers may have so that they can be quantised.
#[derive(Debug)]
struct Parameter {
    tensor: Tensor,
    limit: f64,
}

/// The rows of a batch as libtorch needs them.
struct Batch {
    /// The inputs that are 1, row after row: of the players to move, and of the others.
    inputs: [Tensor; 2],
    /// Offset of the first input of each row `[B]`.
    offsets: [Tensor; 2],
    /// `[B]`.
    target: Tensor,
}

impl Batch {
    fn new<'a>(rows: impl Iterator<Item = Row<'a>>) -> Self {
        let (mut inputs, mut offsets) = ([const { Vec::new() }; 2], [const { Vec::new() }; 2]);
        let mut target = Vec::new();
        for row in rows {
            for (side, own) in row.inputs.iter().enumerate() {
                offsets[side].push(inputs[side].len() as i64);
                inputs[side].extend(own.iter().map(|&input| i64::from(input)));
            }
            target.push(row.target);
        }
        Self {
            inputs: inputs.map(|numbers| Tensor::from_slice(&numbers)),
            offsets: offsets.map(|numbers| Tensor::from_slice(&numbers)),
            target: Tensor::from_slice(&target),
        }
    }
}

fn numbers(tensor: &Tensor) -> Result<Vec<f32>, TchError> {
    let mut numbers = vec![0f32; tensor.numel()];
    tensor.f_contiguous()?.f_copy_data(&mut numbers, tensor.numel())?;
    Ok(numbers)
}

impl Learner {
    /// A learner with random weights.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn new(config: &Config) -> Result<Self, LearnError> {
        Self::with(
            config,
            &Weights::random(
                config.game.sparse_inputs(),
                config.network.width,
                &mut initialisation(config),
            ),
        )
    }

    /// A learner with the weights of another network, widened to the width of the configuration.
    ///
    /// # Errors
    /// If the network is wider than that, or libtorch fails.
    pub fn beginning_with(config: &Config, weights: &Weights) -> Result<Self, LearnError> {
        let weights = weights.widened(config.network.width, &mut initialisation(config))?;
        Self::with(config, &weights)
    }

    fn with(config: &Config, weights: &Weights) -> Result<Self, LearnError> {
        chase_models::device::single_threaded();
        let parameters = parameters(weights)?;
        let shared = config.learner();
        let optimizer = Optimizer::new(&shared, parameters.iter().map(|own| &own.tensor), Device::Cpu)?;
        Ok(Self {
            config: shared,
            inputs: weights.inputs,
            width: config.network.width,
            parameters,
            optimizer,
            warm_up_from: 0,
        })
    }

    /// The same learner under other settings, of which the optimizer is the same.
    pub(crate) fn follow(&mut self, config: LearnerConfig) {
        self.config = config;
    }

    /// Has the rate warm up from this step on.
    pub(crate) const fn warm_up_from(&mut self, step: u64) {
        self.warm_up_from = step;
    }

    /// Steps made so far.
    pub const fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// The logits of the expected score `[B]`.
    fn forward(&self, batch: &Batch) -> Result<Tensor, TchError> {
        let [
            transformer,
            transformer_bias,
            dense_1,
            dense_1_bias,
            dense_2,
            dense_2_bias,
            output,
            output_bias,
        ] = &self.parameters[..]
        else {
            unreachable!("a network has eight tensors");
        };
        let side = |side: usize| {
            let (sums, ..) = Tensor::f_embedding_bag::<Tensor>(
                &transformer.tensor,
                &batch.inputs[side],
                &batch.offsets[side],
                false,
                0,
                false,
                None,
                false,
            )?;
            sums.f_add(&transformer_bias.tensor)?.f_clamp(0.0, 1.0)
        };
        let first = Tensor::f_cat(&[side(0)?, side(1)?], 1)?
            .f_linear(&dense_1.tensor, Some(&dense_1_bias.tensor))?
            .f_clamp(0.0, 1.0)?;
        let second = first
            .f_linear(&dense_2.tensor, Some(&dense_2_bias.tensor))?
            .f_clamp(0.0, 1.0)?;
        second.f_matmul(&output.tensor)?.f_add(&output_bias.tensor)
    }

    /// Makes one step. `progress` is the finished part of the run, from 0 to 1.
    ///
    /// # Errors
    /// If the loss or the gradient is not finite, or libtorch fails.
    pub fn step(&mut self, rows: &Rows, progress: f64) -> Result<StepReport, LearnError> {
        let step = self.steps();
        let batch = Batch::new(rows.iter());
        let total = self.forward(&batch)?.f_binary_cross_entropy_with_logits::<Tensor>(
            &batch.target,
            None,
            None,
            Reduction::Mean,
        )?;
        let tensors = || self.parameters.iter().map(|own| &own.tensor);
        let gradients = Tensor::f_run_backward(&[&total], &tensors().collect::<Vec<_>>(), false, false)?;
        let rate = rate(&self.config, step - self.warm_up_from, progress);
        tch::no_grad(|| {
            let gradient = flatten(tensors(), gradients)?;
            let loss = LearnError::diverged(step, "loss", total.f_double_value(&[])?)?;
            let norm = LearnError::diverged(step, "gradient's norm", gradient.f_norm()?.f_double_value(&[])?)?;
            self.optimizer
                .step(self.parameters.iter().map(|own| &own.tensor), &gradient, rate)?;
            for Parameter { tensor, limit } in &self.parameters {
                // After every step, so that the quantised network never overflows: in whole numbers the loss is 0.001
                // higher at most (study 0030).
                let _ = tensor.shallow_clone().f_clamp_(-limit, *limit)?;
            }
            Ok(StepReport {
                losses: Losses::of_value(loss),
                gradient_norm: norm,
                rate,
            })
        })
    }

    /// The loss on these rows, without learning; NaN without rows.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn loss<'a>(&self, rows: impl Iterator<Item = Row<'a>>) -> Result<f64, TchError> {
        let rows: Vec<Row<'_>> = rows.collect();
        let mut sum = 0.0;
        tch::no_grad(|| {
            for chunk in rows.chunks(CHUNK) {
                let batch = Batch::new(chunk.iter().copied());
                let logits = self.forward(&batch)?;
                let loss =
                    logits.f_binary_cross_entropy_with_logits::<Tensor>(&batch.target, None, None, Reduction::Sum)?;
                sum += loss.f_double_value(&[])?;
            }
            Ok(sum / rows.len() as f64)
        })
    }

    /// The weights.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn weights(&self) -> Result<Weights, TchError> {
        let shapes = Weights::shapes(self.inputs, self.width);
        let tensors = shapes.into_iter().zip(&self.parameters).map(|((_, shape, _), own)| {
            let array = ArrayD::from_shape_vec(shape, numbers(&own.tensor)?);
            array.map_err(|error| TchError::Shape(error.to_string()))
        });
        let weights = Weights::from_tensors(self.inputs, tensors.collect::<Result<_, _>>()?);
        Ok(weights.expect("a network has eight tensors, of these shapes"))
    }

    /// The optimizer's moments, by name: with the weights and the number of steps, all that the next step depends on.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn moments(&self) -> Result<Vec<(&'static str, Vec<f32>)>, TchError> {
        let all = self.optimizer.moments();
        all.map(|(name, tensor)| Ok((name, numbers(tensor)?))).collect()
    }

    /// Continues from saved weights and moments, after `steps` steps.
    ///
    /// # Errors
    /// If they belong to another network; the learner is then unchanged.
    pub fn restore(&mut self, weights: &Weights, moments: &[(&str, Vec<f32>)], steps: u64) -> Result<(), StateError> {
        let mismatch = |tensor: &str, found: Option<usize>, expected: usize| StateError::Mismatch {
            tensor: tensor.to_owned(),
            found: found.map_or("absent".to_owned(), |count| format!("[{count}]")),
            expected: format!("[{expected}]"),
        };
        if weights.width() != self.width {
            return Err(mismatch("transformer.bias", Some(weights.width()), self.width));
        }
        let saved = |name: &str| {
            moments
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, numbers)| numbers)
        };
        for (name, own) in self.optimizer.moments() {
            let found = saved(name).map(Vec::len);
            if found != Some(own.numel()) {
                return Err(mismatch(name, found, own.numel()));
            }
        }
        self.parameters = parameters(weights)?;
        for (name, own) in self.optimizer.moments() {
            let numbers = saved(name).expect("all were found to be there");
            own.shallow_clone().f_copy_(&Tensor::f_from_slice(numbers)?)?;
        }
        self.optimizer.resume(steps);
        Ok(())
    }
}

/// Randomness of the first weights of a run.
fn initialisation(config: &Config) -> Xoshiro256PlusPlus {
    chase_engine::seed::named("nnue-initialisation", &[config.seed])
}

/// The tensors of a network in the order in which they are used, each with a gradient.
fn parameters(weights: &Weights) -> Result<Vec<Parameter>, TchError> {
    let parameter = |((_, shape, limit), numbers): ((&str, Vec<usize>, f32), ArrayViewD<'_, f32>)| {
        let shape: Vec<i64> = shape.into_iter().map(|size| size as i64).collect();
        let numbers: Vec<f32> = numbers.iter().copied().collect();
        let tensor = Tensor::f_from_slice(&numbers)?.f_view(&shape[..])?;
        Ok(Parameter {
            tensor: tensor.set_requires_grad(true),
            limit: limit.into(),
        })
    };
    let tensors = Weights::shapes(weights.inputs, weights.width())
        .into_iter()
        .zip(weights.tensors());
    tensors.map(parameter).collect()
}

/// The loss of the quantised network on positions; NaN without any.
pub fn quantised_loss<'a>(network: &Network, rows: impl Iterator<Item = Row<'a>>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for row in rows {
        let logit = f64::from(network.evaluate_inputs(row.inputs)) / f64::from(LOGIT);
        // ln(1 + e^x) without overflow.
        let softplus = logit.max(0.0) + (-logit.abs()).exp().ln_1p();
        sum += softplus - f64::from(row.target) * logit;
        count += 1.0;
    }
    sum / count
}
