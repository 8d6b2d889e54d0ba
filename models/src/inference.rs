//! Networks in their inference form.

use std::fmt;

use chase_engine::{Shape, Wdl};
use ndarray::{Array, ArrayView2, ArrayView4, Axis};
use tch::{Device, Kind, TchError, Tensor};

use crate::device::single_threaded;
pub use crate::error::InferenceError;
use crate::fused::{Arithmetic, FusedNetwork, can_fuse, lacking};
use crate::layers::channels_last;
use crate::network::{Layers, VALUE_SIZE};
use crate::precision::Precision;
use crate::transfer::{Room, sent};
use crate::{Architecture, Network};

/// Evaluates encoded positions: a network, or a handle to one shared by threads.
pub trait Forward {
    /// Sizes of input and policy.
    fn shape(&self) -> Shape;

    /// Evaluates encoded positions, like [`InferenceNetwork::forward`].
    ///
    /// # Errors
    /// If the request does not fit the network, or the network fails.
    fn forward(&mut self, planes: ArrayView4<'_, f32>, wanted: &[i64]) -> Result<Logits<'_>, InferenceError>;
}

impl Forward for InferenceNetwork {
    fn shape(&self) -> Shape {
        self.shape()
    }

    fn forward(&mut self, planes: ArrayView4<'_, f32>, wanted: &[i64]) -> Result<Logits<'_>, InferenceError> {
        self.forward(planes, wanted)
    }
}

impl<F: Forward + ?Sized> Forward for Box<F> {
    fn shape(&self) -> Shape {
        (**self).shape()
    }

    fn forward(&mut self, planes: ArrayView4<'_, f32>, wanted: &[i64]) -> Result<Logits<'_>, InferenceError> {
        (**self).forward(planes, wanted)
    }
}

/// A network for inference: normalisation and masks are folded into the weights, and there are no auxiliary heads.
///
/// It is a copy: training the original network does not change it. `Send`, not `Sync`: one thread owns it, and each
/// operation runs on that thread alone, or on the GPU.
pub struct InferenceNetwork {
    architecture: Architecture,
    intake: Intake,
    layers: Form,
    /// The last result: policy logits, then value logits.
    outputs: Vec<f32>,
    /// For indices of logits and for results on their way.
    wanted: Room,
    received: Room,
}

/// The layers, by the code that evaluates them.
enum Form {
    Torch(Box<Layers>),
    Fused(Box<FusedNetwork>),
}

impl Form {
    fn new(network: &Network, device: Device, precision: Precision) -> Result<Self, InferenceError> {
        can_fuse(precision, network.architecture(), device)?;
        let folded = tch::no_grad(|| network.layers.folded(device, precision.kind()))?;
        if let Some(arithmetic) = Arithmetic::of(precision) {
            let fused = FusedNetwork::new(&folded, network.architecture(), network.shape(), arithmetic)?;
            let fused = fused.ok_or_else(|| lacking(precision, arithmetic))?;
            return Ok(Self::Fused(Box::new(fused)));
        }
        Ok(Self::Torch(Box::new(folded)))
    }
}

/// A network's output for a batch of positions.
#[derive(Clone, Copy, Debug)]
pub struct Logits<'a> {
    /// The requested policy logits, `[N]` in the order of the request, not normalised.
    pub policy: &'a [f32],
    /// Logits of win, draw and loss for the player to move, `[B, 3]`.
    pub value: ArrayView2<'a, f32>,
}

impl InferenceNetwork {
    /// The inference form of a network, on a device.
    ///
    /// # Errors
    /// If the device has no room for it, [`can_fuse`] says that the precision cannot be had, or a weight is not finite.
    /// (The output might not show it: the rectifier for bfloat16 turns some NaNs into numbers.)
    pub fn new(network: &Network, device: Device, precision: Precision) -> Result<Self, InferenceError> {
        single_threaded();
        for (_, tensor) in network.tensors() {
            if tensor.f_isfinite()?.f_all()?.f_int64_value(&[])? == 0 {
                return Err(InferenceError::NotFinite);
            }
        }
        Ok(Self {
            architecture: network.architecture().clone(),
            intake: Intake {
                shape: network.shape(),
                device,
                precision,
                room: Room::default(),
            },
            layers: Form::new(network, device, precision)?,
            outputs: Vec::new(),
            wanted: Room::default(),
            received: Room::default(),
        })
    }

