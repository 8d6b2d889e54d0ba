//! AdamW and SGD with momentum, whose state can be saved (through tch, libtorch's cannot).

use tch::{Device, Kind, TchError, Tensor};

use crate::config::{LearnerConfig, OptimizerKind};

/// Keeps the denominator of AdamW above zero (the value in its paper).
const EPSILON: f64 = 1e-8;

/// An optimizer with its moments.
///
/// The moments of all parameters lie in one vector `[N]`, in the order in which the parameters are given: a step takes
/// a few operations on it instead of a dozen for each of a hundred small tensors.
#[derive(Debug)]
pub struct Optimizer {
    momentum: f64,
    beta2: f64,
    weight_decay: f64,
    /// Running sum (SGD) or mean (AdamW) of gradients.
    first: Tensor,
    /// Running mean of squared gradients; AdamW only.
    second: Option<Tensor>,
    steps: u64,
}

impl Optimizer {
    /// An optimizer before its first step.
    ///
    /// # Errors
    /// If there is no memory for the moments.
    pub fn new<'a>(
        config: &LearnerConfig,
        parameters: impl Iterator<Item = &'a Tensor>,
        device: Device,
    ) -> Result<Self, TchError> {
        let size: i64 = parameters.map(|tensor| tensor.numel() as i64).sum();
        let zeros = || Tensor::f_zeros([size], (Kind::Float, device));
        Ok(Self {
            momentum: config.momentum,
            beta2: config.beta2,
            weight_decay: config.weight_decay,
            first: zeros()?,
            second: (config.optimizer == OptimizerKind::Adamw).then(zeros).transpose()?,
            steps: 0,
        })
    }

    /// Steps made so far.
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// The moments `[N]`, by name: what is saved with the number of steps.
    pub fn moments(&self) -> impl Iterator<Item = (&'static str, &Tensor)> {
        let second = self.second.as_ref().map(|second| ("optimizer.second", second));
        [("optimizer.first", &self.first)].into_iter().chain(second)
    }

    /// Continues after `steps` steps, once the [moments](Optimizer::moments) have been filled in.
    pub const fn resume(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Moves parameters against a gradient `[N]` of all of them, in the order of [`Optimizer::new`].
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn step<'a>(
        &mut self,
        parameters: impl Iterator<Item = &'a Tensor>,
        gradient: &Tensor,
        rate: f64,
    ) -> Result<(), TchError> {
        self.steps += 1;
        let update = match &mut self.second {
            // Loshchilov & Hutter 2019, algorithm 2.
            Some(second) => {
                let bias = |beta: f64| 1.0 - beta.powf(self.steps as f64);
                let _ = self.first.f_lerp_(gradient, 1.0 - self.momentum)?;
                let _ = second.f_lerp_(&gradient.f_square()?, 1.0 - self.beta2)?;
                let scale = second.f_div_scalar(bias(self.beta2))?.f_sqrt()?.f_add_scalar(EPSILON)?;
                self.first.f_mul_scalar(rate / bias(self.momentum))?.f_div(&scale)?
            }
            None => {
                self.first = self.first.f_mul_scalar(self.momentum)?.f_add(gradient)?;
                self.first.f_mul_scalar(rate)?
            }
        };
        let mut start = 0;
        for tensor in parameters {
            let size = tensor.numel() as i64;
            let own = update.f_narrow(0, start, size)?.f_view_as(tensor)?;
            let mut tensor = tensor.shallow_clone();
            // Biases and the scales of normalisations are vectors; decaying them does not regularise.
            if tensor.dim() > 1 && self.weight_decay > 0.0 {
                let _ = tensor.f_mul_scalar_(1.0 - rate * self.weight_decay)?;
            }
            let _ = tensor.f_sub_(&own)?;
            start += size;
        }
        Ok(())
    }
}

