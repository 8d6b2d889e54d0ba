//! The loss.

use std::ops::Range;

use chase_models::Network;
use chase_models::network::{NetworkError, Outputs};
use ndarray::{Array, Array1, ArrayView, ArrayView2, Axis, Dimension, RemoveAxis};
use tch::kind::Element;
use tch::{Device, Kind, TchError, Tensor};

use crate::config::LearnerConfig;
use crate::learner::Losses;
use crate::replay::Batch;

/// Consecutive rows of a batch.
///
/// Its losses are sums over these rows, divided by the counts of the whole batch: the losses of all parts add up to the
/// batch's, and so do their gradients.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    batch: &'a Batch,
    rows: Range<usize>,
}

impl<'a> Part<'a> {
    /// Divides a batch into `count` parts, which differ by one row at most.
    pub(super) fn divide(batch: &'a Batch, count: usize) -> impl Iterator<Item = Self> {
        (0..count).map(move |part| Self {
            batch,
            rows: part * batch.rows() / count..(part + 1) * batch.rows() / count,
        })
    }

    /// The part's rows of an array of the batch.
    fn of<T, D: RemoveAxis>(&self, array: &'a Array<T, D>) -> ArrayView<'a, T, D> {
        array.slice_axis(Axis(0), self.rows.clone().into())
    }
}

/// Losses on the device of the network. Each number read makes a thread wait for its GPU, so they are all read at once,
/// by [`read`].
#[derive(Debug)]
pub(super) struct UnreadLosses {
    /// In the order of [`Terms`], then the total, `[6]`; 0 where the network has no head for it.
    terms: Tensor,
    target_entropy: f64,
}

/// Adds up the losses of the parts and reads them, with another number `[]` on the same device, in one copy.
pub(super) fn read(parts: &[UnreadLosses], other: &Tensor) -> Result<(Losses, f64), TchError> {
    let parts_and_other = parts
        .iter()
        .map(|part| Ok(part.terms.shallow_clone()))
        .chain([other.f_view(1)])
        .collect::<Result<Vec<_>, TchError>>()?;
    let numbers: Vec<f32> = Tensor::f_cat(&parts_and_other, 0)?.try_into()?;
    let (terms, other) = numbers.as_chunks();
    let losses = terms.iter().zip(parts).map(|(terms, part)| {
        let [policy, value, occupancy, plies_left, material, total] = terms.map(f64::from);
        Losses {
            total,
            policy,
            target_entropy: part.target_entropy,
            value,
            occupancy,
            plies_left,
            material,
        }
    });
    Ok((losses.sum(), other.iter().copied().map(f64::from).sum()))
}

/// Evaluates a part of a batch: the loss to be minimised, and its parts to be read.
pub(super) fn losses(
    network: &Network,
    part: &Part<'_>,
    config: &LearnerConfig,
) -> Result<(Tensor, UnreadLosses), NetworkError> {
    let device = network.device();
    let planes = tensor(part.of(&part.batch.planes), device)?;
    // bfloat16 takes the same time with AVX-512, and plays alike: +20 Elo [−41, 82] (study 0040).
    let planes = planes.f_to_kind(config.precision.of_learner(device).kind())?;
    let outputs = network.forward(&planes, true)?;
    let terms = terms(&outputs, part, device)?;

    let absent = Tensor::f_full([], f64::NAN, (Kind::Float, device))?;
    let (mut total, mut all) = (Tensor::f_zeros([], (Kind::Float, device))?, Vec::new());
    for (term, weight) in [
        (Some(terms.policy), config.policy_weight),
        // 1.5 instead of 1: −18 Elo [−57, 22] (study 0040).
        (Some(terms.value), config.value_weight),
        // These three together show no effect at a rate of 0.008: without them −28 Elo [−96, 39] (study 0009).
        (terms.occupancy, config.occupancy_weight),
        (terms.plies_left, config.plies_left_weight),
        (terms.material, config.material_weight),
    ] {
        if let Some(term) = &term {
            total = total.f_add(&term.f_mul_scalar(weight)?)?;
        }
        // A head that the network does not have has no loss.
        all.push(term.unwrap_or_else(|| absent.shallow_clone()));
    }
    all.push(total.shallow_clone());
    let unread = UnreadLosses {
        // Detached, since it would otherwise keep the graph of its step in memory until it is read.
        terms: Tensor::f_stack(&all, 0)?.f_detach()?,
        target_entropy: entropy(part.of(&part.batch.target)) / part.batch.rows() as f64,
    };
    Ok((total, unread))
}

struct Terms {
    policy: Tensor,
    value: Tensor,
    occupancy: Option<Tensor>,
    plies_left: Option<Tensor>,
    material: Option<Tensor>,
}

fn terms(outputs: &Outputs, part: &Part<'_>, device: Device) -> Result<Terms, TchError> {
    let batch = part.batch;
    // Only the logits of legal actions count, as in play.
    let indices = tensor(part.of(&batch.indices), device)?;
    let mask = tensor(part.of(&batch.mask), device)?;
    let target = tensor(part.of(&batch.target), device)?;
    let logits = outputs.policy.f_gather(1, &indices, false)?.f_add(&mask)?;
    let policy = cross_entropy(&logits, &target)?.f_div_scalar(batch.rows() as i64)?;

    let target = tensor(part.of(&batch.value), device)?;
    let with_target: f32 = batch.value.iter().sum();
    let value = cross_entropy(&outputs.value, &target)?.f_div_scalar(f64::from(with_target.max(1.0)))?;

    // Mean over the rows that have this target.
    let mean = |by_row: Tensor, known: &Array1<f32>| {
        let count = f64::from(known.iter().sum::<f32>().max(1.0));
        let known = tensor(part.of(known), device)?;
        by_row.f_mul(&known)?.f_sum(Kind::Float)?.f_div_scalar(count)
    };
    let squared = |output: &Tensor, target: &Array1<f32>, known: &Array1<f32>| {
        let target = tensor(part.of(target), device)?;
        mean(output.f_sub(&target)?.f_square()?, known)
    };
    let occupancy = |output: &Tensor| {
        let target = tensor(part.of(&batch.occupancy), device)?;
        let by_cell = output.f_cross_entropy_loss(&target, None::<Tensor>, tch::Reduction::None, -100, 0.0)?;
        mean(
            by_cell.f_mean_dim([1i64, 2].as_slice(), false, Kind::Float)?,
            &batch.foreseen,
        )
    };
    Ok(Terms {
        policy,
        value,
        occupancy: outputs.occupancy.as_ref().map(occupancy).transpose()?,
        plies_left: outputs
            .plies_left
            .as_ref()
            .map(|output| squared(output, &batch.plies_left, &batch.ended))
            .transpose()?,
        material: outputs
            .material
            .as_ref()
            .map(|output| squared(output, &batch.material, &batch.foreseen))
            .transpose()?,
    })
}

/// Sum over all rows of `[B, N]` of −Σ target · ln softmax(logits).
fn cross_entropy(logits: &Tensor, target: &Tensor) -> Result<Tensor, TchError> {
    logits
        .f_log_softmax(1, Kind::Float)?
        .f_mul(target)?
        .f_sum(Kind::Float)?
        .f_neg()
}

fn tensor<T: Element, D: Dimension>(array: ArrayView<'_, T, D>, device: Device) -> Result<Tensor, TchError> {
    Tensor::try_from(array)?.f_to_device(device)
}

/// −Σ p ln p.
fn entropy(probabilities: ArrayView2<'_, f32>) -> f64 {
    let positive = probabilities.iter().filter(|&&probability| probability > 0.0);
    -positive
        .map(|&probability| f64::from(probability) * f64::from(probability).ln())
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::kinds::residual::testing::{batches, learner};

    /// Compares the losses with a plain calculation, row by row in f64.
    #[test]
    fn losses_are_what_a_plain_calculation_says() {
        let config = LearnerConfig {
            batch: 32,
            ..LearnerConfig::default()
        };
        let mut batch = batches(&config, 1, 5).remove(0);
        // Two rows of truncated games: one has no value target.
        batch.ended[3] = 0.0;
        batch.ended[4] = 0.0;
        // The game of one of them continued beyond the horizon.
        batch.foreseen[4] = 0.0;
        batch.value.row_mut(3).fill(0.0);
        let network = learner(&config).network;
        let whole = Part::divide(&batch, 1).next().unwrap();
        let (total, unread) = losses(&network, &whole, &config).unwrap();
        let (losses, other) = read(&[unread], &Tensor::from(0.75f32)).unwrap();
        assert_eq!(other, 0.75);
        let input = Tensor::try_from(&batch.planes).unwrap();
        let outputs = network.forward(&input, true).unwrap();
        let read =
            |tensor: &Tensor| -> Vec<f64> { Vec::try_from(tensor.flatten(0, -1).to_kind(Kind::Double)).unwrap() };
        let surprise = |logits: &[f64], wanted: usize| {
            let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
            sum.ln() - logits[wanted]
        };
        let (policy_logits, value_logits) = (read(&outputs.policy), read(&outputs.value));
        let (mut policy, mut value) = (0.0, 0.0);
        for row in 0..32 {
            let legal: Vec<[usize; 2]> = (0..batch.actions())
                .map(|place| [row, place])
                .filter(|&place| batch.mask[place] == 0.0)
                .collect();
            let logits: Vec<f64> = legal
                .iter()
                .map(|&place| policy_logits[row * 42 + batch.indices[place] as usize])
                .collect();
            for (index, &place) in legal.iter().enumerate() {
                policy += f64::from(batch.target[place]) * surprise(&logits, index) / 32.0;
            }
            for result in 0..3 {
                let target = f64::from(batch.value[[row, result]]);
                value += target * surprise(&value_logits[row * 3..row * 3 + 3], result) / 31.0;
            }
        }
        let cells = read(outputs.occupancy.as_ref().unwrap());
        let plies = read(outputs.plies_left.as_ref().unwrap());
        let (mut occupancy, mut plies_left) = (0.0, 0.0);
        for row in (0..32).filter(|&row| row != 4) {
            for cell in 0..42 {
                let logits: Vec<f64> = (0..3).map(|class| cells[row * 126 + class * 42 + cell]).collect();
                occupancy += surprise(&logits, batch.occupancy[[row, cell / 7, cell % 7]] as usize) / 42.0 / 31.0;
            }
        }
        for row in (0..32).filter(|row| ![3, 4].contains(row)) {
            plies_left += (plies[row] - f64::from(batch.plies_left[row])).powi(2) / 30.0;
        }
        let weighted = policy + value + config.occupancy_weight * occupancy + config.plies_left_weight * plies_left;
        for (name, found, expected) in [
            ("policy", losses.policy, policy),
            ("value", losses.value, value),
            ("occupancy", losses.occupancy, occupancy),
            ("plies left", losses.plies_left, plies_left),
            ("total", losses.total, weighted),
            ("tensor", total.double_value(&[]), weighted),
        ] {
            // 32-bit sums of some thousand terms of order 1.
            assert!(
                (found - expected).abs() < 1e-5 * expected.abs().max(1.0),
                "{name}: {found}, expected {expected}"
            );
        }
        assert!(losses.target_entropy > 0.0 && losses.target_entropy < losses.policy);
        assert!(losses.material.is_nan());
    }
}