    /// Its architecture.
    pub const fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Its input and policy sizes.
    pub const fn shape(&self) -> Shape {
        self.intake.shape
    }

    /// The device that it computes on.
    pub const fn device(&self) -> Device {
        self.intake.device
    }

    /// The arithmetic of its convolutions.
    pub const fn precision(&self) -> Precision {
        self.intake.precision
    }

    /// Evaluates encoded positions, `[B, C, H, W]`. The result borrows memory that the next call reuses.
    ///
    /// `wanted`, `[N]`, selects the policy logits to return: the index of a logit is the row of its position in the
    /// batch times [`Shape::policy_size`], plus the policy index of its action. A position of Chase has about forty
    /// legal actions among 2997 logits, and only those leave the device.
    ///
    /// The result for a position does not depend on the others in the batch. Its last digits may depend on the
    /// size of the batch, since libtorch chooses its kernels by size.
    ///
    /// # Errors
    /// If the input is empty or its positions do not fit the network, a requested logit does not exist, a returned
    /// number is not finite (logits that were not requested are not checked), or memory runs out.
    pub fn forward(&mut self, planes: ArrayView4<'_, f32>, wanted: &[i64]) -> Result<Logits<'_>, InferenceError> {
        match &mut self.layers {
            Form::Torch(_) => {
                let planes = self.intake.take(planes, wanted)?;
                self.compute(&[&planes], wanted)
            }
            Form::Fused(network) => {
                self.intake.check(planes, wanted)?;
                self.outputs
                    .resize(wanted.len() + planes.len_of(Axis(0)) * VALUE_SIZE, 0.0);
                network.forward(planes, wanted, &mut self.outputs);
                self.checked(wanted.len())
            }
        }
    }

    /// The last result, if its numbers are finite.
    fn checked(&self, wanted: usize) -> Result<Logits<'_>, InferenceError> {
        if all_finite(&self.outputs) {
            Ok(Logits::split(&self.outputs, wanted))
        } else {
            Err(InferenceError::NotFinite)
        }
    }

    /// The intake of the network, for code that sends positions to it.
    pub(crate) fn intake(&self) -> Intake {
        self.intake.clone()
    }

    /// Like [`InferenceNetwork::forward`], for positions from [`Intake::take`], in parts `[B₁, C, H, W]`, `[B₂, C, H, W]`
    /// and so on.
    pub(crate) fn compute(&mut self, parts: &[&Tensor], wanted: &[i64]) -> Result<Logits<'_>, InferenceError> {
        // A network may be moved to another thread than the one that created it.
        single_threaded();
        let batch: i64 = parts.iter().map(|planes| planes.size()[0]).sum();
        let layers = match &mut self.layers {
            Form::Torch(layers) => layers,
            Form::Fused(_) => {
                let planes = tch::no_grad(|| Tensor::f_cat(parts, 0)?.f_flatten(0, -1))?;
                let planes = Array::from(Vec::<f32>::try_from(planes)?);
                return match planes.into_shape_with_order(self.intake.shape.batch(batch as usize)) {
                    Ok(planes) => self.forward(planes.view(), wanted),
                    Err(_) => unreachable!("`Intake::take` has checked the size"),
                };
            }
        };
        let outputs = tch::no_grad(|| -> Result<_, TchError> {
            let parts = parts.iter().map(|planes| sent(planes, self.intake.device));
            let parts = parts.collect::<Result<Vec<_>, _>>()?;
            let planes = match &parts[..] {
                [planes] => filled_up(planes)?,
                parts => filled_up(&Tensor::f_cat(parts, 0)?)?,
            };
            let wanted = sent(&self.wanted.indices(wanted, self.intake.device)?, self.intake.device)?;
            let outputs = layers.forward(&planes, false)?;
            // `take` counts in the order of planes, whatever the memory order, so nothing is moved.
            let policy = outputs.policy.f_take(&wanted)?.f_to_kind(Kind::Float)?;
            // Concatenated for a single copy from the device, which waits for the whole computation.
            Tensor::f_cat(&[policy, outputs.value.f_flatten(0, 1)?], 0)
        })?;
        // The values of padding positions come last, and stay on the device.
        let count = wanted.len() + batch as usize * VALUE_SIZE;
        self.outputs.resize(count, 0.0);
        self.received.receive(&outputs, &mut self.outputs)?;
        self.checked(wanted.len())
    }
}

impl<'a> Logits<'a> {
    /// Splits a list that begins with the policy logits.
    pub(crate) fn split(numbers: &'a [f32], policy: usize) -> Self {
        let (policy, value) = numbers.split_at(policy);
        Self {
            policy,
            value: value.as_chunks::<VALUE_SIZE>().0.into(),
        }
    }

