//! A batch divided into parts, each on a thread of its own.
//!
//! Every part has a copy of the network and computes its gradient there; the gradients are added in the order of the
//! parts. Normalisation sees one part at a time, as in data-parallel training on several devices, and the running
//! statistics become the mean over the parts. So the result depends on the number of parts, but not on the number of
//! threads.

use chase_models::Network;
use chase_models::mirror::Ties;
use chase_models::network::NetworkError;
use rand::rngs::Xoshiro256PlusPlus;
use rayon::prelude::*;
use tch::{TchError, Tensor};

use super::loss::{self, Part, UnreadLosses};
use crate::config::LearnerConfig;
use crate::learner::{LearnError, Losses, flatten};
use crate::replay::Batch;

/// Copies of a network for all parts of a batch except the first, which uses the network itself.
#[derive(Debug)]
pub(super) struct Replicas {
    copies: Vec<Network>,
}

impl Replicas {
    /// Creates copies for `parts` parts. The generator is left unchanged; the initial weights of the copies do not
    /// matter.
    pub(super) fn new(network: &Network, parts: usize, rng: &Xoshiro256PlusPlus) -> Result<Self, NetworkError> {
        let copy = |_| {
            Network::new(
                network.architecture(),
                network.shape(),
                network.device(),
                &mut rng.clone(),
            )
        };
        Ok(Self {
            copies: (1..parts).map(copy).collect::<Result<_, _>>()?,
        })
    }