/// Gradients of all parameters as one vector `[N]`; zeros for those that the loss does not depend on.
///
/// # Errors
/// If libtorch fails.
pub fn flatten<'a>(parameters: impl Iterator<Item = &'a Tensor>, gradients: Vec<Tensor>) -> Result<Tensor, TchError> {
    let flat = parameters.zip(gradients).map(|(parameter, gradient)| {
        if gradient.defined() {
            gradient.f_contiguous()?.f_view(-1)
        } else {
            Tensor::f_zeros([parameter.numel() as i64], (Kind::Float, parameter.device()))
        }
    });
    Tensor::f_cat(&flat.collect::<Result<Vec<_>, _>>()?, 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_models::Network;
    use tch::nn::{self, OptimizerConfig};

    use super::*;
    use crate::kinds::residual::testing::network;

    fn parameters(network: &Network) -> impl Iterator<Item = &Tensor> {
        network.trainable().map(|(_, tensor)| tensor)
    }

    /// Both get the same gradients. No weight decay, since libtorch's would decay every tensor.
    #[test]
    fn both_optimizers_agree_with_those_of_libtorch() {
        for optimizer in [OptimizerKind::Adamw, OptimizerKind::Sgd] {
            let config = LearnerConfig {
                optimizer,
                weight_decay: 0.0,
                ..LearnerConfig::default()
            };
            let network = network(&config);
            let mut ours = Optimizer::new(&config, parameters(&network), Device::Cpu).unwrap();

            let store = nn::VarStore::new(Device::Cpu);
            let copies: Vec<Tensor> = network
                .trainable()
                .map(|(name, tensor)| store.root().var_copy(&name.replace('.', "_"), &tensor.detach()))
                .collect();
            let mut theirs = match optimizer {
                OptimizerKind::Adamw => nn::adamw(config.momentum, config.beta2, 0.0).build(&store, 0.01),
                OptimizerKind::Sgd => nn::sgd(config.momentum, 0.0, 0.0, false).build(&store, 0.01),
            }
            .unwrap();
            for step in 1..=20 {
                let gradients: Vec<Tensor> = copies
                    .iter()
                    .map(|copy| (copy.detach() * 3.0 + f64::from(step)).sin())
                    .collect();
                let loss: Tensor = copies
                    .iter()
                    .zip(&gradients)
                    .map(|(copy, gradient)| (copy * gradient).sum(Kind::Float))
                    .sum();
                theirs.backward_step(&loss);
                tch::no_grad(|| {
                    let gradient = flatten(parameters(&network), gradients).unwrap();
                    ours.step(parameters(&network), &gradient, 0.01).unwrap();
                });
            }
            for ((name, tensor), copy) in network.trainable().zip(&copies) {
                let difference = (tensor - copy).abs().max().double_value(&[]);
                // 20 steps of at most 0.1, rounded to 24 bits each.
                assert!(difference < 1e-5, "{optimizer:?}, {name}: {difference}");
                let moved = tensor.abs().max().double_value(&[]);
                assert!(moved > 0.0);
            }
        }
    }

    #[test]
    fn weights_decay_and_vectors_do_not() {
        let config = LearnerConfig {
            weight_decay: 0.5,
            ..LearnerConfig::default()
        };
        let network = network(&config);
        let before: Vec<Tensor> = network.trainable().map(|(_, tensor)| tensor.detach().copy()).collect();
        let mut optimizer = Optimizer::new(&config, parameters(&network), Device::Cpu).unwrap();
        let zero = Tensor::zeros(optimizer.first.size(), (Kind::Float, Device::Cpu));
        tch::no_grad(|| optimizer.step(parameters(&network), &zero, 0.1).unwrap());
        for ((name, tensor), before) in network.trainable().zip(&before) {
            let expected = if tensor.dim() > 1 { before * 0.95 } else { before.copy() };
            assert!(tensor.allclose(&expected, 1e-6, 0.0, false), "{name}");
        }
    }
}