    /// Probabilities of the results, for the player to move in each position.
    pub fn wdl(self) -> impl Iterator<Item = Wdl> + use<'a> {
        (0..self.value.nrows()).map(move |position| {
            let mut probabilities = std::array::from_fn(|result| self.value[[position, result]]);
            softmax(&mut probabilities);
            probabilities.into()
        })
    }
}

/// Sends positions to a network's device: everything that a sender needs to know of the network.
#[derive(Debug)]
pub(crate) struct Intake {
    pub shape: Shape,
    device: Device,
    precision: Precision,
    /// For positions on their way: the next ones may overwrite the last ones, which have been answered by then.
    room: Room,
}

impl Clone for Intake {
    fn clone(&self) -> Self {
        Self {
            room: Room::default(),
            ..*self
        }
    }
}

impl Intake {
    /// Checks encoded positions, `[B, C, H, W]`, and the requested logits, and returns the positions in the network's
    /// precision, in memory from which a GPU can read while the next operations are queued.
    ///
    /// It asks a GPU for nothing but pinned memory, and that rarely: calls of many threads wait for each other, and for
    /// those that queue operations.
    ///
    /// # Errors
    /// If there are no positions, they do not fit the network, a requested logit does not exist, or memory runs out.
    pub fn take(&mut self, planes: ArrayView4<'_, f32>, wanted: &[i64]) -> Result<Tensor, InferenceError> {
        self.check(planes, wanted)?;
        single_threaded();
        // Narrowed here; laid out and padded on the device.
        let (kind, device) = (self.precision.kind(), self.device);
        Ok(tch::no_grad(|| self.room.planes(planes, kind, device))?)
    }

    /// Checks encoded positions, `[B, C, H, W]`, and the requested logits.
    fn check(&self, planes: ArrayView4<'_, f32>, wanted: &[i64]) -> Result<(), InferenceError> {
        let (batch, expected) = (planes.shape()[0], self.shape.input());
        if batch == 0 || planes.shape()[1..] != expected {
            let found = planes.shape().to_vec();
            return Err(InferenceError::Input { found, expected });
        }
        // Checked here, since an index out of range would make a GPU unusable for the whole program.
        let size = batch * self.shape.policy_size();
        if let Some(&index) = wanted.iter().find(|&&index| index < 0 || index >= size as i64) {
            return Err(InferenceError::Index { index, size });
        }
        Ok(())
    }
}

impl fmt::Debug for InferenceNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "InferenceNetwork({} on {:?} in {})",
            self.architecture.name(),
            self.intake.device,
            self.intake.precision
        )
    }
}

/// `[B, C, H, W]` padded with zeros to [`padded_batch`], in channels-last memory.
fn filled_up(planes: &Tensor) -> Result<Tensor, TchError> {
    let batch = planes.size()[0];
    match padded_batch(batch as usize) as i64 - batch {
        0 => channels_last(planes),
        // Padding copies everything anyway, so the layout is changed in the same step.
        missing => planes
            .f_permute([0, 2, 3, 1])?
            .f_constant_pad_nd([0, 0, 0, 0, 0, 0, 0, missing])?
            .f_permute([0, 3, 1, 2]),
    }
}

/// The size that a batch is padded to: four sizes from one power of two to the next.
///
/// libtorch prepares kernels for every new size, which costs milliseconds and up to 1.5 MB each and is kept for good
/// (on a GPU for the lifetime of the thread). On the other hand a padding position costs as much as any other, and
/// batches shrink as games end. With four sizes padding is less than a quarter of a batch. Their number was not measured.
fn padded_batch(batch: usize) -> usize {
    batch.next_multiple_of((batch.next_power_of_two() / 8).max(1))
}

fn all_finite(numbers: &[f32]) -> bool {
    // No early exit, so that the loop is vectorised.
    numbers.iter().fold(true, |finite, number| finite & number.is_finite())
}

