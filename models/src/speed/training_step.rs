//! The rate of bare training steps.

use ndarray::ArrayView4;
use tch::{Kind, TchError, Tensor};

use crate::Network;
use crate::device::single_threaded;
use crate::network::{NetworkError, VALUE_SIZE};

/// Forward, loss, backward and plain gradient descent on one batch in memory, on one core or one GPU: an upper limit
/// for the speed of any learner with this network.
#[derive(Debug)]
pub struct TrainingStep {
    network: Network,
    /// `[B, C, H, W]`.
    planes: Tensor,
    /// Target probabilities, `[B, P · H · W]`.
    policy: Tensor,
    /// Target probabilities, `[B, 3]`.
    value: Tensor,
}

impl TrainingStep {
    const RATE: f64 = 0.01;

    /// A step on encoded positions, `[B, C, H, W]`. All have the same target: an arbitrary action, and a win.
    ///
    /// # Errors
    /// If the device has no room for the planes.
    pub fn new(network: Network, planes: ArrayView4<'_, f32>) -> Result<Self, NetworkError> {
        single_threaded();
        let (shape, device) = (network.shape(), network.device());
        let batch = planes.shape()[0] as i64;
        let first_of = |size: usize| -> Result<Tensor, TchError> {
            let target = Tensor::f_zeros([batch, size as i64], (Kind::Float, device))?;
            let _ = target.f_narrow(1, 0, 1)?.f_fill_(1.0)?;
            Ok(target)
        };
        Ok(Self {
            planes: Tensor::try_from(planes.as_standard_layout())?.f_to_device(device)?,
            policy: first_of(shape.policy_size())?,
            value: first_of(VALUE_SIZE)?,
            network,
        })
    }

    /// Makes a step. Returns the loss before it.
    ///
    /// # Errors
    /// If libtorch fails.
    pub fn run(&self) -> Result<f64, NetworkError> {
        let outputs = self.network.forward(&self.planes, true)?;
        let loss = cross_entropy(&outputs.policy, &self.policy)?.f_add(&cross_entropy(&outputs.value, &self.value)?)?;
        // The auxiliary heads do not contribute to this loss.
        let parameters: Vec<&Tensor> = self
            .network
            .trainable()
            .filter(|(name, _)| !name.starts_with("auxiliary"))
            .map(|(_, tensor)| tensor)
            .collect();
        let gradients = Tensor::f_run_backward(&[&loss], &parameters, false, false)?;
        tch::no_grad(|| {
            for (parameter, gradient) in parameters.into_iter().zip(&gradients) {
                let _ = parameter.shallow_clone().f_sub_(&gradient.f_mul_scalar(Self::RATE)?)?;
            }
            Ok(loss.f_double_value(&[])?)
        })
    }
}

/// Mean over the batch.
fn cross_entropy(logits: &Tensor, target: &Tensor) -> Result<Tensor, TchError> {
    let products = logits.f_log_softmax(1, Kind::Float)?.f_mul(target)?;
    products.f_sum(Kind::Float)?.f_div_scalar(-logits.size()[0])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::{Chase, Encode};
    use ndarray::Array4;

    use super::*;
    use crate::testing::network;

    #[test]
    fn the_loss_falls() {
        let shape = Chase::shape(&Default::default());
        let network = network(shape);
        let mut planes = Array4::zeros(shape.batch(4));
        planes.iter_mut().step_by(7).for_each(|number| *number = 1.0);
        let step = TrainingStep::new(network, planes.view()).unwrap();
        let first = step.run().unwrap();
        // Nearly indifferent at first: ln 2997 + ln 3.
        assert!((first - 9.1).abs() < 0.2, "{first}");
        let mut last = first;
        for _ in 0..20 {
            last = step.run().unwrap();
        }
        assert!(last < 0.9 * first, "from {first} to {last}");
    }
}