    /// The gradient of the loss of a batch for all trainable parameters, `[N]` in their order, its norm, and the
    /// losses. With `ties`, the gradient is the mean of those of the batch and of its mirror images. Updates the running
    /// statistics of the network.
    pub(super) fn gradient(
        &mut self,
        network: &mut Network,
        ties: Option<&Ties>,
        batch: &Batch,
        config: &LearnerConfig,
    ) -> Result<(Tensor, f64, Losses), LearnError> {
        for replica in &self.copies {
            copy(network, replica)?;
        }
        let parts = Part::divide(batch, 1 + self.copies.len());
        let work: Vec<_> = std::iter::once(&mut *network)
            .chain(&mut self.copies)
            .zip(parts)
            .collect();
        let of_part = |(network, part): (&mut Network, Part<'_>)| part_gradient(network, &part, config);
        // One part stays on the calling thread: on a GPU, libtorch makes its plans anew for each thread.
        let done: Vec<Result<(Tensor, UnreadLosses), LearnError>> = match work.len() {
            1 => work.into_iter().map(of_part).collect(),
            _ => work.into_par_iter().map(of_part).collect(),
        };
        let done = done.into_iter().collect::<Result<Vec<_>, _>>()?;
        let (gradients, losses): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        tch::no_grad(|| {
            self.average_statistics(network)?;
            let mut gradient = sum(gradients)?;
            if let Some(ties) = ties {
                gradient = ties.gradient(&gradient)?;
                ties.average_statistics(network)?;
            }
            let (losses, norm) = loss::read(&losses, &gradient.f_norm()?)?;
            Ok((gradient, norm, losses))
        })
    }

    fn average_statistics(&self, network: &Network) -> Result<(), TchError> {
        let mut others: Vec<_> = self.copies.iter().map(Network::statistics).collect();
        for own in network.statistics() {
            let parts = std::iter::once(own).chain(others.iter_mut().filter_map(Iterator::next));
            let parts: Vec<Tensor> = parts.map(Tensor::shallow_clone).collect();
            let count = parts.len() as i64;
            if count > 1 {
                own.shallow_clone().f_copy_(&sum(parts)?.f_div_scalar(count)?)?;
            }
        }
        Ok(())
    }
}

/// The gradient of a part of a batch, on the calling thread.
fn part_gradient(
    network: &Network,
    part: &Part<'_>,
    config: &LearnerConfig,
) -> Result<(Tensor, UnreadLosses), LearnError> {
    chase_models::device::single_threaded();
    let (total, losses) = loss::losses(network, part, config)?;
    let parameters: Vec<&Tensor> = network.trainable().map(|(_, tensor)| tensor).collect();
    let gradients = Tensor::f_run_backward(&[total], &parameters, false, false)?;
    let parameters = network.trainable().map(|(_, tensor)| tensor);
    Ok((tch::no_grad(|| flatten(parameters, gradients))?, losses))
}

/// Sum of at least one tensor, added in order.
fn sum(tensors: Vec<Tensor>) -> Result<Tensor, TchError> {
    let mut tensors = tensors.into_iter();
    let first = tensors
        .next()
        .ok_or_else(|| TchError::Torch("a sum of no tensors".into()))?;
    tensors.try_fold(first, |sum, tensor| sum.f_add(&tensor))
}

/// Copies all tensors of a network to another one of the same architecture.
pub(super) fn copy(from: &Network, to: &Network) -> Result<(), TchError> {
    tch::no_grad(|| {
        for ((_, from), (_, to)) in from.tensors().zip(to.tensors()) {
            to.shallow_clone().f_copy_(from)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use ndarray::{Array, Axis, RemoveAxis, concatenate};
    use tch::Kind;

    use super::*;
    use crate::kinds::residual::testing::{batches, learner, mirror_learner};

    /// A batch with each row twice.
    fn twice(batch: &Batch) -> Batch {
        fn twice<T: Clone, D: RemoveAxis>(array: &Array<T, D>) -> Array<T, D> {
            concatenate![Axis(0), array.view(), array.view()]
        }
        Batch {
            planes: twice(&batch.planes),
            indices: twice(&batch.indices),
            target: twice(&batch.target),
            mask: twice(&batch.mask),
            value: twice(&batch.value),
            occupancy: twice(&batch.occupancy),
            plies_left: twice(&batch.plies_left),
            material: twice(&batch.material),
            ended: twice(&batch.ended),
            foreseen: twice(&batch.foreseen),
        }
    }

    /// A batch of Connect Four in the mirror.
    fn mirrored(batch: &Batch) -> Batch {
        fn mirrored<T: Clone, D: RemoveAxis>(array: &Array<T, D>) -> Array<T, D> {
            let columns = Axis(array.ndim() - 1);
            let mut array = array.clone();
            array.invert_axis(columns);
            array.as_standard_layout().into_owned()
        }
        Batch {
            planes: mirrored(&batch.planes),
            indices: batch.indices.mapv(|index| index / 7 * 7 + 6 - index % 7),
            occupancy: mirrored(&batch.occupancy),
            ..batch.clone()
        }
    }

    /// The gradient of a batch with ties is the mean of those of the batch and of its mirror image.
    #[test]
    fn ties_add_the_mirror_image_of_a_batch() {
        let config = LearnerConfig {
            replicas: 2,
            batch: 32,
            ..LearnerConfig::default()
        };
        let batch = batches(&config, 1, 5).remove(0);
        let gradient = |tied: bool, batch: &Batch| {
            let mut learner = mirror_learner(&config);
            let ties = learner.ties.as_ref().filter(|_| tied);
            let network = &mut learner.network;
            learner.replicas.gradient(network, ties, batch, &config).unwrap()
        };
        let (own, _, losses) = gradient(false, &batch);
        let (image, _, image_losses) = gradient(false, &mirrored(&batch));
        let (tied, norm, _) = gradient(true, &batch);
        assert!((losses.total - image_losses.total).abs() < 1e-5 * losses.total);
        let expected = (&own + &image) / 2.0;
        // 32-bit sums of some thousand terms in another order.
        assert!(largest(&(&tied - &expected)) < 1e-5 * largest(&expected));
        let change = largest(&(&tied - &own)) / largest(&expected);
        assert!(change > 1e-2, "{change}");
        let expected = tied.norm().double_value(&[]);
        assert!((norm - expected).abs() < 1e-5 * expected, "{norm} {expected}");
    }

    fn largest(tensor: &Tensor) -> f64 {
        tensor.abs().max().double_value(&[])
    }

    /// If all parts have the same positions, normalisation by part equals normalisation of the whole.
    #[test]
    fn parts_add_up_to_the_whole_batch() {
        let config = LearnerConfig::default();
        let mut batch = twice(&batches(&config, 1, 7).remove(0));
        // The targets differ between the parts: the first has more rows without a result.
        for row in 0..20 {
            batch.ended[row] = 0.0;
            batch.foreseen[row] = 0.0;
            batch.value.row_mut(row).fill(0.0);
        }
        let of_parts = |replicas| {
            let config = LearnerConfig {
                replicas,
                ..config.clone()
            };
            let mut learner = learner(&config);
            let network = &mut learner.network;
            let (gradient, _, losses) = learner.replicas.gradient(network, None, &batch, &config).unwrap();
            let statistics: Vec<Tensor> = network.statistics().map(Tensor::copy).collect();
            (gradient, losses, statistics)
        };
        let (gradient, losses, statistics) = of_parts(1);
        let parts = of_parts(2);
        // 32-bit sums of some thousand terms in another order.
        assert!(largest(&(&parts.0 - &gradient)) < 1e-5 * largest(&gradient));
        for (name, found, expected) in [
            ("total", parts.1.total, losses.total),
            ("policy", parts.1.policy, losses.policy),
            ("entropy", parts.1.target_entropy, losses.target_entropy),
            ("value", parts.1.value, losses.value),
            ("occupancy", parts.1.occupancy, losses.occupancy),
            ("plies left", parts.1.plies_left, losses.plies_left),
        ] {
            assert!(
                (found - expected).abs() < 1e-5 * expected,
                "{name}: {found}, expected {expected}"
            );
        }
        // The unbiased variances of 1344 and of 2688 numbers have a relative difference of 1/2688, and the running ones
        // take in a tenth.
        for (found, expected) in parts.2.iter().zip(&statistics) {
            assert!(largest(&(found - expected)) < 1e-4 * largest(expected).max(1.0));
        }
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let config = LearnerConfig {
            replicas: 3,
            batch: 32,
            warmup_steps: 0,
            ..LearnerConfig::default()
        };
        let train = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut learner = learner(&config);
                let steps = batches(&config, 5, 2);
                let reports: Vec<_> = steps.iter().map(|batch| learner.step(batch, 0.0).unwrap()).collect();
                let numbers = learner.network.tensors();
                let numbers: Vec<Vec<f32>> = numbers
                    .map(|(_, tensor)| Vec::try_from(tensor.flatten(0, -1).to_kind(Kind::Float)).unwrap())
                    .collect();
                // As a text, which has all digits: losses of absent heads are NaN, which equals nothing.
                (format!("{reports:?}"), numbers)
            })
        };
        let alone = train(1);
        assert_eq!(train(2), alone);
        assert_eq!(train(4), alone);
    }
}