/// Replaces logits by probabilities that add up to 1.
pub fn softmax(logits: &mut [f32]) {
    let maximum = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = (*logit - maximum).exp();
        sum += *logit;
    }
    for probability in logits {
        *probability /= sum;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use ndarray::s;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::testing::{SHAPE, network, random};

    /// Compared with the whole policy, reordered and widened to 32 bits, to the last bit.
    #[test]
    fn wanted_logits_are_those_of_the_whole_policy() {
        let shape = SHAPE;
        let network = network(shape);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        for precision in [Precision::F32, Precision::Bf16] {
            let mut inference = InferenceNetwork::new(&network, Device::Cpu, precision).unwrap();
            // 9 and 33 are padded.
            for batch in [1, 8, 9, 33] {
                let size = padded_batch(batch);
                let mut planes = random(size, &mut rng);
                planes.slice_mut(s![batch.., .., .., ..]).fill(0.0);
                let whole = tch::no_grad(|| {
                    let input = Tensor::try_from(&planes).unwrap();
                    let input = channels_last(&input.to_kind(precision.kind())).unwrap();
                    let Form::Torch(layers) = &inference.layers else {
                        panic!("{inference:?}");
                    };
                    layers.forward(&input, false).unwrap()
                });
                let read = |tensor: &Tensor| -> Vec<f32> {
                    Vec::try_from(tensor.flatten(1, -1).to_kind(Kind::Float).flatten(0, -1)).unwrap()
                };
                let (policy, value) = (read(&whole.policy), read(&whole.value));
                // In any order, some twice and some not at all; then all; then none.
                let logits = (batch * shape.policy_size()) as i64;
                let some: Vec<i64> = (0..logits).map(|_| rng.random_range(0..logits)).collect();
                for wanted in [some, (0..logits).collect(), Vec::new()] {
                    let found = inference
                        .forward(planes.slice(s![..batch, .., .., ..]), &wanted)
                        .unwrap();
                    let expected: Vec<f32> = wanted.iter().map(|&index| policy[index as usize]).collect();
                    assert_eq!(found.policy, expected, "{precision}, batch {batch}");
                    let values: Vec<f32> = found.value.iter().copied().collect();
                    assert_eq!(values, value[..3 * batch], "{precision}, batch {batch}");
                }
            }
        }
    }

    #[test]
    fn batches_are_filled_up_to_few_sizes_and_by_a_quarter_at_most() {
        let mut sizes: Vec<usize> = (1..=1024).map(padded_batch).collect();
        for (batch, &size) in (1..).zip(&sizes) {
            assert!(
                size >= batch && size < batch + batch.div_ceil(4),
                "{batch} became {size}"
            );
        }
        sizes.dedup();
        assert_eq!(sizes[..14], [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24]);
        assert_eq!(sizes.len(), 36);
    }

    #[test]
    fn what_is_filled_up_with_zeros_lies_in_memory_as_what_is_not() {
        let planes = Tensor::arange(10 * 3 * 4, (Kind::BFloat16, Device::Cpu)).view([5, 2, 3, 4]);
        for batch in [5, 9, 11] {
            let planes = planes.repeat([3, 1, 1, 1]).narrow(0, 0, batch);
            let filled = filled_up(&planes).unwrap();
            let expected = channels_last(&Tensor::cat(
                &[
                    planes,
                    Tensor::zeros(
                        [padded_batch(batch as usize) as i64 - batch, 2, 3, 4],
                        (Kind::BFloat16, Device::Cpu),
                    ),
                ],
                0,
            ))
            .unwrap();
            assert_eq!(filled.stride(), expected.stride());
            assert!(filled == expected && filled.size() == expected.size(), "batch {batch}");
        }
    }

    #[test]
    fn softmax_is_exact_where_it_can_be_and_survives_large_logits() {
        let mut logits = [1000.0, 1000.0, -1000.0];
        softmax(&mut logits);
        assert_eq!(logits, [0.5, 0.5, 0.0]);
        let mut logits = [3f32.ln(), 0.0];
        softmax(&mut logits);
        assert!((logits[0] - 0.75).abs() < 1e-6 && (logits[1] - 0.25).abs() < 1e-6);
    }

    #[test]
    fn small_batches_on_a_cpu_are_in_32_bits() {
        assert_eq!(Precision::fastest_for(Device::Cpu, 1), Precision::F32);
        let large = Precision::fastest_for(Device::Cpu, 128);
        assert_eq!(large, Precision::fastest(Device::Cpu));
    }
}
